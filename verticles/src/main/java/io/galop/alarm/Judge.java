package io.galop.alarm;

import io.galop.config.alarm.AlarmConditionConfig;
import io.galop.config.alarm.LimitConfig;
import io.galop.config.alarm.RateConfig;
import io.galop.record.Record;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/** Says of a number whether a condition holds, for one rule and topic. On the loop of alarms. */
interface Judge {
  /** What a number says. */
  enum Verdict {
    /** The condition holds. */
    HOLDS,
    /** What holds goes on, and what does not hold does not begin. */
    BETWEEN,
    /** The condition does not hold. */
    OVER
  }

  Verdict of(double value, Record record);

  /** The one of a condition on a number; others have no use for it. */
  static Judge of(AlarmConditionConfig when) {
    if (when instanceof LimitConfig limit) {
      return Limit.of(limit);
    }
    return when instanceof RateConfig rate ? new Rate(rate) : (value, record) -> Verdict.BETWEEN;
  }

  /**
   * Whether a number is too large or too small. Holds its numbers itself: what the configuration
   * keeps them in would have to be brought into the processor's caches for each record.
   *
   * @param limit where it begins to hold
   * @param clear where it is over
   */
  record Limit(boolean isAbove, double limit, double clear) implements Judge {
    static Limit of(LimitConfig config) {
      double limit = config.above().or(config::below).orElseThrow();
      return new Limit(config.above().isPresent(), limit, config.clear().orElse(limit));
    }

    @Override
    public Verdict of(double value, Record record) {
      if (isAbove ? value > limit : value < limit) {
        return Verdict.HOLDS;
      }
      return (isAbove ? value <= clear : value >= clear) ? Verdict.OVER : Verdict.BETWEEN;
    }
  }

  /**
   * How fast a number changes within a window. Keeps at most {@value #MOST} samples, evenly spaced
   * in time; the first is the oldest in the window.
   */
  final class Rate implements Judge {
    private static final int MOST = 32;

    private final double perSecond;
    private final long overUs;
    private final Deque<double[]> samples = new ArrayDeque<>();

    Rate(RateConfig config) {
      this.perSecond = config.perSecond();
      this.overUs = TimeUnit.MILLISECONDS.toMicros(config.overMs());
    }

    @Override
    public Verdict of(double value, Record record) {
      double nowUs = record.timeUs();
      if (!samples.isEmpty() && nowUs < samples.getLast()[0]) {
        return Verdict.BETWEEN; // late: it says nothing of what comes
      }
      while (!samples.isEmpty() && samples.getFirst()[0] < nowUs - overUs) {
        samples.removeFirst();
      }
      double[] first = samples.peekFirst();
      if (first == null || nowUs - samples.getLast()[0] >= (double) overUs / MOST) {
        samples.addLast(new double[] {nowUs, value});
      }
      if (first == null || nowUs == first[0]) {
        return Verdict.BETWEEN;
      }
      double rate = (value - first[1]) * TimeUnit.SECONDS.toMicros(1) / (nowUs - first[0]);
      return Math.abs(rate) > perSecond ? Verdict.HOLDS : Verdict.OVER;
    }
  }
}
