package io.galop.loadtest.client;

import io.galop.loadtest.latency.Seen;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What an audience has seen.
 *
 * @param seen messages and latencies
 * @param told viewers that the server has told that something is missing
 * @param untold viewers that miss something and have not been told, and are still connected
 * @param answers to polls, or ends of streams
 * @param reconnects connections that were opened again, as pollers do when the server closes them
 * @param errors what went wrong, and how often
 */
public record AudienceReport(
    Seen seen, long told, long untold, long answers, long reconnects, Map<String, Long> errors) {

  static AudienceReport sum(List<AudienceReport> parts) {
    Map<String, Long> errors = new TreeMap<>();
    parts.forEach(
        part -> part.errors.forEach((what, count) -> errors.merge(what, count, Long::sum)));
    return new AudienceReport(
        Seen.sum(parts.stream().map(AudienceReport::seen).toList()),
        parts.stream().mapToLong(AudienceReport::told).sum(),
        parts.stream().mapToLong(AudienceReport::untold).sum(),
        parts.stream().mapToLong(AudienceReport::answers).sum(),
        parts.stream().mapToLong(AudienceReport::reconnects).sum(),
        errors);
  }

  public long errorCount() {
    return errors.values().stream().mapToLong(Long::longValue).sum();
  }
}
