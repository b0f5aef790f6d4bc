package io.galop.ingest.kafka;

import io.galop.config.ingest.KafkaSourceConfig;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;

/**
 * Looks whether the topics of a source are there and can be read to their ends: Kafka's client
 * waits for what is not without a word. For the thread of the source.
 */
final class KafkaTopics implements AutoCloseable {
  private static final long LOOK_EVERY_NS = TimeUnit.SECONDS.toNanos(10);
  private static final long HELD_AFTER_MS = 60_000;
  private static final Duration LONGEST_LOOK = Duration.ofSeconds(1);

  private final KafkaSourceConfig source;
  private final KafkaHealth health;
  private final KafkaTransactions transactions;
  private long lookedNs = System.nanoTime();

  KafkaTopics(KafkaSourceConfig source, KafkaHealth health) {
    this.source = source;
    this.health = health;
    this.transactions = new KafkaTransactions(source, health, HELD_AFTER_MS);
  }

  /** Asks now and then, and only for topics of which this node has no partition. */
  void look(Consumer<byte[], byte[]> consumer) throws InterruptedException {
    long now = System.nanoTime();
    if (now - lookedNs < LOOK_EVERY_NS) {
      return;
    }
    lookedNs = now;
    try {
      health.onTopics(missing(consumer));
      transactions.look(consumer);
    } catch (RetriableException e) { // no broker answers, which is told elsewhere
      lookedNs = System.nanoTime();
    }
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
