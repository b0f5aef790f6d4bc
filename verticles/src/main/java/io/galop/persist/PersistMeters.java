package io.galop.persist;

import io.galop.latency.LatencyStage;
import io.galop.latency.Lateness;
import io.galop.ledger.Book;
import io.galop.node.Node;
import io.galop.record.Batch;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Context;

/** What all shards of a node share to count. */
record PersistMeters(
    Counter records,
    Counter duplicates,
    Counter refused,
    Counter epochs,
    Counter droppedFollowers,
    Lateness lateness,
    Book book,
    Book log) {

  static PersistMeters of(Node node, Context loop) {
    MeterRegistry meters = node.meters();
    return new PersistMeters(
        counter(
            meters, "galop.persist.records", "records", "Records that were given a Position here"),
        counter(
            meters,
            "galop.persist.duplicates",
            "records",
            "Records skipped because their id is known"),
        counter(
            meters,
            "galop.persist.refused",
            "batches",
            "Batches not taken; their senders try again"),
        counter(meters, "galop.persist.epochs", "epochs", "Epochs begun: shards taken over"),
        counter(
            meters,
            "galop.persist.followers.dropped",
            "followers",
            "Followers dropped, which return with their Position"),
        node.lateness(),
        node.book("owner", loop),
        node.book("log", loop));
  }

  /** The minute that it is. */
  long minute() {
    return book.turn();
  }

  /**
   * A Batch was given Positions just now. A minute in which the Log failed is never told: what of
   * it is on disk is not known.
   */
  void placed(Batch batch, long minute) {
    reached(LatencyStage.PLACED, batch);
    int placed = batch.records().size();
    book.addAt(minute, batch.shard(), Book.IN, placed);
    book.open(minute, batch.shard(), placed);
  }

  /**
   * The Log says just now that a Batch is on disk.
   *
   * @param minute in which it was placed
   * @param onDisk how many of its records the Log's writer had forced to disk by then
   */
  void logged(Batch batch, long minute, long onDisk) {
    reached(LatencyStage.LOGGED, batch);
    int confirmed = batch.records().size();
    log.addAt(minute, batch.shard(), Book.IN, confirmed);
    log.addAt(minute, batch.shard(), log.column("onDisk"), onDisk);
    book.open(minute, batch.shard(), -confirmed); // last: then the minute may be told
  }

  private void reached(LatencyStage stage, Batch batch) {
    lateness.record(stage, Lateness.NO_TRANSPORT, batch.stamp(), batch.records().size());
  }

  private static Counter counter(MeterRegistry meters, String name, String unit, String what) {
    return Counter.builder(name).baseUnit(unit).description(what).register(meters);
  }
}
