package io.galop.ingest.kafka;

import io.galop.config.ingest.KafkaSourceConfig;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks whether the topics of a source are there and can be read to their ends: Kafka's client
 * waits for what is not without a word. For the thread of the source.
 */
final class KafkaTopics implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaTopics.class);
  private static final long LOOK_EVERY_NS = TimeUnit.SECONDS.toNanos(10);
  private static final long HELD_AFTER_MS = 60_000;
  private static final Duration LONGEST_LOOK = Duration.ofSeconds(1);

  private final KafkaSourceConfig source;
  private final KafkaHealth health;
  private final KafkaTransactions transactions;
  private final long lookEveryNs;
  private long lookedNs = System.nanoTime();

  KafkaTopics(KafkaSourceConfig source, KafkaHealth health) {
    this(source, health, LOOK_EVERY_NS);
  }

  KafkaTopics(KafkaSourceConfig source, KafkaHealth health, long lookEveryNs) {
    this.lookEveryNs = lookEveryNs;
    this.source = source;
    this.health = health;
    this.transactions = new KafkaTransactions(source, health, HELD_AFTER_MS);
  }

  /**
   * Asks now and then, and only for topics of which this node has no partition. What it cannot see
   * is no reason to end the source.
   */
  void look(Consumer<byte[], byte[]> consumer) throws InterruptedException {
    if (System.nanoTime() - lookedNs < lookEveryNs) {
      return;
    }
    try {
      health.onTopics(missing(consumer));
    } catch (InterruptException e) {
      throw e;
    } catch (Exception e) {
      LOG.debug("the topics of {} are not shown", source.name(), e);
    }
    try {
      transactions.look(consumer.assignment());
    } catch (InterruptedException | InterruptException e) {
      throw e;
    } catch (Exception e) {
      transactions.forget();
      LOG.debug("the ends of {} are not shown", source.name(), e);
    }
    lookedNs = System.nanoTime();
  }

  private List<String> missing(Consumer<byte[], byte[]> consumer) {
    if (!source.topicPattern().isEmpty()) {
      return consumer.subscription().isEmpty() ? List.of(source.topicPattern()) : List.of();
    }
    Set<String> mine =
        consumer.assignment().stream().map(TopicPartition::topic).collect(Collectors.toSet());
    return source.topics().stream()
        .filter(topic -> !mine.contains(topic))
        .filter(topic -> consumer.partitionsFor(topic, LONGEST_LOOK).isEmpty())
        .toList();
  }

  /** The consumer is given up. */
  @Override
  public void close() {
    transactions.close();
  }
}
