package io.galop.persist.sink;

import io.galop.persist.store.BadRecordException;
import io.vertx.core.Future;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for a store, or for what keeps its dead letters, on the sink's thread. */
final class Answers {
  private static final long TICK_MS = 250;
  private final SinkState sink;
  private final long timeoutMs;
  private final String overdue;

  private Answers(SinkState sink, long timeoutMs, String overdue) {
    this.sink = sink;
    this.timeoutMs = timeoutMs;
    this.overdue = overdue;
  }

  static Answers ofStore(SinkState sink, long timeoutMs) {
    return new Answers(sink, timeoutMs, "no answer within " + timeoutMs + " ms (sink.timeoutMs)");
  }

  static Answers ofLetters(SinkState sink, long timeoutMs) {
    return new Answers(sink, timeoutMs, "it was not kept within " + timeoutMs + " ms");
  }

  /**
   * The answer.
   *
   * @throws BadRecordException if the store says so
   * @throws StoreFailure if it fails otherwise
   * @throws TimeoutException if it does not come in time
   * @throws InterruptedException if the sink is stopped, which is nobody's fault
   */
  <T> T await(Future<T> future) throws Exception {
    CompletableFuture<T> answer = future.toCompletionStage().toCompletableFuture();
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
    while (System.nanoTime() - deadline < 0) {
      try {
        return answer.get(TICK_MS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        sink.observe();
        if (sink.isStopped(0)) {
          throw new InterruptedException("the sink is stopped");
        }
      } catch (ExecutionException e) {
        if (e.getCause() instanceof BadRecordException bad) {
          throw bad;
        }
        throw new StoreFailure(Objects.requireNonNullElse(e.getCause(), e));
      }
    }
    throw new TimeoutException(overdue);
  }
}
