package io.galop.config;

import io.galop.config.ingest.IngestConfig;
import io.galop.config.ingest.LimitsConfig;
import io.galop.config.ingest.PublisherConfig;
import io.galop.record.TopicFilter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The rules between publishers, and between a publisher and the rest of the configuration. */
public final class PublisherRules {
  /** What a record takes beside its names and its data, and more. */
  private static final int FRAME_BYTES = 256;

  private PublisherRules() {}

  /** How many bytes the largest record that the limits allow counts for, at most. */
  public static long largestRecordBytes(LimitsConfig limits) {
    return (long) limits.maxDataBytes()
        + limits.maxTopicBytes()
        + limits.maxIdBytes()
        + FRAME_BYTES;
  }

  /**
   * Looks at publishers, wherever they are written.
   *
   * @param path the dotted path of the list
   */
  public static void check(
      GalopConfig config, String path, List<PublisherConfig> publishers, Refusals refusals) {
    Map<String, String> names = new HashMap<>();
    Map<String, String> tokens = new HashMap<>();
    Map<String, String> subjects = new HashMap<>();
    if (config.ingest().hasToken()) {
      names.put(PublisherConfig.OF_TOKEN, "the publisher of ingest.token");
    }
    for (int i = 0; i < publishers.size(); i++) {
      PublisherConfig one = publishers.get(i);
      String at = path + "[" + i + "]";
      once(names, one.name(), at, ".name", refusals);
      once(tokens, one.tokenSha256(), at, ".tokenSha256", refusals);
      once(subjects, one.subject(), at, ".certificate", refusals);
      filters(config.ingest(), one, at, refusals);
      room(config.ingest().limits(), one, at, refusals);
      certificates(config, one, at, refusals);
    }
  }

  private static void once(
      Map<String, String> seen, String value, String at, String key, Refusals refusals) {
    String other = value.isEmpty() ? null : seen.putIfAbsent(value, at);
    if (other != null) {
      refusals.add(at + key, "must differ from that of " + other);
    }
  }

  private static void filters(
      IngestConfig ingest, PublisherConfig one, String at, Refusals refusals) {
    for (int i = 0; i < one.topics().size(); i++) {
      try {
        TopicFilter.parse(one.topics().get(i), ingest.limits().maxTopicBytes());
      } catch (IllegalArgumentException e) {
        refusals.add(at + ".topics[" + i + "]", "must be a topic filter, " + e.getMessage());
      }
    }
  }

  private static void room(LimitsConfig limits, PublisherConfig one, String at, Refusals refusals) {
    long least = largestRecordBytes(limits);
    atLeast(least, one.maxBytesPerSecond(), at + ".maxBytesPerSecond", refusals);
    atLeast(least, one.maxInFlightBytes(), at + ".maxInFlightBytes", refusals);
  }

  private static void atLeast(long least, long given, String path, Refusals refusals) {
    if (given > 0 && given < least) {
      refusals.add(
          path,
          "must be 0 or at least %d, not %d: a record may be as large (ingest.limits.maxDataBytes)"
              .formatted(least, given));
    }
  }

  private static void certificates(
      GalopConfig config, PublisherConfig one, String at, Refusals refusals) {
    boolean areAsked =
        Listener.of(config).stream()
            .anyMatch(door -> door.takesRecords() && !door.tls().clientCa().isEmpty());
    if (!one.certificate().isEmpty() && !areAsked) {
      refusals.add(
          at + ".certificate", "needs a door that asks for certificates: give one a tls.clientCa");
    }
  }
}
