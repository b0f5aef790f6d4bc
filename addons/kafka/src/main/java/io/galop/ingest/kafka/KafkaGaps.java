package io.galop.ingest.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.NoOffsetForPartitionException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;

/**
 * Goes on where Kafka has messages when it has those no more that come next, and tells of it:
 * Kafka's client would go on without a word. Remembers how far partitions were read, whoever has
 * them meanwhile. For the thread of the source.
 */
final class KafkaGaps {
  private static final Duration LONGEST_LOOK = Duration.ofSeconds(2);
  private static final String LATEST = "latest";
  private static final String FROM_FIRST =
      "at its oldest message, and those whose ids are not remembered may come twice";

  /** Partitions of topics that come and go. */
  private static final int MOST_REMEMBERED = 10_000;

  /** The others are ways of Kafka's client alone. */
  private static final Set<String> KNOWN = Set.of("earliest", LATEST);

  private final KafkaHealth health;
  private final Map<TopicPartition, Read> lastRead = new Recent();
  private boolean isOurs;
  private boolean beginsAtEnd;

  /** The messages that came last; all before them are settled. */
  private record Read(long first, long next) {}

  /** Those that were read last. */
  private static final class Recent extends LinkedHashMap<TopicPartition, Read> {
    private static final long serialVersionUID = 1;

    private Recent() {
      super(16, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<TopicPartition, Read> eldest) {
      return size() > MOST_REMEMBERED;
    }
  }

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
  ConsumerRecords<byte[], byte[]> poll(
      Consumer<byte[], byte[]> consumer, KafkaPartitions partitions, Duration atMost) {
    try {
      return consumer.poll(atMost);
    } catch (NoOffsetForPartitionException | OffsetOutOfRangeException e) {
      if (!isOurs) {
        throw e;
      }
      goOn(consumer, partitions, e);
      return ConsumerRecords.empty();
    }
  }

  /**
   * Where a partition begins that was sent to its beginning or end, once Kafka has said so. That of
   * an end is remembered: another consumer that found no offset either would begin at a later one.
   */
  OptionalLong place(Consumer<byte[], byte[]> consumer, TopicPartition partition) {
    try {
      long place = consumer.position(partition, Duration.ZERO);
      if (beginsAtEnd) {
        lastRead.putIfAbsent(partition, new Read(place, place));
      }
      return OptionalLong.of(place);
    } catch (InterruptException | WakeupException e) {
      throw e;
    } catch (KafkaException | IllegalStateException e) { // a poll tells of what lasts
      return OptionalLong.empty();
    }
  }

  private void goOn(
      Consumer<byte[], byte[]> consumer,
      KafkaPartitions partitions,
      InvalidOffsetException missing) {
    for (TopicPartition partition : missing.partitions()) {
      if (!consumer.assignment().contains(partition)) {
        continue; // it is another's meanwhile
      }
      if (missing instanceof OffsetOutOfRangeException away) {
        goOn(consumer, partitions, partition, away);
      } else {
        begin(consumer, partitions, partition);
      }
    }
  }

  /**
   * The group has no offset: it is new, or nothing was settled yet, or Kafka has forgotten it with
   * the topic. With latest, what this node had in hand is still there unless the topic ends before.
   */
  private void begin(
      Consumer<byte[], byte[]> consumer, KafkaPartitions partitions, TopicPartition partition) {
    Read before = lastRead.get(partition); // stays: this place may be lost again before it is read
    if (before == null) {
      partitions.begin(partition, beginsAtEnd);
    } else if (beginsAtEnd && !endsBefore(consumer, partition, before.next())) {
      partitions.goOnAt(partition, before.first());
    } else {
      health.onForgotten(partition, before.next());
      partitions.begin(partition, false);
    }
  }

  private void goOn(
      Consumer<byte[], byte[]> consumer,
      KafkaPartitions partitions,
      TopicPartition partition,
      OffsetOutOfRangeException away) {
    long next = Objects.requireNonNull(away.offsetOutOfRangePartitions().get(partition));
    long first =
        Objects.requireNonNull(
            consumer.beginningOffsets(List.of(partition), LONGEST_LOOK).get(partition));
    if (first > next) {
      health.onMissed(partition, next, first);
      partitions.goOnAt(partition, first);
      return;
    }
    lastRead.remove(partition);
    OffsetAndMetadata same =
        away instanceof LogTruncationException cut ? cut.divergentOffsets().get(partition) : null;
    if (same != null) {
      health.onAnew(partition, next, "where it differs from what was read");
      partitions.goOnAt(partition, Math.max(first, same.offset()));
    } else if (beginsAtEnd) {
      health.onAnew(partition, next, "at its end, and messages before that may be missed");
      partitions.begin(partition, true);
    } else {
      health.onAnew(partition, next, FROM_FIRST);
      partitions.goOnAt(partition, first);
    }
  }

  /**
   * Messages came. What was made anew while nobody had the partition begins at its beginning; but
   * what was not committed comes again, too.
   */
  void onRead(Consumer<byte[], byte[]> consumer, TopicPartition partition, long first, long next) {
    Read before = lastRead.put(partition, new Read(first, next));
    if (before != null && first < before.next() && endsBefore(consumer, partition, before.next())) {
      health.onAnew(partition, before.next(), FROM_FIRST);
    }
  }

  /** Not where it cannot be seen, which is no reason to read no more. */
  private static boolean endsBefore(
      Consumer<byte[], byte[]> consumer, TopicPartition partition, long read) {
    try {
      Long end = consumer.endOffsets(List.of(partition), LONGEST_LOOK).get(partition);
      return end != null && end < read;
    } catch (InterruptException | WakeupException e) {
      throw e;
    } catch (KafkaException e) {
      return false;
    }
  }
}
