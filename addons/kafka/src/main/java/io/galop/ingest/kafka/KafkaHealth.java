package io.galop.ingest.kafka;

import io.galop.config.ingest.KafkaSourceConfig;
import io.galop.kafka.ClientProperties;
import io.galop.node.Readiness;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells operators when a source cannot be read: once when that begins and once when it ends. For
 * the thread of the source.
 */
final class KafkaHealth {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaHealth.class);
  private static final long AWAY_AFTER_NS = TimeUnit.SECONDS.toNanos(5);
  private static final long MINUTE_NS = TimeUnit.MINUTES.toNanos(1);
  private static final int MOST_A_MINUTE = 20;
  private static final int MOST_NAMED = 10;

  private final KafkaSourceConfig source;
  private final Readiness readiness;
  private final KafkaMeters meters;
  private final String part;
  private final Set<String> anew = new TreeSet<>();
  private long goodNs = System.nanoTime();
  private long minuteNs = System.nanoTime();
  private int saidInMinute;

  KafkaHealth(KafkaSourceConfig source, Readiness readiness, KafkaMeters meters) {
    this.source = source;
    this.readiness = readiness;
    this.meters = meters;
    this.part = "ingest.kafka." + source.name();
  }

  /** The consumer has thrown; it is made anew. */
  void onFailed(Throwable failure) {
    meters.failures.increment();
    warn(ClientProperties.reason(failure));
  }

  /** Looks at what Kafka's client counts. */
  void look(Map<MetricName, ? extends Metric> counted) {
    meters.connections.set(value(counted, "connection-count"));
    meters.lag.set(value(counted, "records-lag-max"));
    long now = System.nanoTime();
    if (meters.connections.get() > 0) {
      goodNs = now;
      readiness.calm(part, "the source is read again");
    } else if (now - goodNs > AWAY_AFTER_NS) {
      warn("no broker answers");
    }
  }

  /** Topics of the source are not there; none: all are. */
  void onTopics(List<String> missing) {
    String where = part + ".topics";
    if (missing.isEmpty()) {
      readiness.calm(where, "the topics are there");
    } else {
      readiness.warn(
          where,
          "the Kafka source %s waits for topics that are not there: %s"
              .formatted(source.name(), String.join(", ", missing)),
          "create them, or see to topics and topicPattern of ingest.kafka and to the user's rights");
    }
  }

  /** Open transactions hold partitions back for long; none: no more. */
  void onHeld(List<String> held) {
    String where = part + ".transactions";
    if (held.isEmpty()) {
      readiness.calm(where, "no transaction holds it back");
    } else {
      readiness.warn(
          where,
          "open transactions hold back messages of the Kafka source %s: %s"
              .formatted(source.name(), String.join(", ", held)),
          "see to their producers; 'kafka-transactions.sh … find-hanging' shows transactions whose"
              + " producer is gone");
    }
  }

  /** Kafka has deleted messages before they were read. */
  void onMissed(TopicPartition partition, long next, long first) {
    meters.missed.increment(first - next);
    say(
        "the Kafka source %s missed the offsets %d to %d of %s: Kafka deleted them before they were"
                .formatted(source.name(), next, first - 1, partition)
            + " read; give the topic a longer retention");
  }

  /** The group has no offset of a partition that was read. */
  void onForgotten(TopicPartition partition, long read) {
    say(
        "the group %s has no offset of %s, which the Kafka source %s has read up to offset"
                .formatted(source.group(), partition, source.name())
            + " %d: it begins with the oldest message; if the topic was made anew, give the source"
                .formatted(read)
            + " another idPrefix");
  }

  /**
   * A partition ends before what was read: its offsets, of which ids are made, mean other messages
   * from now on. Holds until the node ends, since only another prefix puts an end to it.
   *
   * @param goesOn where the source does, and what becomes of messages by that
   */
  void onAnew(TopicPartition partition, long read, String goesOn) {
    meters.cut.increment();
    boolean isFirst = anew.isEmpty();
    anew.add(partition.toString());
    String what =
        "the Kafka source %s has read %s up to offset %d, but it ends before: it was made anew or cut"
                .formatted(source.name(), partition, read)
            + " off; it goes on %s; messages whose ids are remembered are dropped as repeats"
                .formatted(goesOn);
    if (!isFirst) {
      say(what);
    }
    String others =
        anew.size() == 1
            ? ""
            : " (so of %d partitions: %s)"
                .formatted(
                    anew.size(), anew.stream().limit(MOST_NAMED).collect(Collectors.joining(", ")));
    readiness.warn(
        part + ".anew",
        what + others,
        "give the source another idPrefix, set the group's offsets of that topic back where messages"
            + " are missing, and start the node again");
  }

  /** At most some lines a minute: a topic can have thousands of partitions. */
  private void say(String what) {
    long now = System.nanoTime();
    if (now - minuteNs > MINUTE_NS) {
      minuteNs = now;
      saidInMinute = 0;
    }
    saidInMinute++;
    if (saidInMinute <= MOST_A_MINUTE) {
      LOG.warn(what);
    } else if (saidInMinute == MOST_A_MINUTE + 1) {
      LOG.warn("the Kafka source {}: more of this is not logged for a minute", source.name());
    }
  }

  private void warn(String why) {
    readiness.warn(
        part,
        "the Kafka source " + source.name() + " cannot be read: " + why,
        "see to " + String.join(", ", source.servers()) + " and ingest.kafka; it is tried again");
  }

  private static long value(Map<MetricName, ? extends Metric> counted, String name) {
    return counted.entrySet().stream()
        .filter(metric -> metric.getKey().name().equals(name) && metric.getKey().tags().size() == 1)
        .map(metric -> metric.getValue().metricValue())
        .filter(value -> value instanceof Double number && number > 0)
        .mapToLong(value -> ((Double) value).longValue())
        .max()
        .orElse(0);
  }

  /** The source is not read any more, on purpose. */
  void end() {
    readiness.calm(part, "the node stops");
    readiness.calm(part + ".topics", "the node stops");
    readiness.calm(part + ".transactions", "the node stops");
    readiness.calm(part + ".anew", "the node stops");
  }
}
