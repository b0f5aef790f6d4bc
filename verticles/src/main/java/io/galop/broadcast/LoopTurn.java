package io.galop.broadcast;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/** One turn of an event loop in which something is done for somebody who waits for the answer. */
final class LoopTurn {
  private LoopTurn() {}

  /**
   * Does something on an event loop. There always is an answer: whoever asks may have taken a place
   * that is given back with it.
   *
   * @param loop has what it is given done there
   * @return done there; failed with what the work throws
   */
  static <T> Future<T> on(Executor loop, Supplier<T> work) {
    Promise<T> done = Promise.promise();
    loop.execute(() -> settle(done, work));
    return done.future();
  }

  private static <T> void settle(Promise<T> done, Supplier<T> work) {
    T answer;
    try {
      answer = work.get();
    } catch (RuntimeException | OutOfMemoryError fault) {
      done.fail(fault);
      return;
    }
    done.complete(answer);
  }
}
