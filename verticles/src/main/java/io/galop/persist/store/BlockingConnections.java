package io.galop.persist.store;

import io.galop.config.persist.SinkConfig;
import io.vertx.core.Future;
import java.util.concurrent.TimeUnit;

/**
 * A blocking driver's connections, each on a thread of its own: some that write, and others that
 * read, so that neither waits for the other.
 *
 * @param <C> a connection
 */
public final class BlockingConnections<C> {
  private static final long LONGEST_CLOSE_S = 5;

  /** For the cursor and for deletes, beside the batches. */
  private static final int MORE_WRITERS = 1;

  private static final int MORE_WAITING = 4;

  private final BoundedThreads writerThreads;
  private final BoundedThreads readerThreads;
  private final ThreadConnections<C> writers;
  private final ThreadConnections<C> readers;

  /**
   * None yet.
   *
   * @param name of the store
   * @param readers how many read at once
   * @param waitingReads how many wait for one that reads; more are refused
   */
  public BlockingConnections(
      String name,
      SinkConfig sink,
      int readers,
      int waitingReads,
      ThreadConnections.Maker<C> maker,
      ThreadConnections.Closer<C> closer,
      ThreadConnections.Probe<C> probe) {
    this.writerThreads =
        BoundedThreads.of(
            "galop-sink-" + name,
            sink.driver(),
            sink.inFlight() + MORE_WRITERS,
            sink.inFlight() + MORE_WAITING);
    this.readerThreads =
        BoundedThreads.of("galop-query-" + name, sink.driver(), readers, waitingReads);
    this.writers = new ThreadConnections<>(maker, closer, probe);
    this.readers = new ThreadConnections<>(maker, closer, probe);
  }

  /** Closes those that write, with what they do; others are made when they are needed. */
  public void resetWriters() {
    writers.reset();
  }

  public <T> Future<T> write(ThreadConnections.Work<C, T> work) {
    return writerThreads.call(() -> writers.with(work));
  }

  public <T> Future<T> read(ThreadConnections.Work<C, T> work) {
    return readerThreads.call(() -> readers.with(work));
  }

  /** Closes all; waits for their threads, but not for ever. */
  public void close() {
    writers.reset();
    readers.reset();
    writerThreads.close(LONGEST_CLOSE_S, TimeUnit.SECONDS);
    readerThreads.close(LONGEST_CLOSE_S, TimeUnit.SECONDS);
  }
}
