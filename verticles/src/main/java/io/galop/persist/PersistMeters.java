package io.galop.persist;

import io.galop.latency.LatencyStage;
import io.galop.latency.Lateness;
import io.galop.ledger.Book;
import io.galop.node.Node;
import io.galop.record.Batch;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Future;

/** What all shards of a node share to count. */
record PersistMeters(
    Counter records,
    Counter duplicates,
    Counter refused,
    Counter epochs,
    Counter droppedFollowers,
    Lateness lateness,
    Book book) {

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
        node.book("owner", loop));
  }

  /** The minute that it is. */
  long minute() {
    return book.turn();
  }

  /**
   * A Batch was given Positions just now. A minute in which the Log failed is never told: what of
   * it is on disk is not known.
   */
  void placed(Batch batch, long minute, Future<Void> appended) {
    reached(LatencyStage.PLACED, batch);
    int placed = batch.records().size();
    book.addAt(minute, batch.shard(), Book.IN, placed);
    book.open(minute, batch.shard(), placed);
    appended.onSuccess(logged -> book.open(minute, batch.shard(), -placed));
  }

  /** A Batch is on disk just now. */
  void logged(Batch batch) {
    reached(LatencyStage.LOGGED, batch);
  }

  private void reached(LatencyStage stage, Batch batch) {
    lateness.record(stage, Lateness.NO_TRANSPORT, batch.stamp(), batch.records().size());
  }

  private static Counter counter(MeterRegistry meters, String name, String unit, String what) {
    return Counter.builder(name).baseUnit(unit).description(what).register(meters);
  }
}
