package io.galop.persist.sink;

import io.galop.config.persist.SamplingConfig;
import io.galop.persist.log.LogChunk;
import io.galop.persist.log.LogReader;
import io.galop.persist.log.file.LogPosition;
import io.galop.persist.sink.Stretch.Kept;
import io.galop.record.Placed;
import io.galop.record.RecordCodec;

/**
 * Reads the Log piece by piece and gives the records that the store is to keep to the batcher.
 * Lives on the sink's thread.
 */
final class LogSource implements AutoCloseable {
  private static final long MOST_GATHER_MS = 10;

  /** A read of less than this part of a batch was little. */
  private static final int LITTLE_PART = 8;

  private final SinkSetup setup;
  private final SinkState sink;
  private final Batcher batcher;
  private final Progress progress;
  private final SinkMetrics metrics;
  private final SinkBook book;
  private Sampler sampler;
  private final LogReader reader;
  private final long gatherMs;

  /** The last read brought so little that more is let gather before the next. */
  private boolean wasLittle;

  LogSource(
      SinkSetup setup,
      SinkState sink,
      Batcher batcher,
      Progress progress,
      SinkMetrics metrics,
      LogPosition from) {
    this.setup = setup;
    this.sink = sink;
    this.batcher = batcher;
    this.progress = progress;
    this.metrics = metrics;
    this.book = sink.book();
    this.sampler = sampler(setup.sampling().get());
    this.reader = setup.log().reader(from);
    this.gatherMs = Math.min(MOST_GATHER_MS, setup.config().batchMs() / 4);
  }

  private Sampler sampler(SamplingConfig sampling) {
    return new Sampler(
        sampling,
        setup.config().inFlightBytes(),
        kept -> batcher.add(kept, System.nanoTime()),
        metrics.sampledEarly::increment);
  }

  /** What waits by other rules is kept before the present ones count. */
  private void goByPresentRules() {
    SamplingConfig present = setup.sampling().get();
    if (!sampler.isOf(present)) {
      sampler.end();
      sampler = sampler(present);
    }
  }

  /**
   * Reads what is next, if it comes before a batch is due, and before so long. Waking for each of
   * the records that come one by one would cost the node more than what it does for a viewer: they
   * gather for some milliseconds, a part of what their batch waits anyway.
   */
  void read(long nowNs, long mostWaitMs) throws Exception {
    long waitMs = batcher.dueInMs(nowNs, mostWaitMs);
    long pauseMs = wasLittle ? Math.min(gatherMs, waitMs) : 0;
    if (sink.isStopped(pauseMs) || !setup.log().awaitBeyond(reader.position(), waitMs - pauseMs)) {
      return;
    }
    goByPresentRules();
    int most = aboutABatch();
    LogChunk chunk = reader.read(most);
    wasLittle = chunk.bytes() < most / LITTLE_PART;
    sink.onRead(chunk);
    Stretch stretch = new Stretch(chunk.next(), book);
    int passed = 0;
    for (Placed placed : chunk.records()) {
      long bytes = RecordCodec.approximateBytes(placed.record());
      Kept kept = new Kept(placed, stretch, bytes);
      book.read(placed);
      if (!sampler.offer(kept, nowNs)) {
        book.heldBack(kept);
        passed++;
      }
    }
    metrics.passed.increment(passed);
    progress.add(stretch);
  }

  /**
   * The cursor moves by what was read at once. So a store that takes long for little gets no more
   * than that a second time when the node ends; otherwise one that ends often would send it the
   * same for ever.
   */
  private int aboutABatch() {
    double bytes = sink.batchSize().records() * sink.bytesPerRecord();
    return (int) Math.min(bytes, setup.config().batchBytes());
  }

  /** Lets go of the last records of intervals that are over. */
  void expire(long nowNs) {
    goByPresentRules();
    sampler.expire(nowNs);
    metrics.sampling.set(sampler.waiting());
  }

  /** Whether records wait for the end of their interval. */
  boolean isHolding() {
    return sampler.isHolding();
  }

  @Override
  public void close() {
    reader.close();
  }
}
