package io.galop.persist.kafka;

import io.galop.config.persist.KafkaConfig;
import io.galop.kafka.ClientProperties;
import io.galop.persist.log.file.LogPosition;
import io.galop.persist.store.BadRecordException;
import io.galop.persist.store.BlockingStore;
import io.galop.persist.store.ColdPage;
import io.galop.persist.store.ColdQuery;
import io.galop.persist.store.LogProgress;
import io.galop.persist.store.StoreBatch;
import io.galop.record.Placed;
import io.galop.record.Record;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongUnaryOperator;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Topics of Kafka that get each record of a Log once, in the order of the Log. A batch is a
 * transaction that also holds the {@link LogProgress} it leads to, so that both are there or
 * neither is. Whoever opens the store ends what an earlier process, or a lost answer, has left
 * open. One call at a time: the sink has one batch under way.
 */
final class KafkaStore implements BlockingStore {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaStore.class);

  private final KafkaConfig config;
  private final KafkaTopicName topics;
  private final KafkaCursorTopic cursors;
  private final KafkaBatchBytes batchBytes;
  private final long callMs;
  private @Nullable KafkaProducer<byte[], byte[]> producer;

  /** What is committed; what a transaction adds counts when it is. */
  private LogProgress progress = new LogProgress();

  /** Whether a batch came since the store was opened. */
  private boolean hasWritten;

  KafkaStore(KafkaConfig config) {
    this.config = config;
    this.topics = new KafkaTopicName(config.kafkaTopic());
    this.callMs = KafkaTimeouts.ofCall(config.sink().timeoutMs());
    this.cursors = new KafkaCursorTopic(config, callMs);
    this.batchBytes = new KafkaBatchBytes(config, callMs);
  }

  /** Only when the transaction before is over is it known how far it came. */
  @Override
  public synchronized Optional<LogPosition> open(long log) throws Exception {
    close();
    cursors.ensure();
    KafkaProducer<byte[], byte[]> fresh =
        new KafkaProducer<>(
            batchBytes.fitted(
                ClientProperties.of(
                    config,
                    KafkaTimeouts.ofProducer(callMs),
                    KafkaTimeouts.fixed(config.name(), log))),
            new ByteArraySerializer(),
            new ByteArraySerializer());
    producer = fresh;
    fresh.initTransactions();
    progress = cursors.read(log);
    hasWritten = false;
    return progress.cursor();
  }

  @Override
  public boolean keepsCursor() {
    return true;
  }

  @Override
  public synchronized int write(StoreBatch parcel) throws Exception {
    hasWritten = true;
    LogProgress next = progress.copy();
    List<ProducerRecord<byte[], byte[]>> messages = new ArrayList<>();
    for (Placed placed : parcel.records()) {
      if (!next.has(placed.position())) {
        next.add(placed.position());
        messages.add(message(placed));
      }
    }
    int fresh = messages.size();
    parcel.cursor().ifPresent(next::moveTo);
    if (fresh > 0 || parcel.cursor().isPresent()) {
      messages.add(cursors.message(parcel.log(), next));
      commit(messages, next);
    }
    return fresh;
  }

  /**
   * A step back before the first batch says that an older copy of the Log was restored, whose
   * Positions mean other records from now on. Later it is only old: the batch before has said more.
   */
  @Override
  public synchronized void saveCursor(long log, LogPosition upTo) throws Exception {
    boolean isBack = progress.isBeyond(upTo);
    if (isBack && hasWritten) {
      return;
    }
    LogProgress next = isBack ? new LogProgress() : progress.copy();
    next.moveTo(upTo);
    commit(List.of(cursors.message(log, next)), next);
  }

  /** Kafka deletes by the time of producing: an event time of long ago would be deleted at once. */
  private ProducerRecord<byte[], byte[]> message(Placed placed) throws BadRecordException {
    Record record = placed.record();
    byte[] key = utf8(record.topic());
    ProducerRecord<byte[], byte[]> message =
        new ProducerRecord<>(topics.of(record.topic()), key, record.data());
    message
        .headers()
        .add("galop-id", utf8(record.id()))
        .add("galop-pos", utf8(placed.position().toString()))
        .add("galop-time", utf8(Long.toString(record.timeUs())));
    return message;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private void commit(List<ProducerRecord<byte[], byte[]>> messages, LogProgress next)
      throws Exception {
    KafkaProducer<byte[], byte[]> now = producer;
    if (now == null) {
      throw new IllegalStateException("the store is not open");
    }
    AtomicReference<@Nullable Exception> cause = new AtomicReference<>();
    boolean areSent = false;
    try {
      now.beginTransaction();
      areSent = send(now, messages, cause);
      if (areSent) {
        now.commitTransaction();
        progress = next;
        return;
      }
    } catch (KafkaException e) {
      Exception of = e.getCause() instanceof Exception inner && isBadRecord(inner) ? inner : e;
      cause.accumulateAndGet(of, KafkaStore::worse);
    }
    batchBytes.onFailed(Objects.requireNonNull(cause.get()), messages);
    giveUp(now, areSent, cause);
  }

  /**
   * Whether nothing has failed so far. Each message to a topic that is missing waits for it, so
   * nothing is sent after the first that failed.
   */
  private static boolean send(
      KafkaProducer<byte[], byte[]> to,
      List<ProducerRecord<byte[], byte[]>> messages,
      AtomicReference<@Nullable Exception> cause) {
    for (ProducerRecord<byte[], byte[]> message : messages) {
      to.send(
          message,
          (sent, failure) -> {
            if (failure != null) {
              cause.accumulateAndGet(failure, KafkaStore::worse);
            }
          });
      if (cause.get() != null) {
        return false;
      }
    }
    return true;
  }

  /**
   * Ends the transaction, unless it is unknown whether its commit came through: whoever opens the
   * store next finds out. By its end all messages have said what became of them.
   */
  private void giveUp(
      KafkaProducer<byte[], byte[]> now,
      boolean areSent,
      AtomicReference<@Nullable Exception> cause)
      throws Exception {
    boolean isEnded = false;
    if (!areSent || isBadRecord(cause.get())) {
      try {
        now.abortTransaction();
        isEnded = true;
      } catch (KafkaException | IllegalStateException e) {
        LOG.debug("a transaction is left to whoever opens {} next", config.name(), e);
      }
    }
    Exception why = Objects.requireNonNull(cause.get());
    throw isEnded && isBadRecord(why)
        ? new BadRecordException(ClientProperties.reason(why), why)
        : why;
  }

  /** The first failure says most, but for one that says which kind of record can never be taken. */
  private static Exception worse(@Nullable Exception known, Exception fresh) {
    return known == null || !isBadRecord(known) && isBadRecord(fresh) ? fresh : known;
  }

  private static boolean isBadRecord(@Nullable Exception failure) {
    return failure instanceof RecordTooLargeException
        || failure instanceof RecordBatchTooLargeException
        || failure instanceof InvalidRecordException
        || failure instanceof InvalidTopicException;
  }

  /** Kafka has rules of its own for what it deletes. */
  @Override
  public boolean trim(LongUnaryOperator clock) {
    return false;
  }

  @Override
  public boolean isAsked() {
    return false;
  }

  /** History is not asked of Kafka, which finds nothing by topic and time. */
  @Override
  public ColdPage query(ColdQuery query) {
    return new ColdPage(List.of(), Optional.empty());
  }

  /** Waits for nothing: what is under way is ended by the next that opens. */
  @Override
  public synchronized void close() {
    KafkaProducer<byte[], byte[]> old = producer;
    producer = null;
    if (old != null) {
      old.close(Duration.ZERO);
    }
  }
}
