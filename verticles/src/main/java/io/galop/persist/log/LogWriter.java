package io.galop.persist.log;

import io.galop.bus.Refusal;
import io.galop.bus.Refusal.Why;
import io.galop.jvm.OutOfMemory;
import io.galop.persist.log.file.ExtentFile;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that writes. While a group is being written and forced to disk the next one
 * gathers, so groups grow with the load by themselves. The first error is the last: what the disk
 * has of a file after a failed fsync is not known, so nothing is acknowledged any more.
 */
final class LogWriter implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(LogWriter.class);
  private final AppendQueue queue;
  private final SegmentWriter out;
  private final ExtentFile extent;
  private final Durable durable;
  private final LogMetrics metrics;
  private final LogHealth health;

  /** Why nothing is written any more; null while all is well. */
  private volatile @Nullable Refusal failure;

  private volatile long left;

  LogWriter(
      AppendQueue queue,
      SegmentWriter out,
      ExtentFile extent,
      Durable durable,
      LogMetrics metrics,
      LogHealth health) {
    this.queue = queue;
    this.out = out;
    this.extent = extent;
    this.durable = durable;
    this.metrics = metrics;
    this.health = health;
    committed();
  }

  @Override
  public void run() {
    List<Append> group = List.of();
    try (out) {
      for (group = queue.take(); !group.isEmpty(); group = queue.take()) {
        write(group);
        complete(group);
      }
    } catch (IOException | InterruptedException | RuntimeException | Error e) {
      // Whatever it is: a writer that ends without a word would leave its callers waiting.
      fail(group, e);
    }
  }

  private void write(List<Append> group) throws IOException {
    long startedNs = System.nanoTime();
    for (Append append : group) {
      append.content().writeTo(out);
    }
    out.commit();
    metrics.fsync.record(System.nanoTime() - startedNs, TimeUnit.NANOSECONDS);
    committed();
    if (out.isForced()) {
      group.forEach(append -> append.content().forced());
    }
  }

  private void committed() {
    left = out.left();
    extent.reaches(out.position());
    durable.advance(out.position());
  }

  private void complete(List<Append> group) {
    queue.release(group);
    metrics.group.record(group.stream().mapToInt(Append::records).sum());
    Completions.complete(group, append -> append.done().complete());
  }

  private void fail(List<Append> group, Throwable cause) {
    OutOfMemory.endIfIs(cause);
    String why =
        "the Log cannot be written (" + cause + "); restart the node when the disk is sound";
    Refusal refusal = new Refusal(Why.LOG_FAILED, why);
    failure = refusal;
    metrics.failures.increment();
    health.failed(why);
    LOG.error("the Log has FAILED: this node acknowledges nothing until you restart it", cause);
    queue.close(refusal);
    refuse(group, refusal);
    try {
      refuse(queue.take(), refusal);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void refuse(List<Append> group, Refusal refusal) {
    queue.release(group);
    Completions.complete(group, append -> append.done().tryFail(refusal));
  }

  /** Why nothing is written any more; empty while all is well. */
  Optional<Refusal> failure() {
    return Optional.ofNullable(failure);
  }

  /** How much fits into the segment that is being written. */
  long left() {
    return left;
  }
}
