package io.galop.broadcast.feed;

import io.galop.record.Position;
import java.util.concurrent.TimeUnit;

/**
 * Whether a shard's owner is heard, and whether this node has caught up with it. A shard is stale
 * from the beginning, and again after a silence, or when the owner speaks of records and sends none
 * of them; it is fresh when the node has reached what was the head when the owner was heard again.
 */
final class Liveness {
  /** In which another way to the owner must be found where the one that there was is cut. */
  private static final long CUT_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

  private final long staleAfterNanos;
  private boolean isStale = true;
  private boolean isHeard;
  private Position goal;
  private Position head;
  private Position reached;
  private long heardNanos;
  private long movedNanos;

  Liveness(int shard, long staleAfterMs) {
    this.staleAfterNanos = TimeUnit.MILLISECONDS.toNanos(staleAfterMs);
    this.head = Position.none(shard);
    this.goal = head;
    this.reached = head;
  }

  boolean isStale() {
    return isStale;
  }

  /** The newest Position that the owner has spoken of. */
  Position head() {
    return head;
  }

  /** A new session with the owner begins, which is not heard yet. */
  void begin() {
    isHeard = false;
  }

  /** What the owner says does not get here any more: it is known, so it is told soon. */
  void cut() {
    heardNanos = Math.min(heardNanos, System.nanoTime() - staleAfterNanos + CUT_NANOS);
  }

  /** The owner answered, but with nothing about its head. */
  void answered() {
    heardNanos = System.nanoTime();
    movedNanos = heardNanos;
  }

  /** The owner said where its head is. */
  void heard(Position ownersHead) {
    heardNanos = System.nanoTime();
    if (!isHeard) {
      isHeard = true;
      goal = ownersHead;
    }
    if (ownersHead.compareTo(head) > 0) {
      head = ownersHead;
    }
  }

  /** The owner said where its head is, which may be another owner's with smaller epochs. */
  void reloaded(Position ownersHead) {
    head = ownersHead;
    reached = Position.none(ownersHead.shard());
    heard(ownersHead);
  }

  /** The node has taken records up to here; returns whether that makes the shard fresh. */
  boolean moved(Position last) {
    if (last.compareTo(reached) > 0 || last.compareTo(head) >= 0) {
      movedNanos = heardNanos;
    }
    reached = last;
    head = last.compareTo(head) > 0 ? last : head;
    boolean becomesFresh = isStale && isHeard && last.compareTo(goal) >= 0;
    isStale &= !becomesFresh;
    return becomesFresh;
  }

  /** Returns whether the shard becomes stale now: by silence, or by a head that is never sent. */
  boolean becomesStale(Position last) {
    boolean becomesStale = !isStale && (silenceNanos() > staleAfterNanos || isStuck(last));
    isStale |= becomesStale;
    return becomesStale;
  }

  /** Whether it is time to follow anew. */
  boolean isSuspicious(Position last) {
    return isStuck(last) || silenceNanos() > staleAfterNanos * 2 / 3;
  }

  /** Whether the owner speaks of records and has sent none for too long. */
  boolean isStuck(Position last) {
    return last.compareTo(head) < 0 && System.nanoTime() - movedNanos > staleAfterNanos;
  }

  private long silenceNanos() {
    return System.nanoTime() - heardNanos;
  }
}
