package io.galop.loadtest.latency;

import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * What viewers have seen of the measured messages.
 *
 * @param received different messages, over all viewers
 * @param duplicates messages that a viewer had seen before
 * @param missing messages that a viewer has not seen
 * @param lostViewers whose connection ended
 * @param gap from the first to the last that is missing
 * @param latencies from due to received
 */
public record Seen(
    long received, long duplicates, long missing, long lostViewers, Gap gap, Histogram latencies) {

  public static Seen sum(List<Seen> parts) {
    Histogram all = Latencies.histogram();
    parts.forEach(part -> all.add(part.latencies));
    return new Seen(
        parts.stream().mapToLong(Seen::received).sum(),
        parts.stream().mapToLong(Seen::duplicates).sum(),
        parts.stream().mapToLong(Seen::missing).sum(),
        parts.stream().mapToLong(Seen::lostViewers).sum(),
        Gap.around(parts.stream().map(Seen::gap).toList()),
        all);
  }
}
