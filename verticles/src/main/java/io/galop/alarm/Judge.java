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
      return (value, record) -> limit(limit, value);
    }
    return when instanceof RateConfig rate ? new Rate(rate) : (value, record) -> Verdict.BETWEEN;
  }

  private static Verdict limit(LimitConfig limit, double value) {
    if (limit.above().isPresent()) {
      double most = limit.above().get();
      double clear = limit.clear().orElse(most);
      return value > most ? Verdict.HOLDS : value <= clear ? Verdict.OVER : Verdict.BETWEEN;
    }
    double least = limit.below().orElseThrow();
    double clear = limit.clear().orElse(least);
    return value < least ? Verdict.HOLDS : value >= clear ? Verdict.OVER : Verdict.BETWEEN;
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
