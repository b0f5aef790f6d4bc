package io.galop.ingest.kafka;

import io.galop.bus.Bus;
import io.galop.config.ingest.KafkaSourceConfig;
import io.galop.ingest.intake.DoorMeters;
import io.galop.ingest.intake.Intake;
import io.galop.record.Batch;
import io.galop.record.Topic;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands attempts to the {@link Intake} on its event loop, dead letters to their owner, and gives
 * the attempts back when both are settled. One is under way for each partition at most, which
 * bounds those that come back.
 */
final class KafkaHandover {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaHandover.class);

  private final KafkaSourceConfig source;
  private final Intake intake;
  private final Bus bus;
  private final DoorMeters meters;
  private final KafkaMeters counts;
  private final BlockingQueue<KafkaAttempt> answered = new LinkedBlockingQueue<>();

  KafkaHandover(
      KafkaSourceConfig source, Intake intake, Bus bus, DoorMeters meters, KafkaMeters counts) {
    this.source = source;
    this.intake = intake;
    this.bus = bus;
    this.meters = meters;
    this.counts = counts;
  }

  /** From the thread of the source. */
  void take(KafkaAttempt attempt) {
    intake.context().runOnContext(now -> hand(attempt));
  }

  private void hand(KafkaAttempt attempt) {
    Promise<Void> settled = Promise.promise();
    attempt
        .collected()
        .moveTo(intake.open(meters, attempt.rejections(), done -> settled.complete()));
    Future.all(settled.future(), letters(attempt)).onComplete(both -> answered.add(attempt));
  }

  private Future<Void> letters(KafkaAttempt attempt) {
    if (attempt.letters().isEmpty()) {
      return Future.succeededFuture();
    }
    int shard = Topic.shard(KafkaRecords.letterTopic(source), bus.cluster().shards());
    return bus.persist()
        .send(Batch.unplaced(shard, attempt.letters()))
        .onSuccess(kept -> counts.letters.increment(attempt.letters().size()))
        .recover(
            refused -> {
              LOG.warn(
                  "dead letters of the Kafka source {} are not taken now: {}",
                  source.name(),
                  refused.getMessage());
              attempt.onLettersLost();
              return Future.succeededFuture();
            });
  }

  /** The next that is settled; null if none is in so long. */
  @Nullable KafkaAttempt next(long waitMs) throws InterruptedException {
    return answered.poll(waitMs, TimeUnit.MILLISECONDS);
  }
}
