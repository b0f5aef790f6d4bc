package io.galop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.broadcast.edge.TestTokens;
import io.galop.cli.TestConsole;
import io.galop.e2e.Await;
import io.galop.servers.Ports;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How many viewers there are: on a node, behind a relay, and who is told. */
@Tag("slow")
@Timeout(180)
class PresenceTest {
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  @TempDir Path directory;

  private GalopNode start(String name, String... more) {
    return new RelayNodes(directory, 1, "").start(name, more);
  }

  private static HttpResponse<String> get(GalopNode node, String port, String path, String token)
      throws Exception {
    return ask("GET", node, port, path, token);
  }

  private static HttpResponse<String> ask(
      String method, GalopNode node, String port, String path, String token) throws Exception {
    URI uri = URI.create("http://" + node.listeners().get(port) + path);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri).method(method, HttpRequest.BodyPublishers.noBody());
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    return HTTP.send(request.build(), BodyHandlers.ofString());
  }

  private static JsonObject presence(GalopNode node, String filter) throws Exception {
    String query = URLEncoder.encode(filter, StandardCharsets.UTF_8);
    HttpResponse<String> answer = get(node, "management", "/presence?filter=" + query, "");
    assertEquals(200, answer.statusCode(), answer.body());
    return new JsonObject(answer.body());
  }

  private static long viewers(GalopNode node, String filter) throws Exception {
    return presence(node, filter).getLong("viewers");
  }

  private static final class Viewer extends FeedViewer {
    Viewer(GalopNode node, String... filters) throws Exception {
      super(HTTP, node);
      for (String filter : filters) {
        say("register", filter);
      }
    }

    void say(String type, String filter) throws Exception {
      say(type, filter, new JsonObject().put("snapshot", "true"));
    }

    List<JsonObject> bodies() {
      return records().stream()
          .map(one -> one.getJsonObject("body").getJsonObject("data"))
          .toList();
    }
  }

  @Test
  void aViewerCountsOnceForAllThatItHasRegistered() throws Exception {
    try (GalopNode node = start("n", "broadcast.showReserved=true")) {
      assertEquals(0, viewers(node, "#"));
      Viewer one = new Viewer(node, "race/1", "race/+", "$alarm/x");
      Viewer two = new Viewer(node, "race/1", "race/2/runner/#");
      // Registered last of what each registers.
      Await.until("one is there", 60, () -> viewers(node, "$alarm/x") == 1);
      Await.until("two is there", 60, () -> viewers(node, "race/2/runner/7") == 1);
      assertEquals(2, viewers(node, "race/1"));
      assertEquals(2, viewers(node, "race/2/runner/7") + viewers(node, "race/9"));
      assertEquals(2, viewers(node, "#"));
      assertEquals(2, viewers(node, "race/#"));
      assertEquals(2, viewers(node, "race/2/#"), "# means the level above it too");
      assertEquals(1, viewers(node, "+/2"), "race/+ means race/2, and race/2/runner/# does not");
      assertEquals(0, viewers(node, "other/#"));
      assertEquals(1, viewers(node, "$alarm/#"));
      assertEquals(
          new JsonArray().add(new JsonObject().put("node", "n").put("viewers", 2)),
          presence(node, "race/1").getJsonArray("parts"));
      assertFalse(presence(node, "race/1").getBoolean("partial"));
      TestConsole console = new TestConsole();
      String url = "http://" + node.listeners().get("management");
      assertEquals(0, console.run("presence", "race/1", "--url", url), console.err());
      assertEquals("race/1: 2 viewers\n  node n: 2\n", console.out());
      two.say("unregister", "race/1");
      Await.until("one has unregistered", 60, () -> viewers(node, "race/1") == 1);
      one.leave();
      Await.until("one has left", 60, () -> viewers(node, "race/1") == 0);
    }
  }

  @Test
  void aWrongQuestionIsToldWhatIsWrong() throws Exception {
    try (GalopNode node = start("n")) {
      for (String query : List.of("", "?topic=a&filter=b", "?topic=a/%23", "?filter=a/%23/b")) {
        HttpResponse<String> answer = get(node, "management", "/presence" + query, "");
        assertEquals(400, answer.statusCode(), query);
        JsonObject refusal = new JsonObject(answer.body());
        assertFalse(refusal.getString("error").isEmpty());
        assertEquals("invalid_parameter", refusal.getString("reason"), query);
      }
      assertEquals(403, get(node, "http", "/presence?topic=a", "").statusCode());
    }
  }

  @Test
  void theHttpPortAnswersWhoMayReadPresence() throws Exception {
    TestTokens issuer = TestTokens.of("HS256", directory);
    try (GalopNode node = start("n", issuer.settings().toArray(String[]::new))) {
      String path = "/presence?topic=a";
      assertEquals(401, get(node, "http", path, "").statusCode());
      assertEquals(403, get(node, "http", path, issuer.token("anna", 60, "#")).statusCode());
      String some = issuer.token("anna", 60, "$presence/a");
      assertEquals(403, get(node, "http", path, some).statusCode());
      String all = issuer.token("anna", 60, "$presence/#");
      HttpResponse<String> answer = get(node, "http", path, all);
      assertEquals(200, answer.statusCode(), answer.body());
      JsonObject told = new JsonObject(answer.body());
      assertEquals(0, told.getInteger("viewers"));
      assertFalse(told.containsKey("parts"), "who runs what is nothing for viewers");
      HttpResponse<String> head = ask("HEAD", node, "http", path, all);
      assertEquals(200, head.statusCode());
      assertEquals("", head.body());
      String methods = ask("OPTIONS", node, "http", path, all).headers().map().get("Allow").get(0);
      assertEquals("GET, HEAD, OPTIONS", methods);
    }
  }

  @Test
  void changesAreRecords() throws Exception {
    try (GalopNode node =
        start(
            "n",
            "ingest.presence.topics=[race/+, quiet]",
            "ingest.presence.vacatedAfterMs=0",
            "broadcast.showReserved=true")) {
      Viewer reader = new Viewer(node, "$presence/race/*");
      JsonObject nobody = said(0, false);
      Await.until("nobody watches", 60, () -> reader.bodies().contains(nobody));
      Viewer viewer = new Viewer(node, "race/7");
      Await.until("somebody watches", 60, () -> reader.bodies().contains(said(1, true)));
      viewer.leave();
      Await.until("nobody does any more", 60, () -> last(reader).equals(nobody));
      Viewer late = new Viewer(node, "$presence/#");
      Await.until(
          "it is kept", 60, () -> late.bodies().size() == 2 && late.bodies().contains(nobody));
    }
  }

  private static JsonObject said(int viewers, boolean occupied) {
    return new JsonObject().put("viewers", viewers).put("occupied", occupied).put("partial", false);
  }

  private static JsonObject last(Viewer reader) {
    List<JsonObject> all = reader.bodies();
    return all.get(all.size() - 1);
  }

  private GalopNode relay(int port) {
    return start(
        "relay",
        "node.roles=[broadcast]",
        "broadcast.interest=watched",
        "broadcast.link.host=127.0.0.1",
        "broadcast.link.port=" + port,
        "broadcast.link.insecure=true");
  }

  private GalopNode inside(int port, boolean questions) {
    String relay = "relays=[{host: 127.0.0.1, port: %d, insecure: true, questions: %b}]";
    return start("inside", relay.formatted(port, questions));
  }

  @Test
  void viewersOfARelayCountAndItsAbsenceIsTold() throws Exception {
    int port = Ports.free();
    try (GalopNode inside = inside(port, true)) {
      JsonObject cut = presence(inside, "a");
      assertTrue(cut.getBoolean("partial"));
      assertEquals(
          "127.0.0.1:" + port, cut.getJsonArray("missing").getJsonObject(0).getString("relay"));
      try (GalopNode relay = relay(port)) {
        Await.until("the relay tells", 60, () -> !presence(inside, "a").getBoolean("partial"));
        new Viewer(relay, "a");
        new Viewer(inside, "+");
        Await.until("both count", 60, () -> viewers(inside, "a") == 2);
        JsonObject own = presence(relay, "a");
        assertEquals(1, own.getInteger("viewers"));
        assertTrue(own.getBoolean("partial"), "a relay does not know those inside");
      }
      Await.until("the relay is missed", 60, () -> presence(inside, "a").getBoolean("partial"));
      assertEquals(1, viewers(inside, "a"));
    }
  }

  /** No node inside answers it, and it is in no group of those who get records. */
  @Test
  void aViewerThatWaitsForItsSnapshotCounts() throws Exception {
    try (GalopNode relay = relay(Ports.free())) {
      new Viewer(relay, "a", "+");
      Await.until("it counts", 60, () -> viewers(relay, "a") == 1);
      assertEquals(0, viewers(relay, "b/c"));
    }
  }

  @Test
  void aRelayThatMayTellNothingIsMissing() throws Exception {
    int port = Ports.free();
    try (GalopNode inside = inside(port, false);
        GalopNode relay = relay(port)) {
      Await.until(
          "there is a link", 60, () -> presence(inside, "a").encode().contains("questions"));
      new Viewer(relay, "a");
      assertTrue(presence(inside, "a").getBoolean("partial"));
    }
  }
}
