package io.galop.persist;

import io.galop.bus.Refusal;
import io.galop.record.Batch;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.function.Function;

/**
 * Batches that came while their shard was being taken over: kept in their order for that moment,
 * where sending each back to try again would shuffle them. Beyond the bound they are refused.
 */
final class HeldBatches {
  private static final int MOST_BYTES = 1024 * 1024;

  private final ArrayDeque<Held> held = new ArrayDeque<>();

  /** Read by those who measure too. */
  private volatile int bytes;

  private record Held(Batch batch, Promise<Void> answer) {}

  /** How much waits, in bytes. */
  int bytes() {
    return bytes;
  }

  boolean isFull() {
    return bytes >= MOST_BYTES;
  }

  Future<Void> hold(Batch batch) {
    bytes += batch.approximateBytes();
    Held one = new Held(batch, Promise.promise());
    held.add(one);
    return one.answer().future();
  }

  /**
   * The shard is owned: what was held goes its way, up to the first that cannot; what came later
   * must not be taken before it.
   */
  void release(Function<Batch, Future<Void>> to) {
    bytes = 0;
    while (!held.isEmpty()) {
      Held next = held.poll();
      Future<Void> taken = to.apply(next.batch()).onComplete(next.answer());
      if (taken.failed()) {
        refuse(new Refusal(Refusal.Why.OUT_OF_ORDER, "a Batch before it was not taken"));
      }
    }
  }

  /** The shard is not owned after all. */
  void refuse(Refusal refusal) {
    bytes = 0;
    while (!held.isEmpty()) {
      held.poll().answer().fail(refusal);
    }
  }
}
