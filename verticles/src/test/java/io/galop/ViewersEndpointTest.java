package io.galop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.broadcast.edge.TestTokens;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Viewers that operators look for, look at and send away; whoever only looks may not. */
@Tag("slow")
@Timeout(240)
class ViewersEndpointTest {
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  @TempDir Path directory;

  private static CompletableFuture<Integer> watch(OperatedNode node, String token, String filter)
      throws Exception {
    CompletableFuture<Integer> closed = new CompletableFuture<>();
    String live = "ws://" + node.address("http") + "/live/websocket?token=" + token;
    WebSocket socket =
        HTTP.newWebSocketBuilder()
            .buildAsync(
                URI.create(live),
                new WebSocket.Listener() {
                  @Override
                  public CompletionStage<?> onClose(WebSocket ended, int code, String reason) {
                    closed.complete(code);
                    return null;
                  }
                })
            .get(60, TimeUnit.SECONDS);
    JsonObject register = new JsonObject().put("type", "register").put("address", filter);
    socket.sendText(register.encode(), true).get(60, TimeUnit.SECONDS);
    return closed;
  }

  private static JsonObject find(OperatedNode node, String login, String question)
      throws Exception {
    HttpResponse<String> answer = node.get("/viewers?find=" + question, login);
    assertEquals(200, answer.statusCode(), answer.body());
    return new JsonObject(answer.body());
  }

  private static String order(JsonObject viewer) {
    return new JsonObject()
        .put("node", viewer.getString("node"))
        .put("id", viewer.getString("id"))
        .encode();
  }

  private static void publish(OperatedNode node, String topic) throws Exception {
    URI door = URI.create("http://" + node.address("http") + "/publish/" + topic);
    HttpRequest record = HttpRequest.newBuilder(door).POST(BodyPublishers.ofString("{}")).build();
    assertEquals(202, HTTP.send(record, BodyHandlers.discarding()).statusCode());
  }

  private static List<String> acts(OperatedNode node, String action) throws Exception {
    return node.audit(action).stream()
        .map(line -> line.getString("login") + " " + line.getString("outcome"))
        .toList();
  }

  @Test
  void whoMayLooksAtOneAndSendsItAway() throws Exception {
    TestTokens issuer = TestTokens.of("HS256", directory);
    try (OperatedNode node =
        OperatedNode.start(directory, issuer.settings().toArray(String[]::new))) {
      String token = issuer.token("rita", 3_600, "#");
      CompletableFuture<Integer> one = watch(node, token, "race/1");
      watch(node, issuer.token("sam", 3_600, "#"), "race/2");
      node.await(
          "both watch", () -> find(node, OperatedNode.VIEWER, "race/").getLong("matched") == 2);
      JsonObject hers = find(node, OperatedNode.OPERATOR, "RITA");
      assertEquals(1, hers.getLong("matched"), hers::encode);
      assertEquals(new JsonArray(), hers.getJsonArray("unanswered"));
      JsonObject viewer = hers.getJsonArray("viewers").getJsonObject(0);
      assertEquals("rita", viewer.getString("subject"));
      assertEquals("websocket", viewer.getString("transport"));
      assertNothingForWhoOnlyLooks(node, viewer);
      lookAt(node, viewer);
      HttpResponse<String> ended =
          node.post("/viewers/disconnect", OperatedNode.OPERATOR, order(viewer));
      assertEquals(200, ended.statusCode(), ended.body());
      assertEquals(3012, one.get(60, TimeUnit.SECONDS));
      assertEquals(
          List.of("token refused", "token begun", "token done"), acts(node, "viewers/disconnect"));
      String again = node.post("/viewers/disconnect", OperatedNode.OPERATOR, order(viewer)).body();
      assertEquals("no_viewer", new JsonObject(again).getString("reason"));
      watch(node, token, "race/1"); // its token is as good as before
    }
  }

  private static void assertNothingForWhoOnlyLooks(OperatedNode node, JsonObject viewer)
      throws Exception {
    JsonObject found = find(node, OperatedNode.VIEWER, "race/1&by=topic");
    assertFalse(found.getJsonArray("viewers").getJsonObject(0).containsKey("subject"));
    assertFalse(found.getBoolean("subjects"));
    assertEquals(0, find(node, OperatedNode.VIEWER, "rita").getLong("matched"));
    String bySubject = "/viewers?find=rita&by=subject";
    assertEquals(403, node.get(bySubject, OperatedNode.VIEWER).statusCode());
    for (String path : List.of("/viewers/frames", "/viewers/disconnect")) {
      HttpResponse<String> refused = node.post(path, OperatedNode.VIEWER, order(viewer));
      assertEquals(403, refused.statusCode());
      assertEquals("role_viewer", new JsonObject(refused.body()).getString("reason"));
    }
    assertEquals(403, node.get("/viewers/frames", OperatedNode.VIEWER).statusCode());
    assertEquals(401, node.get("/viewers?find=", "").statusCode());
  }

  private static void lookAt(OperatedNode node, JsonObject viewer) throws Exception {
    HttpResponse<String> wrong = node.post("/viewers/frames", OperatedNode.OPERATOR, "{}");
    assertEquals(400, wrong.statusCode(), wrong.body());
    HttpResponse<String> begun = node.post("/viewers/frames", OperatedNode.OPERATOR, order(viewer));
    assertEquals(200, begun.statusCode(), begun.body());
    String look = new JsonObject(begun.body()).getString("look");
    String path = "/viewers/frames?node=" + viewer.getString("node") + "&look=" + look;
    publish(node, "race/1");
    node.await(
        "its record is seen",
        () ->
            node.get(path, OperatedNode.OPERATOR).body().contains("\\\"topic\\\":\\\"race/1\\\""));
    assertEquals(404, node.get(path + "x", OperatedNode.OPERATOR).statusCode());
    node.await("it stands in the audit log", () -> !node.audit("viewers/look").isEmpty());
    JsonObject line = node.audit("viewers/look").get(0);
    assertEquals("rita", line.getJsonObject("parameters").getString("subject"));
    assertEquals("anna", line.getJsonObject("parameters").getString("operator"));
    List<String> begins =
        acts(node, "viewers/frames").stream().filter(one -> one.startsWith("token")).toList();
    assertTrue(
        begins.containsAll(List.of("token begun", "token done", "token refused")), "" + begins);
  }

  @Test
  void aWrongQuestionIsToldWhatIsWrong() throws Exception {
    try (OperatedNode node = OperatedNode.start(directory)) {
      for (String wrong : List.of("&by=x", "&limit=0", "&limit=501", "&by=topic")) {
        HttpResponse<String> answer = node.get("/viewers?find=" + wrong, OperatedNode.OPERATOR);
        assertEquals(400, answer.statusCode(), wrong);
        assertEquals("invalid_parameter", new JsonObject(answer.body()).getString("reason"));
      }
      String order = "{\"node\":\"nobody\",\"id\":\"1\"}";
      HttpResponse<String> none = node.post("/viewers/frames", OperatedNode.OPERATOR, order);
      assertEquals("no_node", new JsonObject(none.body()).getString("reason"));
    }
  }
}
