package io.galop.persist;

import io.galop.latency.LatencyStage;
import io.galop.latency.Lateness;
import io.galop.record.Batch;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** What all shards of a node share to count. */
record PersistMeters(
    Counter records,
    Counter duplicates,
    Counter refused,
    Counter epochs,
    Counter droppedFollowers,
    Lateness lateness) {

  static PersistMeters of(MeterRegistry meters, Lateness lateness) {
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
        lateness);
  }

  /** A Batch was given Positions just now. */
  void placed(Batch batch) {
    reached(LatencyStage.PLACED, batch);
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
