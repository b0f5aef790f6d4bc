package io.galop.persist.log;

import io.galop.bus.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** What waits for the disk or is being written: bounded in bytes; over the bound is refused. */
final class AppendQueue {
  private final AtomicLong bytes = new AtomicLong();
  private List<Append> waiting = new ArrayList<>();

  /** Why nothing is taken any more; null while the queue is open. */
  private @Nullable Refusal closed;

  /** Bytes that are not on disk yet. */
  long bytes() {
    return bytes.get();
  }

  /** Adds at the end; fails the append instead if the queue is closed. */
  void add(Append append) {
    Refusal refused = offer(append);
    if (refused != null) {
      append.done().fail(refused);
    }
  }

  /** Null if it was taken. */
  private synchronized @Nullable Refusal offer(Append append) {
    if (closed != null) {
      return closed;
    }
    bytes.addAndGet(append.bytes());
    waiting.add(append);
    notifyAll();
    return null;
  }

  /** Takes all that waits, in order; waits for it. Empty when the queue is closed and done. */
  synchronized List<Append> take() throws InterruptedException {
    while (waiting.isEmpty() && closed == null) {
      wait();
    }
    List<Append> taken = waiting;
    waiting = new ArrayList<>();
    return taken;
  }

  /** What was taken no longer counts. */
  void release(List<Append> taken) {
    long sum = 0;
    for (Append append : taken) {
      sum += append.bytes();
    }
    bytes.addAndGet(-sum);
  }

  /** Takes nothing more; what waits can still be taken. */
  synchronized void close(Refusal why) {
    if (closed == null) {
      closed = why;
      notifyAll();
    }
  }
}
