package io.galop.ops;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Something about the whole node that takes many milliseconds to find out, in which an event loop
 * would not serve its viewers. It is read once at a time; all who ask meanwhile share the next
 * reading, so that nobody is told what was before the question, and however many ask, one waits.
 * Safe to call from any thread.
 *
 * @param <T> what they are told
 */
final class SharedReading<T> {
  private final Supplier<Future<T>> read;
  private Future<T> underWay = Future.succeededFuture();

  /** The reading that begins when the one under way ends; null while nobody waits for it. */
  private @Nullable Future<T> next;

  /**
   * @param read reads it on another thread
   */
  SharedReading(Supplier<Future<T>> read) {
    this.read = read;
  }

  /** What is so now. */
  synchronized Future<T> get() {
    if (next != null) {
      return next;
    }
    if (underWay.isComplete()) {
      underWay = read.get();
      return underWay;
    }
    Promise<T> then = Promise.promise();
    next = then.future(); // before it is asked for: the one under way may just have ended
    underWay.transform(ended -> onEnded()).onComplete(then);
    return then.future();
  }

  private synchronized Future<T> onEnded() {
    next = null;
    underWay = read.get();
    return underWay;
  }
}
