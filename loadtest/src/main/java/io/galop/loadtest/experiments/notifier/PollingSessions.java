package io.galop.loadtest.experiments.notifier;

import io.galop.loadtest.latency.Latencies;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * What is often built: each session has a thread that asks the back end, looks at what has changed,
 * thinks, and asks again. Prints every second how old changes were when a session saw them, and how
 * many that were.
 */
@Command(name = "polling-sessions", hidden = true)
public final class PollingSessions implements Callable<Integer> {
  private static final int TIMEOUT_MS = 30_000;

  @Parameters(index = "0")
  private int backEnd;

  @Parameters(index = "1")
  private int sessions;

  @Parameters(index = "2")
  private long thinkMs;

  private final Histogram ages = Latencies.histogram();

  @Override
  public Integer call() throws InterruptedException {
    for (int i = 0; i < sessions; i++) {
      Thread session = new Thread(this::session, "session-" + i);
      session.setDaemon(true);
      session.start();
    }
    while (true) {
      TimeUnit.SECONDS.sleep(1);
      synchronized (ages) {
        System.out.println(
            Latencies.ms(ages, 50) + " " + Latencies.ms(ages, 99) + " " + ages.getTotalCount());
      }
    }
  }

  private void session() {
    try {
      // Sessions begin at different times.
      TimeUnit.MILLISECONDS.sleep(ThreadLocalRandom.current().nextLong(thinkMs));
      JsonArray before = new JsonArray();
      while (true) {
        JsonArray now = ask().getJsonArray("items");
        if (!now.equals(before)) {
          seen(now);
        }
        before = now;
        TimeUnit.MILLISECONDS.sleep(thinkMs);
      }
    } catch (IOException e) {
      System.err.println("a session ended: " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private JsonObject ask() throws IOException {
    HttpURLConnection connection =
        (HttpURLConnection)
            URI.create("http://127.0.0.1:" + backEnd + "/").toURL().openConnection();
    connection.setConnectTimeout(TIMEOUT_MS);
    connection.setReadTimeout(TIMEOUT_MS);
    try (InputStream in = connection.getInputStream()) {
      return new JsonObject(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  private void seen(JsonArray items) {
    String stamp = items.getJsonObject(0).getString("galopStamp");
    long at = Long.parseLong(stamp.substring(stamp.indexOf('.') + 1));
    synchronized (ages) {
      Latencies.record(ages, System.nanoTime() - at);
    }
  }
}
