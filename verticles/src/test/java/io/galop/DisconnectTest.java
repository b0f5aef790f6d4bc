package io.galop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.broadcast.edge.TestTokens;
import io.galop.cli.TestConsole;
import io.galop.config.ConfigLoader;
import io.galop.e2e.Await;
import io.galop.servers.Ports;
import io.galop.servers.StoreProxy;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Viewers who are sent away by their subject, on two nodes that are started again. */
@Tag("slow")
@Timeout(240)
class DisconnectTest {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final List<String> LISTENERS =
      List.of("http", "management", "ingest.tcp", "ingest.mqtt", "ingest.bridge");

  @TempDir Path directory;
  private final String cluster = "test-" + System.nanoTime();
  private final int first = Ports.free();
  private final int second = Ports.free();
  private TestTokens issuer;

  @BeforeEach
  void makeIssuer() throws Exception {
    issuer = TestTokens.of("HS256", directory);
  }

  private List<String> alone(String name) {
    List<String> sets = new ArrayList<>(issuer.settings());
    sets.add("node.name=" + name);
    sets.add("node.dataDir=" + directory.resolve(name));
    LISTENERS.forEach(part -> sets.add(part + ".port=0"));
    return sets;
  }

  private static GalopNode start(List<String> sets) {
    return GalopNode.start(ConfigLoader.load(Optional.empty(), Map.of(), sets, Map.of()));
  }

  private GalopNode member(String name, String roles, int port) {
    List<String> sets = alone(name);
    sets.add("node.roles=" + roles);
    sets.add("cluster.members=['127.0.0.1:" + first + "', '127.0.0.1:" + second + "']");
    sets.add("cluster.name=" + cluster);
    sets.add("cluster.port=" + port);
    sets.add("cluster.busPort=0");
    return start(sets);
  }

  private static HttpResponse<String> disconnect(GalopNode node, String body, String... headers)
      throws Exception {
    URI uri = URI.create("http://" + node.listeners().get("management") + "/viewers/disconnect");
    HttpRequest.Builder request = HttpRequest.newBuilder(uri).POST(BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return HTTP.send(request.build(), BodyHandlers.ofString());
  }

  private static int status(GalopNode node, String token) throws Exception {
    URI live = URI.create("http://" + node.listeners().get("http") + "/live/info?token=" + token);
    return HTTP.send(HttpRequest.newBuilder(live).build(), BodyHandlers.ofString()).statusCode();
  }

  private static int history(GalopNode node, String token) throws Exception {
    URI past = URI.create("http://" + node.listeners().get("http") + "/history/a");
    HttpRequest.Builder request =
        HttpRequest.newBuilder(past).header("Authorization", "Bearer " + token);
    return HTTP.send(request.build(), BodyHandlers.ofString()).statusCode();
  }

  private static CompletableFuture<Integer> watch(GalopNode node, String token) throws Exception {
    CompletableFuture<Integer> closed = new CompletableFuture<>();
    String live = "ws://" + node.listeners().get("http") + "/live/websocket?token=" + token;
    HTTP.newWebSocketBuilder()
        .buildAsync(
            URI.create(live),
            new WebSocket.Listener() {
              @Override
              public CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
                closed.complete(code);
                return null;
              }
            })
        .get(60, TimeUnit.SECONDS);
    return closed;
  }

  private String issued(String subject, long secondsAgo) {
    long now = System.currentTimeMillis() / 1000;
    return issuer.sign(TestTokens.claims(subject, 3600, "#").put("iat", now - secondsAgo));
  }

  @Test
  void aSubjectIsSentAwayFromAllNodesAndStaysAway() throws Exception {
    String anna = issued("anna", 5);
    String timeless = issuer.token("anna", 3600, "#");
    String eve = issued("eve", 5);
    String later = issued("anna", -30);
    try (GalopNode inside = member("inside", "[ingest, enrich, persist]", first)) {
      JsonObject told;
      try (GalopNode front = member("front", "[broadcast]", second)) {
        CompletableFuture<Integer> annas = watch(front, anna);
        CompletableFuture<Integer> other = watch(front, timeless);
        CompletableFuture<Integer> eves = watch(front, eve);
        assertEquals(200, history(inside, anna));
        TestConsole console = new TestConsole();
        String url = "http://" + inside.listeners().get("management");
        assertEquals(
            0,
            console.run("disconnect", "--subject", "anna", "--url", url, "--json"),
            console.err());
        told = new JsonObject(console.out());
        assertEquals(2, told.getInteger("ended"), told.encode());
        assertEquals(2, told.getJsonArray("nodes").size());
        assertEquals(new JsonArray(), told.getJsonArray("unanswered"));
        assertEquals(3502, annas.get(60, TimeUnit.SECONDS));
        assertEquals(3502, other.get(60, TimeUnit.SECONDS));
        assertEquals(401, status(front, anna));
        assertEquals(401, status(front, timeless));
        assertEquals(200, status(front, later), "it is issued after that");
        assertEquals(200, status(front, eve));
        assertEquals(401, history(inside, anna));
        assertTrue(!eves.isDone());
      }
      assertTrue(Files.exists(directory.resolve("front").resolve("disconnected-subjects.json")));
      try (GalopNode again = member("front", "[broadcast]", second)) {
        assertEquals(401, status(again, anna));
        assertEquals(200, status(again, later));
      }
      try (GalopNode fresh = member("fresh", "[broadcast]", second)) {
        assertEquals(401, status(fresh, anna), "it has asked the others before it let anybody in");
        assertEquals(200, status(fresh, eve));
      }
    }
    try (GalopNode again = start(alone("inside"))) {
      assertEquals(401, history(again, anna), "it has saved that");
      assertEquals(401, status(again, timeless));
    }
  }

  /** A node that was cut off hears of it from whoever was not. */
  @Test
  void aNodeThatMissedItLearnsOfIt() throws Exception {
    String anna = issued("anna", 5);
    Path apart = directory.resolve("apart");
    Files.createDirectories(apart);
    JsonObject known = new JsonObject().put("anna", System.currentTimeMillis());
    try (GalopNode inside = member("inside", "[ingest, enrich, persist, broadcast]", first)) {
      CompletableFuture<Integer> annas = watch(inside, anna);
      Files.writeString(apart.resolve("disconnected-subjects.json"), known.encode());
      try (GalopNode other = member("apart", "[broadcast]", second)) {
        assertEquals(401, status(other, anna));
        assertEquals(3502, annas.get(60, TimeUnit.SECONDS));
        assertEquals(401, status(inside, anna));
      }
    }
  }

  private GalopNode relay(String name, int port) {
    List<String> sets = alone(name);
    sets.add("node.roles=[broadcast]");
    sets.addAll(
        List.of(
            "broadcast.link.host=127.0.0.1",
            "broadcast.link.port=" + port,
            "broadcast.link.insecure=true"));
    return start(sets);
  }

  /** A node inside that asks nobody for tokens, and dials a relay. */
  private GalopNode dialling(int port) {
    List<String> sets = alone("inside");
    sets.removeAll(issuer.settings());
    sets.add("relays=[{host: 127.0.0.1, port: " + port + ", insecure: true}]");
    return start(sets);
  }

  private static boolean is(GalopNode inside, String what) {
    URI status = URI.create("http://" + inside.listeners().get("management") + "/status");
    try {
      HttpRequest get = HttpRequest.newBuilder(status).build();
      JsonObject all = new JsonObject(HTTP.send(get, BodyHandlers.ofString()).body());
      return all.getJsonArray("links").getJsonObject(0).getBoolean(what);
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void awaitTold(GalopNode inside) throws Exception {
    Await.until("the relay knows who was sent away", 60, () -> is(inside, "revocationsTold"));
  }

  /** One that is up, one that is cut off, one that was started again, and one that is new. */
  @Test
  void relaysFollowTheOrderOfANodeInside() throws Exception {
    String anna = issued("anna", 5);
    String eve = issued("eve", 5);
    String fred = issued("fred", 5);
    try (StoreProxy link = new StoreProxy(first);
        GalopNode inside = dialling(link.port())) {
      try (GalopNode front = relay("front", first)) {
        awaitTold(inside);
        CompletableFuture<Integer> annas = watch(front, anna);
        TestConsole console = new TestConsole();
        String url = "http://" + inside.listeners().get("management");
        assertEquals(0, console.run("disconnect", "--subject", "anna", "--url", url));
        assertTrue(console.out().contains("  relay front: 1\n"), console.out());
        assertEquals(3502, annas.get(60, TimeUnit.SECONDS));
        assertEquals(401, status(front, anna));
        assertEquals(200, status(front, eve));
        link.cut(true);
        Await.until("the cut is known", 60, () -> !is(inside, "up"));
        HttpResponse<String> answer = disconnect(inside, "{\"subject\":\"eve\"}");
        assertEquals(504, answer.statusCode(), answer.body());
        assertTrue(answer.body().contains("\"did not answer: front\""), answer.body());
        assertEquals("unanswered", reason(answer));
        assertEquals(200, status(front, eve), "nobody could tell it");
        CompletableFuture<Integer> eves = watch(front, eve);
        link.pass();
        assertEquals(3502, eves.get(60, TimeUnit.SECONDS));
        assertEquals(401, status(front, eve));
        // A relay's own order stays there.
        assertEquals(200, disconnect(front, "{\"subject\":\"fred\"}").statusCode());
      }
      link.cut(true);
      try (GalopNode again = relay("front", first)) {
        assertEquals(401, status(again, anna), "it has saved that");
        assertEquals(401, status(again, eve));
        assertEquals(401, status(again, fred));
      }
      link.pass();
      try (GalopNode fresh = relay("fresh", first)) {
        awaitTold(inside);
        assertEquals(401, status(fresh, anna));
        assertEquals(401, status(fresh, eve));
        assertEquals(200, status(fresh, fred), "a relay tells nobody inside");
      }
    }
    assertTrue(Files.exists(directory.resolve("inside").resolve("disconnected-subjects.json")));
  }

  @Test
  void saysWhatIsWrongWithAnOrder() throws Exception {
    try (GalopNode node = start(alone("alone"))) {
      for (String bad : List.of("", "[]", "{}", "{\"subject\":1}", "{\"subject\":\"\"}", "x")) {
        HttpResponse<String> answer = disconnect(node, bad);
        assertEquals(400, answer.statusCode(), bad);
        assertTrue(answer.body().contains("subject"), answer.body());
        assertEquals("invalid_parameter", reason(answer));
      }
      HttpResponse<String> page = disconnect(node, "{\"subject\":\"a\"}", "Origin", "http://x");
      assertEquals(403, page.statusCode());
      assertEquals("other_page", reason(page));
      HttpResponse<String> nobody = disconnect(node, "{\"subject\":\"nobody\"}");
      assertEquals(200, nobody.statusCode());
      assertEquals(0, new JsonObject(nobody.body()).getInteger("ended"));
    }
    List<String> open = alone("open");
    open.removeAll(issuer.settings());
    try (GalopNode node = start(open)) {
      HttpResponse<String> answer = disconnect(node, "{\"subject\":\"anna\"}");
      assertEquals(409, answer.statusCode());
      assertTrue(answer.body().contains("broadcast.token"), answer.body());
      assertEquals("no_tokens", reason(answer));
    }
  }

  private static String reason(HttpResponse<String> answer) {
    return new JsonObject(answer.body()).getString("reason");
  }

  /** Where it cannot be saved it holds until a restart, and whoever asked is told. */
  @Test
  void saysWhatIsNotSaved() throws Exception {
    String anna = issued("anna", 5);
    try (GalopNode node = start(alone("alone"))) {
      Path place = directory.resolve("alone").resolve("disconnected-subjects.json.new");
      Files.createDirectory(place);
      HttpResponse<String> answer = disconnect(node, "{\"subject\":\"anna\"}");
      JsonObject told = new JsonObject(answer.body());
      assertEquals(500, answer.statusCode());
      assertEquals("could not save it: alone", told.getString("error"));
      assertEquals("unsaved", told.getString("reason"));
      assertEquals(new JsonArray().add("alone"), told.getJsonArray("unsaved"), told.encode());
      assertEquals(401, status(node, anna));
      Files.delete(place);
      Path saved = directory.resolve("alone").resolve("disconnected-subjects.json");
      Await.until("it is saved after all", 60, () -> Files.exists(saved));
    }
  }
}
