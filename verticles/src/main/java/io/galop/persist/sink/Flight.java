package io.galop.persist.sink;

import io.galop.config.persist.SinkConfig;
import io.galop.persist.sink.Stretch.Kept;
import io.galop.persist.store.StoreBatch;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The batches that are under way, bounded in number and bytes. Used by the sink's thread; what the
 * store answers comes from any thread and waits in a queue that holds no more than that number.
 */
final class Flight {
  private final SinkConfig config;
  private final BlockingQueue<Outcome> outcomes = new LinkedBlockingQueue<>();
  private volatile int batches;
  private volatile long bytes;
  private long lastAnswerNs;

  Flight(SinkConfig config) {
    this.config = config;
  }

  /**
   * What became of a batch.
   *
   * @param tookNs until the answer came, however much later it is looked at
   * @param stored how many of its records were new; 0 if it failed
   */
  record Outcome(
      List<Kept> batch, StoreBatch parcel, long tookNs, int stored, Optional<Throwable> failure) {}

  boolean hasRoom(long more) {
    return batches == 0 || batches < config.inFlight() && bytes + more <= config.inFlightBytes();
  }

  void begin(List<Kept> batch, StoreBatch parcel, Future<Integer> answer) {
    long now = System.nanoTime();
    lastAnswerNs = batches == 0 ? now : lastAnswerNs;
    batches = batches + 1;
    bytes = bytes + parcel.bytes();
    answer.onComplete(
        stored -> outcomes.add(new Outcome(batch, parcel, since(now), stored, Optional.empty())),
        failure -> outcomes.add(new Outcome(batch, parcel, since(now), 0, Optional.of(failure))));
  }

  private static long since(long startedNs) {
    return System.nanoTime() - startedNs;
  }

  /** The next answer; empty if none comes in time. */
  Optional<Outcome> next(long waitMs) throws InterruptedException {
    Outcome outcome = outcomes.poll(waitMs, TimeUnit.MILLISECONDS);
    if (outcome != null) {
      batches = batches - 1;
      bytes = bytes - outcome.parcel().bytes();
      lastAnswerNs = System.nanoTime();
      outcome.batch().forEach(Kept::answered);
    }
    return Optional.ofNullable(outcome);
  }

  /** Whether batches are under way and none was answered for too long. */
  boolean isStuck() {
    long waitedMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - lastAnswerNs);
    return batches > 0 && waitedMs > config.timeoutMs();
  }

  int batches() {
    return batches;
  }

  long bytes() {
    return bytes;
  }
}
