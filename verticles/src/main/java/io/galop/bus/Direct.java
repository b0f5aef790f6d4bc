package io.galop.bus;

import io.galop.vertx.Loop;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The handlers of this node's own addresses, for its own requests: the message becomes one task of
 * the handler's event loop, without the address, timer and registration that the event bus makes
 * for each answer. Always a task, also on the caller's own loop: so requests of one loop to another
 * keep their order, nothing recurses, and other events have their turn. Nothing is copied, since
 * messages are immutable, as on the event bus inside a node. From any thread.
 */
final class Direct {
  private static final Refusal STOPPING =
      new Refusal(Refusal.Why.NOT_READY, "the node is stopping");

  private final Map<String, List<Target>> targets = new ConcurrentHashMap<>();

  /** A handler on its event loop. */
  static final class Target {
    private final Loop loop;
    private final Function<Object, Future<?>> handler;
    private volatile boolean isClosed;

    private Target(Loop loop, Function<Object, Future<?>> handler) {
      this.loop = loop;
      this.handler = handler;
    }

    /** The handler's answer; its listeners are called on the handler's event loop. */
    void ask(Object message, Answer answer) {
      try {
        loop.later(() -> take(message, answer));
      } catch (RejectedExecutionException e) {
        answer.onAnswer(null, STOPPING);
      }
    }

    private void take(Object message, Answer answer) {
      Future<?> taken = isClosed ? Future.failedFuture(STOPPING) : handler.apply(message);
      taken.onComplete(answer::onAnswer);
    }
  }

  /** What became of a request: a value or a failure, from any thread. */
  interface Answer {
    void onAnswer(@Nullable Object value, @Nullable Throwable failure);
  }

  /**
   * Opens an address to the node itself.
   *
   * @param handler must not throw
   */
  Target open(String address, Loop loop, Function<Object, Future<?>> handler) {
    Target target = new Target(loop, handler);
    targets.merge(
        address,
        List.of(target),
        (before, one) -> {
          List<Target> all = new ArrayList<>(before);
          all.addAll(one);
          return List.copyOf(all);
        });
    return target;
  }

  /** Nothing more is handed to it; what waits on its loop is refused. */
  void close(String address, Target target) {
    target.isClosed = true;
    targets.computeIfPresent(
        address,
        (at, before) -> {
          List<Target> left = before.stream().filter(each -> each != target).toList();
          return left.isEmpty() ? null : left;
        });
  }

  /** Who takes the next message; null if only the event bus knows. */
  @Nullable Target find(String address) {
    List<Target> all = targets.get(address);
    if (all == null) {
      return null;
    }
    return all.size() == 1 ? all.get(0) : all.get(ThreadLocalRandom.current().nextInt(all.size()));
  }
}
