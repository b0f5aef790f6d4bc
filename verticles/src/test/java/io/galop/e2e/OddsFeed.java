package io.galop.e2e;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Publishes a few records five times a second, on {@code markets/…} and {@code odds/1}, whatever
 * becomes of them; when asked to, also large ones on {@code large/…}.
 */
final class OddsFeed implements AutoCloseable {
  private static final int TOPICS = 16;
  private static final int PAUSE_MS = 200;
  private static final String TYPE = "application/x-ndjson";
  private static final String LARGE = "x".repeat(30_000);

  private final GalopProcess node;
  private final Thread thread = new Thread(this::run, "odds feed");
  private volatile boolean isSilent;
  private volatile boolean isOver;
  private final AtomicInteger number = new AtomicInteger();

  OddsFeed(GalopProcess node) {
    this.node = node;
    thread.setDaemon(true);
    thread.start();
  }

  /** Whether there is nothing new on {@code odds/1}. */
  void isSilent(boolean silent) {
    isSilent = silent;
  }

  /** So many records of 30 KB. */
  void large(int records) throws Exception {
    for (int n = 0; n < records; n++) {
      String line = "{\"topic\":\"large/%d\",\"data\":{\"text\":\"%s\"}}\n";
      post(line.formatted(n % TOPICS, LARGE));
    }
  }

  private void run() {
    while (!isOver) {
      try {
        post(lines());
        Thread.sleep(PAUSE_MS);
      } catch (IOException refused) {
        // The next ones may be taken.
      } catch (InterruptedException over) {
        return;
      }
    }
  }

  private String lines() {
    int n = number.incrementAndGet();
    StringBuilder lines = new StringBuilder();
    for (int topic = 0; topic < TOPICS; topic++) {
      lines.append("{\"topic\":\"markets/%d\",\"data\":{\"n\":%d}}\n".formatted(topic, n));
    }
    if (!isSilent) {
      lines.append("{\"topic\":\"odds/1\",\"data\":{\"n\":%d}}\n".formatted(n));
    }
    return lines.toString();
  }

  private void post(String lines) throws IOException, InterruptedException {
    Stored.post(node.http("/publish"), TYPE, lines);
  }

  @Override
  public void close() {
    isOver = true;
    thread.interrupt();
  }
}
