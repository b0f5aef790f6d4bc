package io.galop.ingest.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.NoOffsetForPartitionException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;

/**
 * Goes on where Kafka has messages when it has those no more that come next, and tells of it:
 * Kafka's client would go on without a word. Remembers how far partitions were read, whoever has
 * them meanwhile. For the thread of the source.
 */
final class KafkaGaps {
  private static final Duration LONGEST_LOOK = Duration.ofSeconds(2);
  private static final String LATEST = "latest";

  /** The others are ways of Kafka's client alone. */
  private static final Set<String> KNOWN = Set.of("earliest", LATEST);

  private final KafkaHealth health;
  private final Map<TopicPartition, Long> readUpTo = new HashMap<>();
  private boolean isOurs;
  private boolean beginsAtEnd;

  KafkaGaps(KafkaHealth health) {
    this.health = health;
  }

  /** Has the client say so when an offset is missing, where it would choose another itself. */
  Map<String, Object> told(Map<String, Object> properties) {
    String way =
        String.valueOf(properties.get(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG))
            .toLowerCase(Locale.ROOT);
    isOurs = KNOWN.contains(way);
    beginsAtEnd = way.equals(LATEST);
    Map<String, Object> all = new HashMap<>(properties);
    if (isOurs) {
      all.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    }
    return all;
  }

  /** What the client gives; nothing where it has to go on elsewhere. */
  ConsumerRecords<byte[], byte[]> poll(Consumer<byte[], byte[]> consumer, Duration atMost) {
    try {
      return consumer.poll(atMost);
    } catch (NoOffsetForPartitionException | OffsetOutOfRangeException e) {
      if (!isOurs) {
        throw e;
      }
      goOn(consumer, e);
      return ConsumerRecords.empty();
    }
  }

  private void goOn(Consumer<byte[], byte[]> consumer, InvalidOffsetException missing) {
    if (missing instanceof OffsetOutOfRangeException away) {
      away.offsetOutOfRangePartitions().forEach((one, next) -> goOn(consumer, one, next, away));
    } else if (beginsAtEnd) {
      consumer.seekToEnd(missing.partitions());
    } else {
      consumer.seekToBeginning(missing.partitions());
    }
  }

  private void goOn(
      Consumer<byte[], byte[]> consumer,
      TopicPartition partition,
      long next,
      OffsetOutOfRangeException away) {
    long first =
        Objects.requireNonNull(
            consumer.beginningOffsets(List.of(partition), LONGEST_LOOK).get(partition));
    if (first > next) {
      health.onMissed(partition, next, first);
      consumer.seek(partition, first);
    } else {
      long at = first;
      if (away instanceof LogTruncationException cut) {
        OffsetAndMetadata same = cut.divergentOffsets().get(partition);
        at = same == null ? first : Math.max(first, same.offset());
      }
      health.onAnew(partition, next);
      readUpTo.remove(partition);
      consumer.seek(partition, at);
    }
  }

  /**
   * Messages came. What was made anew while nobody had the partition begins at its beginning; but
   * what was not committed comes again, too.
   */
  void onRead(Consumer<byte[], byte[]> consumer, TopicPartition partition, long first, long next) {
    Long before = readUpTo.put(partition, next);
    if (before != null && first < before && end(consumer, partition) < before) {
      health.onAnew(partition, before);
    }
  }

  private static long end(Consumer<byte[], byte[]> consumer, TopicPartition partition) {
    return Objects.requireNonNull(
        consumer.endOffsets(List.of(partition), LONGEST_LOOK).get(partition));
  }
}
