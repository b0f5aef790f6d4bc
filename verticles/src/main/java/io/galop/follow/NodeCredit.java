package io.galop.follow;

import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How much may be under way to one broadcast node. Followers that have more to push than there is
 * credit wait here, each once, and are served in turn: nothing but their place is queued.
 */
final class NodeCredit {
  /** What a push costs beside its records, so that many small ones are bounded too. */
  private static final int PUSH_BYTES = 512;

  private final int creditBytes;
  private final AtomicLong total;
  private final ArrayDeque<Follower> waiting = new ArrayDeque<>();
  private long inFlight;
  private int followers;
  private boolean serving;

  NodeCredit(int creditBytes, AtomicLong total) {
    this.creditBytes = creditBytes;
    this.total = total;
  }

  void onFollow() {
    followers++;
  }

  void onDrop(Follower follower) {
    followers--;
    waiting.remove(follower);
  }

  boolean isIdle() {
    return followers == 0 && inFlight == 0;
  }

  boolean isLeft() {
    return inFlight < creditBytes;
  }

  /** Something goes out; it may be larger than what is left, so that nothing is too large. */
  void take(int bytes) {
    inFlight += bytes + PUSH_BYTES;
    total.addAndGet(bytes + PUSH_BYTES);
  }

  /** A reply has come, or will not come any more: those who wait go on. */
  void giveBack(int bytes) {
    inFlight -= bytes + PUSH_BYTES;
    total.addAndGet(-bytes - PUSH_BYTES);
    serve();
  }

  /** The follower is called once, in turn, when there is credit. */
  void await(Follower follower) {
    waiting.add(follower);
    serve();
  }

  private void serve() {
    if (serving) {
      return;
    }
    serving = true;
    while (isLeft() && !waiting.isEmpty()) {
      waiting.poll().onCredit();
    }
    serving = false;
  }
}
