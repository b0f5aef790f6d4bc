package io.galop.loadtest.experiments.reads;

import io.galop.loadtest.latency.Latencies;
import io.galop.loadtest.targets.ProcessCost;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.HdrHistogram.Histogram;

/** What one kind of load on one server came to, over all rounds. */
final class LoadOutcome {
  private final Histogram latencies = Latencies.histogram();
  private final Histogram lag = Latencies.histogram();
  private final List<Double> perSecond = new ArrayList<>();
  private long asked;
  private long wrong;
  private String why = "";
  private double seconds;
  private double serverMicros;
  private double ownMicros;
  private double switches;

  /**
   * Another round.
   *
   * @param tookSeconds it
   * @param server what the server used meanwhile
   * @param own processor time of the clients, in microseconds
   */
  void add(ReadTally tally, double tookSeconds, ProcessCost server, double own) {
    latencies.add(tally.latencies());
    lag.add(tally.lag());
    perSecond.add(tally.perSecond());
    asked += tally.asked();
    wrong += tally.wrong();
    why = tally.wrong() > 0 ? tally.why() : why;
    seconds += tookSeconds;
    serverMicros += server.cpuMicros();
    ownMicros += own;
    switches += server.waits() + server.preemptions();
  }

  /** Of each round. */
  List<Double> rounds() {
    return perSecond;
  }

  /** Right answers a second, the median of the rounds. */
  double perSecond() {
    return median(perSecond);
  }

  /** The median; of an even number the lower one. */
  static double median(List<Double> values) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    return sorted.length == 0 ? Double.NaN : sorted[(sorted.length - 1) / 2];
  }

  /** How far the rounds are apart, as a part of their median. */
  double spread() {
    double[] all = perSecond.stream().mapToDouble(Double::doubleValue).toArray();
    double most = Arrays.stream(all).max().orElse(Double.NaN);
    return (most - Arrays.stream(all).min().orElse(Double.NaN)) / perSecond();
  }

  double ms(double percentile) {
    return Latencies.ms(latencies, percentile);
  }

  /** How late the clients themselves were. */
  double lagMs(double percentile) {
    return Latencies.ms(lag, percentile);
  }

  long answers() {
    return latencies.getTotalCount();
  }

  long asked() {
    return asked;
  }

  long wrong() {
    return wrong;
  }

  String why() {
    return why;
  }

  double microsPerAnswer() {
    return serverMicros / Math.max(1, answers());
  }

  double switchesPerAnswer() {
    return switches / Math.max(1, answers());
  }

  double serverProcessors() {
    return serverMicros / 1e6 / seconds;
  }

  double ownProcessors() {
    return ownMicros / 1e6 / seconds;
  }
}
