package io.galop.loadtest.chaos;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Messages that a connection's own threads hand to its viewer, and why there are no more. */
final class Received {
  private static final long WAIT_MS = 200;

  private final BlockingQueue<String> messages = new LinkedBlockingQueue<>();
  private volatile @Nullable String end;

  void add(String message) {
    messages.add(message);
  }

  void end(String why) {
    end = why;
  }

  /**
   * Waits for messages, not for long; none may have come.
   *
   * @throws IOException if none will come any more
   */
  List<String> next() throws IOException, InterruptedException {
    String first = messages.poll(WAIT_MS, TimeUnit.MILLISECONDS);
    List<String> all = new ArrayList<>();
    if (first != null) {
      all.add(first);
      messages.drainTo(all);
    } else if (end != null && messages.isEmpty()) {
      throw new IOException(end);
    }
    return all;
  }
}
