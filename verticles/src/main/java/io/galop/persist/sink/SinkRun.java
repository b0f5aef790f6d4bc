package io.galop.persist.sink;

import io.galop.persist.log.file.LogPosition;
import io.galop.persist.sink.Flight.Outcome;
import io.galop.persist.sink.Stretch.Kept;
import io.galop.persist.store.StoreBatch;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run of a sink from where the store is, until something fails: then everything that is not
 * known to be stored is read from the Log again by the next one. Lives on the sink's thread.
 */
final class SinkRun implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SinkRun.class);
  private static final long TICK_MS = 250;
  private static final long SHORT_MS = 10;
  private static final long LONGEST_STOP_MS = 5_000;

  private final SinkSetup setup;
  private final SinkState sink;
  private final Flight flight;
  private final Answers answers;
  private final Batcher batcher;
  private final Housekeeping house;
  private final Settlement settlement;
  private final Progress progress;
  private final GivingWay givingWay;
  private final LogSource source;

  SinkRun(SinkSetup setup, SinkState sink, SinkMetrics metrics, Deletions deletions)
      throws Exception {
    this.setup = setup;
    this.sink = sink;
    this.flight = sink.newFlight();
    this.answers = Answers.ofStore(sink, setup.config().timeoutMs());
    LogPosition from = from(answers.await(setup.store().open(setup.log().id())), metrics);
    this.batcher = new Batcher(setup.config(), sink.batchSize());
    this.house = new Housekeeping(setup, deletions, from);
    this.progress = new Progress(from);
    this.givingWay = new GivingWay(setup, sink, metrics);
    this.settlement = new Settlement(setup, sink, answers, givingWay, house, metrics);
    this.source = new LogSource(setup, sink, batcher, progress, metrics, from);
  }

  /**
   * A store that was emptied or set back gets again what it had. Where the Log was set back
   * instead, what it has written since is not in the store, however far the store says that it is.
   */
  private LogPosition from(Optional<LogPosition> stored, SinkMetrics metrics) throws Exception {
    Optional<LogPosition> known = stored.filter(at -> !sink.isFromLostLog(at));
    LogPosition from = known.orElseGet(() -> setup.log().positionForTail(setup.refillBytes()));
    if (stored.isPresent() && known.isEmpty()) {
      startOver(from);
    }
    sink.onSettled();
    if (from.compareTo(sink.position()) < 0) {
      metrics.rewinds.increment();
    }
    sink.moveTo(from);
    return from;
  }

  /** The store is told first: the Log may have grown beyond what it says when it says it again. */
  private void startOver(LogPosition from) throws Exception {
    answers.await(setup.store().saveCursor(setup.log().id(), from));
    LOG.warn(
        "the cursor in the store {} is beyond this Log: an older copy of the Log was restored, and"
            + " is stored again from {}",
        setup.name(),
        from.equals(LogPosition.START) ? "its beginning" : "its segment " + from.segment());
  }

  void run() throws Exception {
    while (!sink.isStopped(0)) {
      sink.turn();
      long now = System.nanoTime();
      takeAnswers(0);
      source.expire(now);
      if (batcher.isDue(now)) {
        send();
      } else {
        source.read(now, flight.batches() > 0 ? SHORT_MS : TICK_MS);
        hand();
      }
      tick();
    }
    finish();
  }

  private void tick() throws Exception {
    LogPosition reached = progress.move();
    if (reached.compareTo(sink.position()) > 0) {
      sink.moveTo(reached);
    }
    house.tick(reached, flight.batches() == 0);
    if (sink.lagBytes() == 0) {
      sink.onNothingToStore();
    }
    sink.observe();
  }

  private void send() throws Exception {
    List<Kept> batch = batcher.take();
    long bytes = batch.stream().mapToLong(Kept::bytes).sum();
    givingWay.begin();
    while (givingWay.mustWait() || !flight.hasRoom(bytes)) {
      takeAnswers(flight.hasRoom(bytes) ? SHORT_MS : TICK_MS);
      tick();
      if (sink.isStopped(0)) {
        return;
      }
    }
    StoreBatch parcel =
        new StoreBatch(
            setup.log().id(), batch.stream().map(Kept::placed).toList(), bytes, cursor());
    flight.begin(batch, parcel, setup.store().write(parcel));
    hand();
  }

  /** What was taken from the batcher is with the store by now. */
  private void hand() {
    if (batcher.isEmpty() && !source.isHolding()) {
      sink.hand(progress.end());
    }
  }

  /** With what is sent now everything that was read is stored, or none of it is said to be. */
  private Optional<LogPosition> cursor() {
    boolean sole = flight.batches() == 0 && batcher.isEmpty() && !source.isHolding();
    return sole && setup.store().keepsCursor() ? Optional.of(progress.end()) : Optional.empty();
  }

  private void takeAnswers(long waitMs) throws Exception {
    Optional<Outcome> next = flight.next(waitMs);
    while (next.isPresent()) {
      settlement.settle(next.get());
      next = flight.next(0);
    }
    if (flight.isStuck()) {
      throw new TimeoutException(
          "no answer within " + setup.config().timeoutMs() + " ms (sink.timeoutMs)");
    }
  }

  /** Waits for what is under way and saves how far the store is. */
  private void finish() throws Exception {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LONGEST_STOP_MS);
    while (flight.batches() > 0 && System.nanoTime() - deadline < 0) {
      takeAnswers(SHORT_MS);
    }
    LogPosition reached = progress.move();
    sink.moveTo(reached);
    Future<Void> saved = house.save(reached);
    saved.toCompletionStage().toCompletableFuture().get(LONGEST_STOP_MS, TimeUnit.MILLISECONDS);
  }

  @Override
  public void close() {
    sink.onRunEnded();
    source.close();
  }
}
