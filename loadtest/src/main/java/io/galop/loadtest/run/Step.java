package io.galop.loadtest.run;

import io.galop.loadtest.latency.Latencies;
import io.galop.loadtest.scenario.Goal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/**
 * What came of sending at one rate for a time.
 *
 * @param asked rate, records a second
 * @param from when it began, in seconds of the watch
 * @param to when nothing more was due
 * @param sent how many records were sent of those that were due
 * @param due how many were due
 * @param inTime how many were acknowledged when the last was due, and as long after as the goal
 *     allows
 * @param acked how many were acknowledged at last, rejected ones not counted
 * @param viewers how many watched
 * @param received how many records they have seen, all together
 * @param lost viewers that lost their connection
 * @param tookSeconds how long it took until all was acknowledged and seen, or nothing more came, in
 *     seconds
 * @param ack from due to acknowledged
 * @param live from due to seen
 * @param backlogSlope by how many records a second what was not acknowledged grew
 * @param lagP99Ms how late the generator's threads woke
 * @param serverProcessors how many processors the nodes used
 * @param ownProcessors how many the load test used
 * @param switchesPerRecord context switches of the nodes
 */
public record Step(
    double asked,
    double from,
    double to,
    long sent,
    long due,
    long inTime,
    long acked,
    int viewers,
    long received,
    long lost,
    double tookSeconds,
    Histogram ack,
    Histogram live,
    double backlogSlope,
    double lagP99Ms,
    double serverProcessors,
    double ownProcessors,
    double switchesPerRecord) {

  /** What the goal is held against: viewers where there are some, else acknowledgements. */
  public double p99Ms() {
    return Latencies.ms(viewers > 0 ? live : ack, 99);
  }

  /** Which part of what was due was acknowledged in time. */
  public double achieved() {
    return (double) inTime / due;
  }

  /** Which part of what was sent was acknowledged and seen. */
  public double completeness() {
    double acknowledged = (double) acked / Math.max(1, sent);
    double seen = viewers == 0 ? 1 : (double) received / Math.max(1, sent * viewers);
    return Math.min(acknowledged, seen);
  }

  /** What is not as the goal wants it, in words; empty if all is. */
  public List<String> broken(Goal goal) {
    List<String> broken = new ArrayList<>();
    if (!(p99Ms() <= goal.p99Ms())) {
      broken.add(words("p99 %.0f ms (at most %.0f)", p99Ms(), goal.p99Ms()));
    }
    if (completeness() < goal.completeness()) {
      broken.add(words("completeness %.4f (at least %.4f)", completeness(), goal.completeness()));
    }
    if (achieved() < goal.achieved()) {
      broken.add(
          words(
              "%.1f %% acknowledged in time (at least %.1f %%)",
              100 * achieved(), 100 * goal.achieved()));
    }
    if (grows(goal)) {
      broken.add(words("a backlog that grows by %.0f records/s", backlogSlope));
    }
    return broken;
  }

  /** What it grows by must also be more than what may wait at any time. */
  private boolean grows(Goal goal) {
    double grown = backlogSlope * (to - from);
    return backlogSlope > goal.backlogSlope() * asked && grown > asked * goal.p99Ms() / 1e3;
  }

  private static String words(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  /** For the progress of a run. */
  public String line(Goal goal) {
    List<String> broken = broken(goal);
    return words(
        "%,9.0f/s: p50 %.1f ms, p99 %.1f ms, in time %.1f %%, CPU %s + %.2f: %s",
        asked,
        Latencies.ms(viewers > 0 ? live : ack, 50),
        p99Ms(),
        100 * achieved(),
        Double.isNaN(serverProcessors) ? "?" : words("%.2f", serverProcessors),
        ownProcessors,
        broken.isEmpty() ? "holds" : "breaks: " + String.join(", ", broken));
  }
}
