package io.galop.persist.sink;

import io.galop.config.SamplingConfig;
import io.galop.config.SinkConfig;
import io.galop.node.Readiness;
import io.galop.persist.log.Log;
import io.galop.persist.log.LogChunk;
import io.galop.persist.log.LogCursor;
import io.galop.persist.log.LogPosition;
import io.galop.persist.store.Store;
import io.galop.store.TlsReason;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the Log on a thread of its own and keeps a store up to date. Whatever the store does, it
 * is tried again and nothing is dropped: what waits is in the Log, which keeps what the cursor has
 * not passed.
 */
public final class Sink implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Sink.class);
  private static final long TICK_MS = 250;
  private static final long TICK_NS = TimeUnit.MILLISECONDS.toNanos(TICK_MS);
  private final SinkSetup setup;
  private final LogCursor cursor;
  private final LagClock lagClock = new LagClock();
  private final SetBack setBack;
  private final SinkMetrics metrics;
  private final Deletions deletions;
  private final Readiness readiness;
  private final KeepingUp keepingUp;
  private final Backoff backoff;
  private final BatchSize batchSize;
  private final CountDownLatch stop = new CountDownLatch(1);
  private final Thread thread;
  private volatile Flight flight;
  private volatile double bytesPerRecord = 300;

  /**
   * Where it stays since a record can neither be stored nor kept otherwise; null if it does not.
   */
  private volatile LogPosition held;

  private Sink(SinkSetup setup, MeterRegistry meters, Readiness readiness) {
    this.setup = setup;
    this.cursor = setup.log().cursor(setup.name(), LogPosition.START);
    this.setBack = new SetBack(setup.log().cursorLimit(setup.name()));
    this.readiness = readiness;
    this.keepingUp = new KeepingUp(readiness, part(), setup.name());
    this.backoff = new Backoff(setup.config().maxPauseMs());
    this.batchSize = new BatchSize(setup.config().batchRecords());
    this.flight = new Flight(setup.config());
    this.metrics = new SinkMetrics(meters, this);
    this.deletions = new Deletions(setup.name(), metrics.deleteFailures);
    this.thread = new Thread(this::run, "galop-follow-" + setup.name());
    thread.setDaemon(true);
  }

  /**
   * What a sink works with.
   *
   * @param store closed by whoever made it, after the sink
   * @param refillBytes how much of the Log's end a store gets that holds nothing of it; {@link
   *     Long#MAX_VALUE} for all
   * @param isLiveLate whether the live feed lacks what the stores take; from any thread
   * @param giveWayBytes of which the store gives way as long as it is less behind
   */
  public record SinkSetup(
      String name,
      Log log,
      Store store,
      SinkConfig config,
      SamplingConfig sampling,
      DeadLetters deadLetters,
      long refillBytes,
      BooleanSupplier isLiveLate,
      long giveWayBytes) {}

  /** Takes a cursor in the Log, before its retention is started, and starts. */
  public static Sink start(SinkSetup setup, MeterRegistry meters, Readiness readiness) {
    Sink sink = new Sink(setup, meters, readiness);
    sink.thread.start();
    return sink;
  }

  private void run() {
    try {
      while (!isStopped(0)) {
        attempt();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whatever is thrown: without its thread the store would stand still unseen. */
  private void attempt() throws InterruptedException {
    try {
      follow();
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception | Error e) {
      rest(e);
    }
  }

  private void rest(Throwable broken) throws InterruptedException {
    try {
      metrics.retries.increment();
      keepingUp.onFailed(why(broken));
      batchSize.onFailure(broken);
      if (broken instanceof Error) {
        LOG.error("the sink of {} broke off", name(), broken);
      }
      long pauseMs = backoff.nextMs();
      LOG.warn("the store {} is behind, next attempt in {} ms: {}", name(), pauseMs, why(broken));
      pause(pauseMs);
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception | Error e) { // not even memory to say so: there may be some afterwards
      LockSupport.parkNanos(TICK_NS);
    }
  }

  /** In one line. */
  static String why(Throwable e) {
    String said = e.getMessage() == null ? e.toString() : e.getMessage();
    String line = said.replace('\n', ' ');
    return TlsReason.of(e).map(reason -> reason + " (" + line + ")").orElse(line);
  }

  private void pause(long pauseMs) throws InterruptedException {
    long leftMs = pauseMs;
    while (leftMs > 0 && !isStopped(Math.min(leftMs, TICK_MS))) {
      leftMs -= TICK_MS;
      observe();
    }
  }

  private void follow() throws Exception {
    Flight fresh = new Flight(setup.config());
    flight = fresh;
    try (Session session = new Session(setup, this, fresh, metrics)) {
      session.run();
    }
  }

  /** Moves the cursor, back where the store has lost something. */
  void moveTo(LogPosition position) {
    cursor.advance(position);
    LogPosition stayed = held;
    if (stayed != null && position.compareTo(stayed) > 0) {
      held = null;
      readiness.calm(part());
    }
  }

  /** It does not pass a record; says why, until the cursor has moved. */
  void hold(String why) {
    held = cursor.position();
    readiness.warn(part(), "the store " + name() + " waits: " + why);
  }

  boolean isHeld() {
    return held != null;
  }

  private String part() {
    return "persist.sink." + name();
  }

  LogPosition position() {
    return cursor.position();
  }

  /** The store has answered well. */
  void onStored() {
    keepingUp.onAnswer();
    if (!isHeld()) { // or what is stored again each time would make it try without a pause
      backoff.reset();
    }
    batchSize.onStored();
  }

  /** How large batches may be, as far as the store has shown. */
  BatchSize batchSize() {
    return batchSize;
  }

  /** How deleting goes, over all attempts to follow. */
  Deletions deletions() {
    return deletions;
  }

  /** A piece of the Log was read. */
  void onRead(LogChunk chunk) {
    setBack.onRead(chunk.next());
    int records = chunk.records().size();
    if (records > 0) {
      bytesPerRecord += (chunk.bytes() / (double) records - bytesPerRecord) / 16;
    }
  }

  /** Whether a cursor that the store has kept stems from before the Log was set back. */
  boolean isFromLostLog(LogPosition kept) {
    return setBack.isShownBy(kept, cursor.position());
  }

  /** What the store says of how far it is can be relied upon, also by later runs. */
  void onSettled() {
    setup.log().liftCursorLimit(name());
  }

  /** What a record takes of the Log, on the average of late. */
  double bytesPerRecord() {
    return bytesPerRecord;
  }

  /** Notes how far behind the store is, and says so. */
  void observe() {
    double lag = lagSeconds();
    int most = setup.config().unreadyLagSeconds();
    if (most > 0 && lag >= most) {
      readiness.unready(part(), "the store " + name() + " is " + (long) lag + " s behind the Log");
    } else {
      readiness.ready(part());
    }
    if (!isHeld()) {
      keepingUp.look(new KeepingUp.Lag(lagRecords(), lagBytes(), lag));
    }
  }

  /** The store is open and lacks nothing. */
  void onNothingToStore() {
    keepingUp.onAnswer();
  }

  boolean isStopped(long waitMs) throws InterruptedException {
    return stop.await(waitMs, TimeUnit.MILLISECONDS);
  }

  String name() {
    return setup.name();
  }

  /** Bytes of the Log that are not in the store. */
  public long lagBytes() {
    return setup.log().bytesAfter(cursor.position());
  }

  long lagRecords() {
    return Math.round(lagBytes() / bytesPerRecord);
  }

  double lagSeconds() {
    return lagClock.observe(setup.log().durable(), cursor.position(), System.nanoTime());
  }

  int inFlight() {
    return flight.batches();
  }

  long inFlightBytes() {
    return flight.bytes();
  }

  /**
   * Stops after what is under way, or after a few seconds; the rest is stored after the next start,
   * so the cursor stays and keeps it in the Log. Blocking.
   */
  @Override
  public void close() {
    stop.countDown();
    try {
      thread.join(TimeUnit.SECONDS.toMillis(10));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    readiness.ready(part());
    readiness.calm(part());
  }
}
