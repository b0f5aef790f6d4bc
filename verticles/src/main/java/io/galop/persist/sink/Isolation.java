package io.galop.persist.sink;

import io.galop.jvm.ErrorText;
import io.galop.persist.log.file.LogPosition;
import io.galop.persist.store.BadRecordException;
import io.galop.persist.store.StoreBatch;
import io.galop.record.Placed;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the bad records of a batch by halving it, stores the others and makes dead letters of the
 * bad ones. On the sink's thread.
 */
final class Isolation {
  private static final Logger LOG = LoggerFactory.getLogger(Isolation.class);
  private static final Optional<LogPosition> NO_CURSOR = Optional.empty();

  private final SinkSetup setup;
  private final SinkState sink;
  private final Answers letters;
  private final Answers answers;
  private final SinkMetrics metrics;
  private final List<StoreBatch> answered = new ArrayList<>();
  private final List<Placed> bad = new ArrayList<>();

  Isolation(SinkSetup setup, SinkState sink, Answers answers, SinkMetrics metrics) {
    this.letters = Answers.ofLetters(sink, setup.deadLetters().longestMs());
    this.setup = setup;
    this.sink = sink;
    this.answers = answers;
    this.metrics = metrics;
  }

  /** Stores what can be; how many records were new. Any other failure ends it, and the session. */
  int store(StoreBatch parcel) throws Exception {
    return parcel.records().size() == 1 ? last(parcel) : halves(parcel);
  }

  /** Counts what became of them when all are done: before, they may all be read again. */
  void count(SinkBook book) {
    answered.forEach(book::stored);
    bad.forEach(book::deadLetter);
  }

  private int halves(StoreBatch parcel) throws Exception {
    int half = parcel.records().size() / 2;
    int stored = 0;
    for (StoreBatch part : List.of(part(parcel, 0, half), part(parcel, half, 2 * half + 1))) {
      try {
        stored += write(part);
      } catch (BadRecordException e) {
        stored += store(part);
      }
    }
    return stored;
  }

  private int write(StoreBatch part) throws Exception {
    int stored = answers.await(setup.store().write(part));
    answered.add(part);
    return stored;
  }

  private static StoreBatch part(StoreBatch parcel, int from, int to) {
    List<Placed> all = parcel.records();
    List<Placed> some = all.subList(from, Math.min(to, all.size()));
    return new StoreBatch(parcel.log(), some, parcel.bytes() * some.size() / all.size(), NO_CURSOR);
  }

  /** The one that is left has failed once. */
  private int last(StoreBatch parcel) throws Exception {
    Placed bad = parcel.records().get(0);
    String why = "";
    for (int attempt = 0; attempt == 0 || attempt < setup.config().attempts() - 1; attempt++) {
      try {
        return write(part(parcel, 0, 1));
      } catch (BadRecordException e) {
        why = ErrorText.of(e);
      }
    }
    LOG.warn("the store {} does not take record {}: {}", setup.name(), bad.record().id(), why);
    keep(bad, why);
    metrics.deadLetters.increment();
    this.bad.add(bad);
    return 0;
  }

  /**
   * What was acknowledged is not passed over: where its letter has no place the sink stays. That is
   * not the store's doing, so it is told without a cause that would be taken for a slow store.
   */
  private void keep(Placed bad, String why) throws Exception {
    try {
      letters.await(setup.deadLetters().send(bad, setup.name(), why));
    } catch (StoreFailure | TimeoutException e) {
      String held =
          "it does not take record %s (%s), and the dead letter has no place: %s"
              .formatted(bad.record().id(), why, e.getMessage());
      sink.hold(held);
      throw new IllegalStateException(held);
    }
  }
}
