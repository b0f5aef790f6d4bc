package io.galop.persist;

import io.galop.bus.Bus;
import io.galop.persist.sink.DeadLetters;
import io.galop.record.Batch;
import io.galop.record.DeadLetterData;
import io.galop.record.DerivedId;
import io.galop.record.Placed;
import io.galop.record.Reason;
import io.galop.record.Record;
import io.galop.record.Topic;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps what a store calls bad as a record of its own on {@code $dead-letter/store/<name>}, in the
 * form of the other dead letters. Where that cannot be had, since the Log is full because of that
 * very store or the letter itself is what the store does not take, the letter is a line of a {@link
 * LetterFile}, and where that is full too the sink stays where it is.
 */
final class StoreDeadLetters implements DeadLetters {
  private static final Logger LOG = LoggerFactory.getLogger(StoreDeadLetters.class);
  private static final String ROOT = DeadLetterData.ROOT + "/store/";

  /** Well before the sink takes it that there is no answer, and begins again with the record. */
  private static final long PATIENCE_MS = 10_000;

  private final Vertx vertx;
  private final Bus bus;
  private final LetterFile file;

  /**
   * @param file of the store that they are about
   */
  StoreDeadLetters(Vertx vertx, Bus bus, LetterFile file) {
    this.vertx = vertx;
    this.bus = bus;
    this.file = file;
  }

  @Override
  public Future<Void> send(Placed placed, String store, String why) {
    Record letter = letter(placed.record(), store, why);
    if (placed.record().topic().startsWith(ROOT)) {
      return write(placed, letter);
    }
    int shard = Topic.shard(letter.topic(), bus.cluster().shards());
    Future<Void> sent = bus.persist().send(Batch.unplaced(shard, List.of(letter)));
    return Loop.current(vertx)
        .within(PATIENCE_MS, "the acknowledgement", sent)
        .recover(
            refused -> {
              LOG.warn(
                  "a dead letter of the store {} goes to its file: {}",
                  store,
                  refused.getMessage());
              return write(placed, letter);
            });
  }

  private static Record letter(Record record, String store, String why) {
    byte[] data = DeadLetterData.of(record, Reason.STORE_REFUSED, why);
    return new Record(
        DerivedId.of(record, store, ROOT + store), ROOT + store, record.timeUs(), data);
  }

  private Future<Void> write(Placed about, Record letter) {
    return vertx.executeBlocking(
        () -> {
          file.append(about.position(), letter.data());
          return null;
        });
  }
}
