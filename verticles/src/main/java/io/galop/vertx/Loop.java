package io.galop.vertx;

import io.netty.channel.EventLoop;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The event loop that something belongs to. What has no locks since it lives on one loop asks
 * {@link #check} at each of its entrances, always: it costs one comparison, and what it finds is
 * state that two threads write.
 *
 * <p>Results come back to a loop by {@link #within} or {@link #bring}. Not by {@link
 * Future#timeout}: a Future without a context of its own, as a Promise of our own is, goes on on a
 * thread of Netty's when its time is over, and so does everything behind it.
 */
public final class Loop {
  private final ContextInternal context;

  private Loop(Context context) {
    this.context = ((ContextInternal) context).unwrap();
  }

  /**
   * The caller's.
   *
   * @throws IllegalStateException if the caller is on none
   */
  public static Loop current() {
    Context context = Vertx.currentContext();
    if (context == null) {
      throw new IllegalStateException("thread " + Thread.currentThread().getName() + " is no loop");
    }
    return new Loop(context);
  }

  /** The one of a context. */
  public static Loop of(Context context) {
    return new Loop(context);
  }

  /** The caller's; one that is made for it if it is on none. */
  public static Loop current(Vertx vertx) {
    return new Loop(vertx.getOrCreateContext());
  }

  /**
   * To be called at every entrance of what belongs to this loop.
   *
   * @throws IllegalStateException if the caller is elsewhere: a fault of the program
   */
  public void check() {
    if (!context.inThread()) {
      throw new IllegalStateException(
          "thread %s entered what belongs to another event loop"
              .formatted(Thread.currentThread().getName()));
    }
  }

  /**
   * The context of the caller's loop, not the one that is made for a single message; null if the
   * caller is on none.
   */
  public static @Nullable Context contextOfCaller() {
    return Vertx.currentContext() instanceof ContextInternal context ? context.unwrap() : null;
  }

  /** A promise whose listeners are called on the loop; what they throw is reported there. */
  public <T> Promise<T> promise() {
    return context.promise();
  }

  /** The loop as Netty has it. */
  public EventLoop netty() {
    return context.nettyEventLoop();
  }

  /**
   * Does something as an event of the loop, at once if the caller is on it: what it throws is
   * reported, and never thrown at the caller.
   */
  public void emit(Runnable task) {
    if (context.inThread()) {
      context.emit(null, now -> task.run());
    } else {
      context.runOnContext(now -> task.run());
    }
  }

  /** The same with an event, for a caller on the loop. */
  public <T> void emit(T event, Handler<T> handler) {
    context.emit(event, handler);
  }

  /** Does something on the loop, after what is due there already. */
  public void later(Runnable task) {
    context.runOnContext(now -> task.run());
  }

  public Vertx vertx() {
    return context.owner();
  }

  /** Does something on the loop: at once if the caller is on it. */
  public void run(Runnable task) {
    if (context.inThread()) {
      task.run();
    } else {
      context.runOnContext(now -> task.run());
    }
  }

  /** Does something on the loop, and answers as it does; what it throws is a failure. */
  public <T> Future<T> call(Supplier<Future<T>> task) {
    Promise<T> done = Promise.promise();
    run(() -> Future.succeededFuture().compose(now -> task.get()).onComplete(done));
    return done.future();
  }

  /** The same answer, on this loop. */
  public <T> Future<T> bring(Future<T> answer) {
    Promise<T> brought = Promise.promise();
    answer.onComplete((value, failure) -> run(() -> settle(brought, value, failure)));
    return brought.future();
  }

  /**
   * The same answer, on this loop; if it has not come in time, a failure that says so.
   *
   * @param what is asked for, to be said then, as in {@code the backup tier's answer}
   */
  public <T> Future<T> within(long timeoutMs, String what, Future<T> answer) {
    Promise<T> done = Promise.promise();
    run(() -> watch(timeoutMs, what, answer, done));
    return done.future();
  }

  private <T> void watch(long timeoutMs, String what, Future<T> answer, Promise<T> done) {
    long timer = vertx().setTimer(timeoutMs, over -> done.tryFail(new Late(what, timeoutMs)));
    answer.onComplete(
        (value, failure) ->
            run(
                () -> {
                  vertx().cancelTimer(timer);
                  settle(done, value, failure);
                }));
  }

  private static <T> void settle(Promise<T> done, T value, Throwable failure) {
    if (failure == null) {
      done.tryComplete(value);
    } else {
      done.tryFail(failure);
    }
  }

  /** Nobody looks for its stack: it is of a timer. */
  private static final class Late extends TimeoutException {
    private static final long serialVersionUID = 1L;

    private Late(String what, long timeoutMs) {
      super(what + " did not come within " + timeoutMs + " ms");
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
      return this;
    }
  }
}
