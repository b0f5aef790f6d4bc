package io.galop.persist.sink;

import io.galop.persist.sink.Flight.Outcome;
import io.galop.persist.sink.Stretch.Kept;
import io.galop.persist.store.BadRecordException;
import java.util.concurrent.TimeUnit;

/** Settles batches that the store has answered. Lives on the sink's thread. */
final class Settlement {
  private final SinkSetup setup;
  private final SinkState sink;
  private final Answers answers;
  private final GivingWay givingWay;
  private final Housekeeping house;
  private final SinkMetrics metrics;
  private final SinkBook book;

  Settlement(
      SinkSetup setup,
      SinkState sink,
      Answers answers,
      GivingWay givingWay,
      Housekeeping house,
      SinkMetrics metrics) {
    this.setup = setup;
    this.sink = sink;
    this.answers = answers;
    this.givingWay = givingWay;
    this.house = house;
    this.metrics = metrics;
    this.book = sink.book();
  }

  /**
   * Counts a batch as stored, its bad records as dead letters.
   *
   * @throws StoreFailure if the store does not work
   */
  void settle(Outcome outcome) throws Exception {
    Throwable failure = outcome.failure().orElse(null);
    int stored = outcome.stored();
    if (failure instanceof BadRecordException) {
      Isolation isolation = new Isolation(setup, sink, answers, metrics);
      stored = isolation.store(outcome.parcel());
      isolation.count(book);
    } else if (failure != null) {
      throw new StoreFailure(failure);
    } else {
      book.stored(outcome.parcel());
    }
    metrics.batch.record(outcome.tookNs(), TimeUnit.NANOSECONDS);
    givingWay.onStored(outcome.tookNs());
    metrics.stored.increment(stored);
    metrics.storedBytes.increment(outcome.parcel().bytes());
    metrics.known.increment(outcome.batch().size() - stored);
    outcome.batch().forEach(Kept::settle);
    if (failure == null) {
      outcome.parcel().cursor().ifPresent(house::onSaved);
    }
    sink.onStored();
  }
}
