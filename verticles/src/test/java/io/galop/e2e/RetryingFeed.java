package io.galop.e2e;

import io.galop.record.DerivedId;
import io.galop.record.Record;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Numbered lines at a steady rate to a TCP door that may go away at any moment: what was not
 * acknowledged is sent again, with the same ids, as soon as the door is there again. One line in
 * ten is a message of the odds stream that becomes two records.
 */
final class RetryingFeed implements AutoCloseable {
  private static final int WINDOW = 2_048;
  private static final int CHUNK = 64;
  private static final int MARKETS = 30;
  private static final long PAUSE_MS = 5;
  private static final String RACES = "odds/raw";
  private final int port;
  private final int perSecond;
  private final long startNs = System.nanoTime();
  private final Thread thread = new Thread(this::run, "retrying feed");
  private volatile int acknowledged;
  private volatile int limit = Integer.MAX_VALUE;
  private volatile int reconnects;
  private volatile boolean isClosed;
  private volatile String failure = "";

  RetryingFeed(int port, int perSecond) {
    this.port = port;
    this.perSecond = perSecond;
    thread.start();
  }

  private void run() {
    while (!isClosed && acknowledged < limit) {
      try (Socket door = new Socket("127.0.0.1", port)) {
        feed(door);
      } catch (IOException e) {
        // The door is gone or not there yet: that is what this is for.
      } catch (InterruptedException e) {
        return;
      }
      reconnects++;
      pause();
    }
  }

  private void feed(Socket door) throws IOException, InterruptedException {
    int base = acknowledged;
    Thread answers = new Thread(() -> readAnswers(door, base), "answers");
    answers.start();
    try {
      OutputStream out = door.getOutputStream();
      int next = base;
      while (!isClosed && answers.isAlive() && acknowledged < limit) {
        int most = Math.min(Math.min(limit, due()), acknowledged + WINDOW);
        if (next < most) {
          int end = Math.min(most, next + CHUNK);
          out.write(lines(next, end));
          next = end;
        } else {
          pause();
        }
      }
    } finally {
      door.close();
      answers.join();
    }
  }

  private int due() {
    return (int) (TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs) * perSecond / 1000);
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static byte[] lines(int from, int to) {
    StringBuilder lines = new StringBuilder();
    for (int n = from; n < to; n++) {
      JsonObject line =
          new JsonObject()
              .put("topic", isRace(n) ? RACES : topic(n))
              .put("id", "k" + n)
              .put("data", isRace(n) ? message(n) : data(n));
      lines.append(line.encode()).append('\n');
    }
    return lines.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static boolean isRace(int n) {
    return n % 10 == 0;
  }

  private static String topic(int n) {
    return "plant/" + n % 100;
  }

  private static JsonObject data(int n) {
    return new JsonObject().put("n", n).put("text", "value " + n);
  }

  private static JsonObject message(int n) {
    JsonArray changes = new JsonArray();
    for (int runner = 1; runner <= 2; runner++) {
      changes.add(new JsonObject().put("id", runner).put("ltp", 1.5 + runner).put("tv", n));
    }
    JsonObject market = new JsonObject().put("id", market(n)).put("rc", changes);
    return new JsonObject().put("op", "mcm").put("mc", new JsonArray().add(market));
  }

  private static String market(int n) {
    return "1." + n / 10 % MARKETS;
  }

  /** The ids of all records that the lines below a number become, with what each has to be. */
  static Map<String, Seen> expected(int below) {
    Map<String, Seen> expected = new TreeMap<>();
    for (int n = 0; n < below; n++) {
      if (!isRace(n)) {
        expected.put("k" + n, new Seen("k" + n, topic(n), Seen.hash(data(n))));
      }
      for (int runner = 1; isRace(n) && runner <= 2; runner++) {
        JsonObject data =
            new JsonObject()
                .put("market", market(n))
                .put("runner", runner)
                .put("odds", 1.5 + runner)
                .put("volume", n);
        String topic = "race/" + market(n) + "/runner/" + runner;
        String id = DerivedId.of(new Record("k" + n, RACES, 0, new byte[0]), runner, topic);
        expected.put(id, new Seen(id, topic, Seen.hash(data)));
      }
    }
    return expected;
  }

  private void readAnswers(Socket door, int base) {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(door.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        JsonObject answer = new JsonObject(line);
        if (answer.containsKey("rejected")) {
          acknowledged = Math.max(acknowledged, base + firstToRepeat(answer) - 1);
          return;
        }
        acknowledged = Math.max(acknowledged, base + answer.getInteger("acked"));
      }
    } catch (IOException | RuntimeException e) {
      // A line that is cut off says nothing; what it may have said is sent again.
    }
  }

  /** The first line that was not stored in time, from which on all are sent again. */
  private int firstToRepeat(JsonObject answer) {
    int first = Integer.MAX_VALUE;
    for (Object each : answer.getJsonArray("rejected")) {
      JsonObject rejected = (JsonObject) each;
      if (!rejected.getString("reason").equals("unavailable")) {
        failure = answer.encode();
      }
      first = Math.min(first, rejected.getInteger("line"));
    }
    return first;
  }

  /** All lines below this number are acknowledged. */
  int acknowledged() {
    if (!failure.isEmpty()) {
      throw new AssertionError("refused for good: " + failure);
    }
    return acknowledged;
  }

  /** How often it had to come again. */
  int reconnects() {
    return reconnects;
  }

  /** Sends no new lines; waits until all that were sent are acknowledged, and says how many. */
  int finish(int seconds) {
    limit = Math.min(due(), acknowledged + WINDOW);
    int all = limit;
    Await.until("all is acknowledged", seconds, () -> acknowledged() >= all);
    return all;
  }

  @Override
  public void close() throws InterruptedException {
    isClosed = true;
    thread.join(TimeUnit.SECONDS.toMillis(20));
  }
}
