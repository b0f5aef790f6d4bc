package io.galop.ingest.kafka;

import io.galop.config.ingest.KafkaSourceConfig;
import io.galop.retry.Backoff;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The partitions that this node consumes of a source. Of each one chunk is in hand at most and the
 * partition is paused meanwhile, so that nothing of it overtakes; an offset is committed only when
 * everything before it is settled. For the thread of the source.
 */
final class KafkaPartitions implements ConsumerRebalanceListener {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaPartitions.class);
  private static final long FIRST_PAUSE_MS = 100;
  private static final long COMMIT_EVERY_NS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final Duration LONGEST_COMMIT = Duration.ofSeconds(5);
  private static final long TICK_MS = 10;

  private final KafkaSourceConfig source;
  private final Consumer<byte[], byte[]> consumer;
  private final KafkaRecords records;
  private final KafkaHandover handover;
  private final KafkaMeters meters;
  private final KafkaGaps gaps;
  private final Map<TopicPartition, Held> held = new HashMap<>();
  private int underWay;
  private long committedNs = System.nanoTime();

  /** What is in hand of a partition. */
  private static final class Held {
    private final KafkaPlace place = new KafkaPlace();
    private final Backoff backoff;
    private @Nullable KafkaChunk chunk;
    private boolean isUnderWay;
    private long notBeforeNs;

    private Held(long maxBackoffMs) {
      this.backoff = new Backoff(FIRST_PAUSE_MS, maxBackoffMs);
    }

    private void begin(KafkaChunk fresh) {
      chunk = fresh;
      place.begin(fresh);
    }

    private void goOnAt(long offset) {
      place.goOnAt(offset, chunk != null);
    }

    private void seek() {
      place.seek(chunk != null);
    }
  }

  KafkaPartitions(
      KafkaSourceConfig source,
      Consumer<byte[], byte[]> consumer,
      KafkaRecords records,
      KafkaHandover handover,
      KafkaMeters meters,
      KafkaGaps gaps) {
    this.source = source;
    this.consumer = consumer;
    this.records = records;
    this.handover = handover;
    this.meters = meters;
    this.gaps = gaps;
  }

  /** Takes what was polled: a chunk for each partition. */
  void take(ConsumerRecords<byte[], byte[]> polled) {
    for (TopicPartition partition : polled.partitions()) {
      List<ConsumerRecord<byte[], byte[]>> messages = polled.records(partition);
      Held mine = held.get(partition);
      if (mine != null && !messages.isEmpty()) {
        KafkaChunk chunk = new KafkaChunk(partition, messages);
        gaps.onRead(consumer, partition, chunk.firstOffset(), chunk.nextOffset());
        mine.begin(chunk);
        hand(mine, chunk);
      }
    }
  }

  private void hand(Held mine, KafkaChunk chunk) {
    mine.isUnderWay = true;
    underWay++;
    meters.inFlight.addAndGet(chunk.open().cardinality());
    handover.take(records.read(chunk));
  }

  /** Whether anything is under way. */
  boolean isBusy() {
    return underWay > 0;
  }

  /** Settles what comes back, if it does within so long. */
  void settle(long waitMs) throws InterruptedException {
    KafkaAttempt answered = handover.next(waitMs);
    while (answered != null) {
      settle(answered);
      answered = handover.next(0);
    }
  }

  /** What was taken away meanwhile is another node's, which reads it from what was committed. */
  private void settle(KafkaAttempt answered) {
    KafkaChunk chunk = answered.chunk();
    underWay--;
    meters.inFlight.addAndGet(-chunk.open().cardinality());
    chunk.leave(answered.again());
    Held mine = held.get(chunk.partition());
    if (mine == null || mine.chunk != chunk) {
      return;
    }
    mine.isUnderWay = false;
    mine.place.settle(chunk);
    if (chunk.isSettled()) {
      mine.chunk = null;
      mine.backoff.reset();
    } else {
      long pauseNs = TimeUnit.MILLISECONDS.toNanos(mine.backoff.nextMs());
      mine.notBeforeNs = System.nanoTime() + pauseNs;
    }
  }

  /** Hands on again what was refused for now, after its pause. */
  void retry() {
    long now = System.nanoTime();
    int waiting = 0;
    for (Held mine : held.values()) {
      KafkaChunk chunk = mine.chunk;
      if (chunk != null && !mine.isUnderWay) {
        waiting++;
        if (now - mine.notBeforeNs >= 0) {
          meters.retries.increment();
          hand(mine, chunk);
        }
      }
    }
    meters.held.set(waiting);
    meters.partitions.set(held.size());
  }

  /**
   * Pauses what must not be polled.
   *
   * @param isFull nothing must
   */
  void pause(boolean isFull) {
    Collection<TopicPartition> paused = consumer.paused();
    for (Map.Entry<TopicPartition, Held> one : held.entrySet()) {
      boolean rests = isFull || one.getValue().chunk != null;
      if (rests != paused.contains(one.getKey())) {
        if (rests) {
          consumer.pause(List.of(one.getKey()));
        } else {
          consumer.resume(List.of(one.getKey()));
        }
      }
    }
  }

  /** Goes on with the oldest message, or behind the newest. */
  void begin(TopicPartition partition, boolean atEnd) {
    if (atEnd) {
      consumer.seekToEnd(List.of(partition));
    } else {
      consumer.seekToBeginning(List.of(partition));
    }
    Held mine = held.get(partition);
    if (mine != null) {
      mine.seek();
    }
  }

  /** Goes on there, and has the group go on there even if no message comes. */
  void goOnAt(TopicPartition partition, long offset) {
    consumer.seek(partition, offset);
    Held mine = held.get(partition);
    if (mine != null) {
      mine.goOnAt(offset);
    }
  }

  /** Sees whether Kafka has said where those begin that were sent to a beginning or an end. */
  private void place() {
    held.forEach(
        (partition, mine) -> {
          OptionalLong known =
              mine.place.isSought() ? gaps.place(consumer, partition) : OptionalLong.empty();
          known.ifPresent(mine::goOnAt);
        });
  }

  /** Commits what is settled, now and then; what fails is committed with what comes next. */
  void commit() {
    long now = System.nanoTime();
    if (now - committedNs < COMMIT_EVERY_NS) {
      return;
    }
    committedNs = now;
    place();
    Map<TopicPartition, OffsetAndMetadata> due = due(held.keySet());
    if (!due.isEmpty()) {
      held.values().forEach(mine -> mine.place.onSent());
      consumer.commitAsync(due, (offsets, failure) -> onCommitted(offsets, failure));
    }
  }

  private void onCommitted(
      Map<TopicPartition, OffsetAndMetadata> offsets, @Nullable Exception failure) {
    if (failure != null) {
      LOG.debug("offsets of {} are not committed yet", source.name(), failure);
      offsets.keySet().stream()
          .map(held::get)
          .filter(mine -> mine != null)
          .forEach(mine -> mine.place.onLost());
    }
  }

  private Map<TopicPartition, OffsetAndMetadata> due(Collection<TopicPartition> partitions) {
    Map<TopicPartition, OffsetAndMetadata> due = new HashMap<>();
    for (TopicPartition partition : partitions) {
      Held mine = held.get(partition);
      if (mine != null) {
        mine.place.due().ifPresent(place -> due.put(partition, place));
      }
    }
    return due;
  }

  @Override
  public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
    LOG.info("source {} gets partitions {}", source.name(), partitions);
    partitions.forEach(one -> held.put(one, new Held(source.maxBackoffMs())));
  }

  /**
   * Waits for what is under way, but not for ever, and commits what is settled. What is not is read
   * again by the next owner, and recognised by its id.
   */
  @Override
  public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(source.revokeTimeoutMs());
    try {
      while (isUnderWay(partitions) && System.nanoTime() - deadline < 0) {
        settle(TICK_MS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    try {
      place();
      Map<TopicPartition, OffsetAndMetadata> due = due(partitions);
      if (!due.isEmpty()) {
        consumer.commitSync(due, LONGEST_COMMIT);
      }
    } catch (KafkaException e) {
      LOG.warn("offsets of {} are not committed: {}", source.name(), e.getMessage());
    }
    onPartitionsLost(partitions);
  }

  private boolean isUnderWay(Collection<TopicPartition> partitions) {
    return partitions.stream().map(held::get).anyMatch(mine -> mine != null && mine.isUnderWay);
  }

  /** Others have them already. */
  @Override
  public void onPartitionsLost(Collection<TopicPartition> partitions) {
    LOG.info("source {} gives up partitions {}", source.name(), partitions);
    partitions.forEach(held::remove);
    meters.partitions.set(held.size());
  }

  /** The source ends. */
  void end() {
    onPartitionsRevoked(List.copyOf(held.keySet()));
    meters.held.set(0);
    meters.inFlight.set(0);
  }
}
