package io.galop.e2e;

import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Numbered records to the http door of a node that may go away at any moment, again under the same
 * ids until they are acknowledged.
 */
final class NumberedFeed implements AutoCloseable {
  private static final int AT_ONCE = 20;
  private static final int TOPICS = 10;
  private static final long PAUSE_MS = 20;

  private final URI door;
  private final List<String> acknowledged = Collections.synchronizedList(new ArrayList<>());
  private final Thread thread = new Thread(this::run, "numbered feed");
  private volatile boolean isClosed;

  NumberedFeed(URI door) {
    this.door = door;
    thread.start();
  }

  /** Lines of records {@code k<from>} and following, on {@code race/0} to {@code race/9}. */
  static String lines(String prefix, int from, int count) {
    StringBuilder lines = new StringBuilder();
    for (int n = from; n < from + count; n++) {
      JsonObject line = new JsonObject().put("topic", "race/" + n % TOPICS).put("id", prefix + n);
      lines.append(line.put("data", new JsonObject().put("n", n)).encode()).append('\n');
    }
    return lines.toString();
  }

  private void run() {
    for (int next = 0; !isClosed; ) {
      if (isTaken(lines("k", next, AT_ONCE))) {
        for (int end = next + AT_ONCE; next < end; next++) {
          acknowledged.add("k" + next);
        }
      }
      pause();
    }
  }

  private boolean isTaken(String lines) {
    try {
      var answer = Stored.post(door, "application/x-ndjson", lines);
      return answer.statusCode() == 202
          && new JsonObject(answer.body()).getJsonArray("rejected").isEmpty();
    } catch (Exception e) {
      // The node is away: that is what this is for.
      return false;
    }
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The ids of the records that were acknowledged. */
  List<String> acknowledged() {
    synchronized (acknowledged) {
      return List.copyOf(acknowledged);
    }
  }

  /** Waits until so many more are acknowledged. */
  void awaitMore(int records) {
    int goal = acknowledged().size() + records;
    Await.until(records + " more are acknowledged", 120, () -> acknowledged().size() >= goal);
  }

  @Override
  public void close() throws InterruptedException {
    isClosed = true;
    thread.join(TimeUnit.SECONDS.toMillis(60));
  }
}
