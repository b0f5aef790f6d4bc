package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Viewers on two nodes, one of which is killed, and a polled source that sleeps while it may. */
@Timeout(300)
class PresenceIT {
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  /** "Within about two seconds", on a machine that has other work, and may stand still for some. */
  private static final int WAKES_WITHIN_SECONDS = 20;

  /** More requests than a source that falls asleep makes until then. */
  private static final int MANY = 50;

  @TempDir Path directory;
  private final AtomicInteger asked = new AtomicInteger();

  private void serve(HttpExchange exchange) throws IOException {
    asked.incrementAndGet();
    exchange.sendResponseHeaders(200, 2);
    exchange.getResponseBody().write("{}".getBytes());
    exchange.close();
  }

  static WebSocket view(GalopProcess node, String filter) throws Exception {
    URI live = node.http("/live/websocket");
    URI uri = URI.create("ws" + live.toString().substring("http".length()));
    WebSocket socket =
        HTTP.newWebSocketBuilder()
            .buildAsync(uri, new WebSocket.Listener() {})
            .get(60, TimeUnit.SECONDS);
    JsonObject register = new JsonObject().put("type", "register").put("address", filter);
    socket.sendText(register.encode(), true).get(60, TimeUnit.SECONDS);
    return socket;
  }

  private static JsonObject presence(GalopProcess node, String topic) throws Exception {
    return new JsonObject(Stored.get(node.management("/presence?topic=" + topic)).body());
  }

  private static boolean is(GalopProcess node, long viewers, boolean partial) throws Exception {
    JsonObject told = presence(node, "race/1");
    return told.getLong("viewers") == viewers && told.getBoolean("partial") == partial;
  }

  private static boolean isAsleep(GalopProcess node) throws Exception {
    return new JsonObject(Stored.get(node.management("/status")).body())
        .getJsonArray("polled")
        .getJsonObject(0)
        .getBoolean("asleep");
  }

  @Test
  void countsInTheClusterAndLetsASourceSleep() throws Exception {
    HttpServer backEnd =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
    backEnd.createContext("/", this::serve);
    backEnd.start();
    String url = "http://127.0.0.1:" + backEnd.getAddress().getPort() + "/";
    String source =
        "ingest.poll.sources=[{name: s, url: '%s', topic: race/1, intervalMs: 100,".formatted(url)
            + " whileWatched: race/#, sleepAfterMs: 1000}]";
    List<String> args = List.of("--set", "cluster.maxSilenceSeconds=30", "--set", source);
    try (Nodes nodes = new Nodes(directory, List.of("a", "b"), args)) {
      GalopProcess a = nodes.start("a", "ingest,enrich,persist,broadcast");
      GalopProcess b = nodes.start("b", "broadcast");
      Await.until("both are members", 120, () -> Nodes.members(a).size() == 2);
      Await.until("the source sleeps", 120, () -> isAsleep(a));
      int before = asked.get();
      WebSocket first = view(b, "race/1");
      Await.until("it is asked again", WAKES_WITHIN_SECONDS, () -> asked.get() > before);
      WebSocket second = view(a, "race/+");
      Await.until(
          "both viewers count on either node", 60, () -> is(a, 2, false) && is(b, 2, false));
      assertEquals("race/1: 2 viewers\n  node a: 1\n  node b: 1", shown(b));
      second.abort();
      Await.until("one viewer has left", 60, () -> is(a, 1, false));
      b.freeze();
      Await.until("a node that stands still is missing", 60, () -> is(a, 0, true));
      int then = asked.get();
      Await.until("there may be viewers", 60, () -> asked.get() > then + MANY);
      assertFalse(isAsleep(a));
      b.kill();
      Await.until("a node that is gone is forgotten", 120, () -> is(a, 0, false));
      Await.until("the source sleeps again", 120, () -> isAsleep(a));
      first.abort();
    } finally {
      backEnd.stop(0);
    }
  }

  private static String shown(GalopProcess node) throws Exception {
    return Cli.ok("presence", "race/1", "--url", node.management("").toString());
  }
}
