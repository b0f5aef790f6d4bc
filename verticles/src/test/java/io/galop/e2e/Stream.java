package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Records at a steady rate, numbered, on topics of all shards, each acknowledged. */
final class Stream implements AutoCloseable {
  static final int RECORD_BYTES = 2000;
  private static final long PERIOD_MS = 100;
  static final int TOPICS = 40;
  private final GalopProcess to;
  private final int perPeriod;
  private final String padding = "x".repeat(RECORD_BYTES);
  private final AtomicInteger acknowledged = new AtomicInteger();
  private final Thread thread = new Thread(this::run, "stream");
  private volatile boolean isStopped;
  private volatile Throwable failure;

  private Stream(GalopProcess to, int bytesPerSecond) {
    this.to = to;
    this.perPeriod = (int) (bytesPerSecond * PERIOD_MS / 1000 / RECORD_BYTES);
  }

  static Stream start(GalopProcess to, int bytesPerSecond) {
    Stream stream = new Stream(to, bytesPerSecond);
    stream.thread.start();
    return stream;
  }

  private void run() {
    try {
      long due = System.nanoTime();
      for (int next = 0; !isStopped; next += perPeriod) {
        post(next);
        acknowledged.set(next + perPeriod);
        due = Math.max(due + TimeUnit.MILLISECONDS.toNanos(PERIOD_MS), System.nanoTime());
        TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
      }
    } catch (Exception | AssertionError e) {
      failure = e;
    }
  }

  private void post(int first) throws Exception {
    StringBuilder lines = new StringBuilder();
    for (int n = first; n < first + perPeriod; n++) {
      lines.append(
          "{\"topic\":\"a/%d\",\"id\":\"r%d\",\"data\":{\"n\":%d,\"padding\":\"%s\"}}\n"
              .formatted(n % TOPICS, n, n, padding));
    }
    var answer = Stored.post(to.http("/publish"), "application/x-ndjson", lines.toString());
    assertEquals(202, answer.statusCode(), answer.body());
  }

  /** All numbers below this one are acknowledged. */
  int acknowledged() {
    if (failure != null) {
      throw new AssertionError("the stream broke off", failure);
    }
    return acknowledged.get();
  }

  /** Ends it; how many records there were. */
  int stop() throws InterruptedException {
    isStopped = true;
    thread.join();
    return acknowledged();
  }

  @Override
  public void close() throws InterruptedException {
    isStopped = true;
    thread.join();
  }
}
