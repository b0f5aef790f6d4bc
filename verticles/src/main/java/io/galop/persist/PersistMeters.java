package io.galop.persist;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** The counters that all shards of a node share. */
record PersistMeters(
    Counter records,
    Counter duplicates,
    Counter refused,
    Counter epochs,
    Counter droppedFollowers) {

  static PersistMeters of(MeterRegistry meters) {
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
            "Followers dropped, which return with their Position"));
  }

  private static Counter counter(MeterRegistry meters, String name, String unit, String what) {
    return Counter.builder(name).baseUnit(unit).description(what).register(meters);
  }
}
