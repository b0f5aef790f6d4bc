package io.galop.ingest.publisher;

import io.vertx.core.Context;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Who waits for room: at most one for each connection, so as many as there may be connections. Safe
 * to call from any thread.
 */
public final class Waiters {
  private record Waiter(Context context, Runnable run) {}

  private final Queue<Waiter> waiting = new ConcurrentLinkedQueue<>();

  /** Runs something on a context at the next {@link #wake}. */
  public void add(Context context, Runnable run) {
    waiting.add(new Waiter(context, run));
  }

  /** There is room again. */
  public void wake() {
    Waiter waiter = waiting.poll();
    while (waiter != null) {
      Waiter next = waiter;
      next.context.runOnContext(now -> next.run.run());
      waiter = waiting.poll();
    }
  }
}
