package io.galop.persist.sink;

import io.galop.config.enrich.EnricherConfig;
import io.galop.config.persist.SamplingConfig;
import io.galop.config.persist.SamplingRule;
import io.galop.persist.sink.Stretch.Kept;
import io.galop.record.Record;
import io.galop.record.Topic;
import io.galop.record.TopicFilter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.CRC32C;

/**
 * Chooses the records that a store keeps. One in so many is chosen by topic and id, so that a
 * record that comes again meets the same fate; an id alone would choose all or none of the topics
 * that number their records alike. Lives on the sink's thread.
 */
final class Sampler {
  private final SamplingConfig config;
  private final List<Rule> rules;
  private final LatestRecords latest;
  private final Consumer<Kept> keep;

  private record Rule(List<TopicFilter> filters, SamplingRule config) {
    boolean matches(String topic) {
      return filters.stream().anyMatch(filter -> filter.matches(topic));
    }
  }

  /**
   * A sampler.
   *
   * @param keep gets what is kept, when it is known to be
   * @param maxWaitingBytes of the last records of intervals that are not over
   * @param onEarly is called when one of these is kept before its time, to make room
   */
  Sampler(SamplingConfig config, long maxWaitingBytes, Consumer<Kept> keep, Runnable onEarly) {
    this.config = config;
    this.rules =
        config.rules().stream().map(rule -> new Rule(filters(rule.topics()), rule)).toList();
    this.latest = new LatestRecords(config.maxWaitingTopics(), maxWaitingBytes, keep, onEarly);
    this.keep = keep;
  }

  private static List<TopicFilter> filters(List<String> topics) {
    return topics.stream()
        .map(text -> TopicFilter.parse(text, EnricherConfig.MAX_FILTER_BYTES))
        .toList();
  }

  /** Whether the record is kept, at once or later. */
  boolean offer(Kept kept, long nowNs) {
    Record record = kept.placed().record();
    boolean isAll = Topic.isReserved(record.topic()) && config.every() > 0;
    int every = isAll ? 1 : config.every();
    for (Rule rule : rules) {
      if (rule.matches(record.topic())) {
        if (rule.config().latestMs() > 0) {
          kept.begin();
          latest.offer(kept, rule.config().latestMs(), nowNs);
          return true;
        }
        every = rule.config().every();
        break;
      }
    }
    if (every == 0 || every > 1 && chance(record) % every != 0) {
      return false;
    }
    kept.begin();
    keep.accept(kept);
    return true;
  }

  /** CRC32C (RFC 3720) of topic, a zero and id in UTF-8: the same in every node and version. */
  private static long chance(Record record) {
    CRC32C crc = new CRC32C();
    crc.update(record.topic().getBytes(StandardCharsets.UTF_8));
    crc.update(0);
    crc.update(record.id().getBytes(StandardCharsets.UTF_8));
    return crc.getValue();
  }

  /** Keeps the last records of intervals that are over by the clock. */
  void expire(long nowNs) {
    latest.expire(nowNs);
  }

  /** Keeps all that waits; another sampler goes on. */
  void end() {
    latest.releaseAll();
  }

  /** Whether this is what it was made of. */
  boolean isOf(SamplingConfig other) {
    return config.equals(other);
  }

  /** Whether records wait for the end of their interval. */
  boolean isHolding() {
    return !latest.isEmpty();
  }

  /** How many do. */
  int waiting() {
    return latest.waiting();
  }
}
