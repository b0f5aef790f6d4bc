package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A polled system and two nodes that could ask it, of which one is killed. */
@Timeout(180)
class PollIT {
  private static final String INSIDE = "ingest,enrich,persist";

  @TempDir Path directory;
  private final AtomicInteger atOnce = new AtomicInteger();
  private final AtomicInteger mostAtOnce = new AtomicInteger();
  private final AtomicInteger value = new AtomicInteger(1);

  private void serve(HttpExchange exchange) throws IOException {
    mostAtOnce.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
    byte[] body = ("{\"v\":" + value.get() + "}").getBytes(StandardCharsets.UTF_8);
    sleep();
    atOnce.decrementAndGet();
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private static void sleep() {
    try {
      Thread.sleep(20);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean asks(GalopProcess node) throws Exception {
    return polled(node).getBoolean("asking");
  }

  private static JsonObject polled(GalopProcess node) throws Exception {
    JsonObject status = new JsonObject(Stored.get(node.management("/status")).body());
    return status.getJsonArray("polled").getJsonObject(0);
  }

  @Test
  void theOtherNodeAsksWhenTheOneThatAskedIsGone() throws Exception {
    HttpServer backEnd =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
    backEnd.createContext("/", this::serve);
    backEnd.setExecutor(Executors.newCachedThreadPool());
    backEnd.start();
    String url = "http://127.0.0.1:" + backEnd.getAddress().getPort() + "/";
    List<String> args =
        List.of(
            "--set",
            "cluster.maxSilenceSeconds=5",
            "--set",
            "ingest.poll.sources=[{name: s, url: '" + url + "', topic: polled, intervalMs: 50}]");
    try (Nodes nodes = new Nodes(directory, List.of("a", "b"), args)) {
      GalopProcess a = nodes.start("a", INSIDE);
      GalopProcess b = nodes.start("b", INSIDE);
      Await.until("one of them asks", 120, () -> asks(a) != asks(b));
      boolean isA = asks(a);
      GalopProcess asking = isA ? a : b;
      GalopProcess other = isA ? b : a;
      mostAtOnce.set(0);
      value.set(2);
      Await.until("the change is stored", 120, () -> newest(other) == 2);
      assertEquals(1, mostAtOnce.get(), "one of them asks at a time");
      asking.kill();
      Await.until("the other asks", 120, () -> asks(other));
      value.set(3);
      Await.until("the next change is stored", 120, () -> newest(other) == 3);
    } finally {
      backEnd.stop(0);
    }
  }

  private static int newest(GalopProcess node) throws Exception {
    String found = Stored.get(node.http("/history/polled?limit=1&order=desc")).body();
    return found.isEmpty() || !found.startsWith("{")
        ? 0
        : new JsonObject(found.lines().findFirst().orElseThrow())
            .getJsonObject("data")
            .getInteger("v");
  }
}
