package io.galop.persist.cold;

import io.galop.config.ColdConfig;
import io.galop.persist.log.Log;
import io.galop.persist.log.LogChunk;
import io.galop.persist.log.LogCursor;
import io.galop.persist.log.LogReader;
import io.galop.record.Placed;
import io.galop.record.Record;
import io.galop.record.Topic;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the Log and stores what it finds, on a thread of its own. Whatever the store does, it
 * tries again and drops nothing: what waits is in the Log.
 */
public final class ColdSink implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ColdSink.class);
  private static final long IDLE_MS = 250;
  private static final long FIRST_PAUSE_MS = 100;
  private static final long LONGEST_PAUSE_MS = 10_000;
  private final Log log;
  private final ColdStore store;
  private final ColdConfig config;
  private final LogCursor cursor;
  private final ColdMetrics metrics;
  private final CountDownLatch stop = new CountDownLatch(1);
  private final Thread thread = new Thread(this::run, "galop-cold-sink");
  private volatile long upToDateNs = System.nanoTime();

  private ColdSink(
      Log log, ColdStore store, ColdConfig config, LogCursor cursor, MeterRegistry meters) {
    this.log = log;
    this.store = store;
    this.config = config;
    this.cursor = cursor;
    this.metrics = new ColdMetrics(meters, this);
  }

  /**
   * Takes its cursor in the Log and starts. Blocking for a moment, to read the store's cursor.
   *
   * @param store closed by the caller, after the sink
   */
  public static ColdSink start(Log log, ColdStore store, ColdConfig config, MeterRegistry meters)
      throws ColdException {
    LogCursor cursor = log.cursor("cold", store.cursor(log.id()));
    ColdSink sink = new ColdSink(log, store, config, cursor, meters);
    sink.thread.setDaemon(true);
    sink.thread.start();
    return sink;
  }

  private void run() {
    try (LogReader reader = log.reader(cursor.position())) {
      while (!isStopped(0)) {
        follow(reader);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void follow(LogReader reader) throws InterruptedException {
    long pauseMs = FIRST_PAUSE_MS;
    LogChunk chunk = null;
    while (!isStopped(0)) {
      try {
        chunk = chunk == null ? read(reader) : chunk;
        store(chunk);
        return;
      } catch (ColdException | RuntimeException | OutOfMemoryError e) {
        metrics.failures.increment();
        LOG.warn("the cold store is behind, next attempt in {} ms: {}", pauseMs, e.toString());
        isStopped(pauseMs);
        pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
      }
    }
  }

  private LogChunk read(LogReader reader) throws InterruptedException {
    if (log.awaitBeyond(cursor.position(), IDLE_MS) && lagBytes() < config.batchBytes()) {
      isStopped(config.batchMs());
    }
    return reader.read(config.batchBytes());
  }

  private void store(LogChunk chunk) throws ColdException, InterruptedException {
    if (chunk.bytes() > 0) {
      List<Placed> wanted = chunk.records().stream().filter(this::isKept).toList();
      long startedNs = System.nanoTime();
      int added = store.store(wanted, log.id(), chunk.next());
      metrics.transaction.record(System.nanoTime() - startedNs, TimeUnit.NANOSECONDS);
      metrics.stored.increment(added);
      metrics.known.increment(wanted.size() - added);
      metrics.passed.increment(chunk.records().size() - wanted.size());
    }
    cursor.advance(chunk.next());
    if (cursor.position().compareTo(log.durable()) >= 0) {
      upToDateNs = System.nanoTime();
    }
    while (store.trim() && !isStopped(0)) {
      LOG.debug("old records were deleted from the cold store");
    }
  }

  /** By the id, so that a record that is sent again meets the same fate. */
  private boolean isKept(Placed placed) {
    Record record = placed.record();
    return config.every() == 1
        || Topic.isReserved(record.topic())
        || Topic.shard(record.id(), config.every()) == 0;
  }

  private boolean isStopped(long waitMs) throws InterruptedException {
    return stop.await(waitMs, TimeUnit.MILLISECONDS);
  }

  /** Bytes of the Log that are not in the store. */
  long lagBytes() {
    return log.bytesAfter(cursor.position());
  }

  /** Seconds since the store was last up to date; 0 if it is. */
  double lagSeconds() {
    return lagBytes() == 0 ? 0 : (System.nanoTime() - upToDateNs) / 1e9;
  }

  /**
   * Stops after what is being stored; the rest is stored after the next start, so the cursor stays
   * and keeps it in the Log. Blocking.
   */
  @Override
  public void close() {
    stop.countDown();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
