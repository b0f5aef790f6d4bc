package io.galop.persist.sink;

import io.galop.node.Readiness;
import io.galop.persist.log.file.LogPosition;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
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
  private final SinkState state;
  private final SinkMetrics metrics;
  private final Deletions deletions;
  private final Thread thread;

  private Sink(SinkSetup setup, MeterRegistry meters, Readiness readiness) {
    this.setup = setup;
    this.state = new SinkState(setup, readiness);
    this.metrics = new SinkMetrics(meters, state);
    this.deletions = new Deletions(setup.name(), metrics.deleteFailures);
    this.thread = new Thread(this::run, "galop-follow-" + setup.name());
    thread.setDaemon(true);
  }

  /** Takes a cursor in the Log, before its retention is started, and starts. */
  public static Sink start(SinkSetup setup, MeterRegistry meters, Readiness readiness) {
    Sink sink = new Sink(setup, meters, readiness);
    sink.thread.start();
    return sink;
  }

  private void run() {
    try {
      while (!state.isStopped(0)) {
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
      long pauseMs = state.onFailed(broken);
      if (broken instanceof Error) {
        LOG.error("the sink of {} failed unexpectedly", setup.name(), broken);
      }
      String why = StoreFailure.inOneLine(broken);
      LOG.warn("the store {} is behind, next attempt in {} ms: {}", setup.name(), pauseMs, why);
      pause(pauseMs);
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception | Error e) { // not even memory to say so: there may be some afterwards
      LockSupport.parkNanos(TICK_NS);
    }
  }

  private void pause(long pauseMs) throws InterruptedException {
    long leftMs = pauseMs;
    while (leftMs > 0 && !state.isStopped(Math.min(leftMs, TICK_MS))) {
      leftMs -= TICK_MS;
      state.turn();
      state.observe();
    }
  }

  private void follow() throws Exception {
    try (SinkRun run = new SinkRun(setup, state, metrics, deletions)) {
      run.run();
    }
  }

  /** How far it is. */
  SinkState state() {
    return state;
  }

  /** Bytes of the Log that are not in the store. */
  public long lagBytes() {
    return state.lagBytes();
  }

  /** About how many records that is. */
  public long lagRecords() {
    return state.lagRecords();
  }

  /**
   * All records before this place in the Log were handed to the store, whether it has answered or
   * not. From any thread.
   */
  public LogPosition handed() {
    return state.handed();
  }

  /** How far the store is in the Log: {@code <segment>:<byte>}. */
  public String cursor() {
    return state.position().toString();
  }

  /**
   * Stops after what is under way, or after a few seconds; the rest is stored after the next start,
   * so the cursor stays and keeps it in the Log. Blocking.
   */
  @Override
  public void close() {
    state.stop();
    setup.store().stopping();
    try {
      thread.join(TimeUnit.SECONDS.toMillis(10));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    state.onEnded();
  }
}
