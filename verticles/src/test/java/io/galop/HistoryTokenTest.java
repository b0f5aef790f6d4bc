package io.galop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.broadcast.edge.TestTokens;
import io.galop.cli.TestConsole;
import io.galop.config.ConfigLoader;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who may not watch a topic may not read it up either. */
@Timeout(180)
class HistoryTokenTest {
  @TempDir private Path directory;

  private static HttpResponse<String> get(GalopNode node, String path, String token)
      throws Exception {
    URI uri = URI.create("http://" + node.listeners().get("http") + path);
    HttpRequest.Builder request = HttpRequest.newBuilder(uri);
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
  }

  private static void publish(GalopNode node, String lines) throws Exception {
    URI uri = URI.create("http://" + node.listeners().get("http") + "/publish");
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri)
            .header("Content-Type", "application/x-ndjson")
            .POST(HttpRequest.BodyPublishers.ofString(lines));
    assertEquals(
        202,
        HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString()).statusCode());
  }

  private static List<String> ids(GalopNode node, String query, String token) throws Exception {
    HttpResponse<String> answer = get(node, "/history/t/%23?" + query, token);
    assertEquals(200, answer.statusCode(), answer.body());
    return new JsonArray(answer.body())
        .stream().map(record -> ((JsonObject) record).getString("id")).toList();
  }

  /** Ten records of two topics within a second each, from 1,000 s on. */
  @Test
  void historyShowsWhatTheViewLeaves() throws Exception {
    TestTokens issuer = TestTokens.of("HS256", directory);
    List<String> sets = new ArrayList<>(issuer.settings());
    for (String part :
        List.of("http", "management", "ingest.tcp", "ingest.mqtt", "ingest.bridge")) {
      sets.add(part + ".port=0");
    }
    sets.add("node.dataDir=" + directory);
    String whole = issuer.token("anna", 60, "#");
    JsonObject view =
        new JsonObject().put("maxRate", 0.5).put("omit", new JsonArray().add("secret"));
    String part = issuer.sign(TestTokens.claims("anna", 60, "#").put("view", view));
    StringBuilder lines = new StringBuilder();
    for (int n = 0; n < 20; n++) {
      for (String topic : List.of("t/a", "t/b")) {
        lines.append(
            "{\"topic\":\"%s\",\"id\":\"%s%d\",\"time\":%d,\"data\":{\"secret\":%d,\"n\":%d}}%n"
                .formatted(topic, topic.charAt(2), n, 1_000_000_000L + n * 500_000L, n, n));
      }
    }
    try (GalopNode node =
        GalopNode.start(ConfigLoader.load(Optional.empty(), Map.of(), sets, Map.of()))) {
      publish(node, lines.toString());
      assertEquals(40, ids(node, "", whole).size());
      List<String> thin = List.of("a0", "b0", "a4", "b4", "a8", "b8", "a12", "b12", "a16", "b16");
      assertEquals(thin, ids(node, "", part), "two seconds between those of a topic");
      assertEquals(thin, ids(node, "", part), "also where the answer was kept");
      assertEquals(40, ids(node, "", whole).size(), "each view has answers of its own");
      assertEquals(thin.subList(0, 3), ids(node, "limit=3", part));
      assertEquals(List.of("b19", "a19", "b15", "a15"), ids(node, "order=desc&limit=4", part));
      assertEquals(List.of(), ids(node, "from=1001000000&to=1001600000", part), "no whole part");
      assertEquals(
          List.of("a4", "b4"), ids(node, "from=1000500000&to=1004700000", part), "one whole part");
      assertEquals(List.of(), ids(node, "from=" + Long.MAX_VALUE, part));
      assertEquals(List.of(), ids(node, "to=" + (Long.MIN_VALUE + 1), part));
      String one = get(node, "/history/t/a?limit=1", part).body();
      assertTrue(one.contains("\"data\":{\"n\":0}"), one);
      String now = "{\"topic\":\"t/c\",\"data\":{\"n\":1}}";
      publish(node, now);
      assertEquals(1, new JsonArray(get(node, "/history/t/c", whole).body()).size());
      String present = get(node, "/history/t/c?order=desc", part).body();
      assertTrue(new JsonArray(present).size() <= 1, "the present part may be over meanwhile");
    }
  }

  @Test
  void historyIsKeptToWhatTheTokenAllows() throws Exception {
    TestTokens issuer = TestTokens.of("HS256", directory);
    List<String> sets = new ArrayList<>(issuer.settings());
    sets.addAll(List.of("node.dataDir=" + directory, "http.port=0", "management.port=0"));
    sets.add("node.roles=[persist]");
    String token = issuer.token("anna", 60, "race/+/x");
    try (GalopNode node =
        GalopNode.start(ConfigLoader.load(Optional.empty(), Map.of(), sets, Map.of()))) {
      assertEquals(401, get(node, "/history/race/1/x", "").statusCode());
      assertEquals(401, get(node, "/history/race/1/x", token + "x").statusCode());
      assertEquals(401, get(node, "/history/race/1/x", token + "=").statusCode(), "padding");
      assertEquals(401, get(node, "/history/race/1/x", issuer.token("a", -1, "#")).statusCode());
      assertEquals(200, get(node, "/history/race/1/x", token).statusCode());
      assertEquals(200, get(node, "/history/race/+/x?limit=5", token).statusCode());
      for (String more : List.of("/history/%23", "/history/race/%2B/%2B", "/history//race/1/x")) {
        int status = get(node, more, token).statusCode();
        assertTrue(status == 403 || status == 400, more + " was answered with " + status);
      }
      assertEquals(404, get(node, "/history/race/1/x/../y", token).statusCode());
      for (String none : List.of("/history", "/history/", "//history")) {
        int status = get(node, none, token).statusCode();
        assertTrue(status >= 400 && status < 500, none + " was answered with " + status);
      }
      for (String other : List.of("/%68istory", "///history")) {
        HttpResponse<String> answer = get(node, other + "/race/1/x", token);
        assertEquals(404, answer.statusCode(), other);
        assertTrue(answer.body().contains("begin with /history/ as it is"), answer.body());
      }
      TestConsole console = new TestConsole();
      String url = "http://" + node.listeners().get("http");
      int exit = console.run("history", "race/1/x", "--url", url, "--viewer-token", token);
      assertEquals(0, exit, console.err());
      assertEquals(1, console.run("history", "race/1/x", "--url", url));
      assertTrue(console.err().contains("401"), console.err());
    }
  }
}
