package io.galop.persist.sink;

import io.galop.config.persist.SinkConfig;
import io.galop.persist.sink.Stretch.Kept;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Gathers records to batches by number, bytes and time. Lives on the sink's thread. */
final class Batcher {
  private final Deque<Kept> waiting = new ArrayDeque<>();
  private final SinkConfig config;
  private final BatchSize size;
  private long bytes;
  private long dueNs;

  Batcher(SinkConfig config, BatchSize size) {
    this.config = config;
    this.size = size;
  }

  void add(Kept kept, long nowNs) {
    if (waiting.isEmpty()) {
      dueNs = nowNs + TimeUnit.MILLISECONDS.toNanos(config.batchMs());
    }
    waiting.addLast(kept);
    bytes += kept.bytes();
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  boolean isFull() {
    return waiting.size() >= size.records() || bytes >= config.batchBytes();
  }

  boolean isDue(long nowNs) {
    return isFull() || !waiting.isEmpty() && nowNs - dueNs >= 0;
  }

  /** Milliseconds until a batch is due, rounded up; {@code most} if nothing waits. */
  long dueInMs(long nowNs, long most) {
    if (waiting.isEmpty()) {
      return most;
    }
    return Math.max(0, Math.min(most, TimeUnit.NANOSECONDS.toMillis(dueNs - nowNs) + 1));
  }

  /** The next batch; what is left over is due at once. */
  List<Kept> take() {
    List<Kept> batch = new ArrayList<>();
    long taken = 0;
    while (!waiting.isEmpty() && batch.size() < size.records()) {
      long next = waiting.peekFirst().bytes();
      if (!batch.isEmpty() && taken + next > config.batchBytes()) {
        break;
      }
      batch.add(waiting.removeFirst());
      taken += next;
    }
    bytes -= taken;
    return batch;
  }
}
