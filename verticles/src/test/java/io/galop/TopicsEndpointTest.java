package io.galop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.URLEncoder;
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

/** What the management port tells of topics: which there are, their last values and their past. */
@Tag("slow")
@Timeout(180)
class TopicsEndpointTest {
  private static final int TOPICS = 30;
  private static final int RECORDS = 90;

  @TempDir Path directory;

  private static HttpResponse<String> get(GalopNode node, String path) throws Exception {
    URI uri = URI.create("http://" + node.listeners().get("management") + path);
    return RelayNodes.HTTP.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
  }

  private static JsonObject answer(GalopNode node, String path) throws Exception {
    HttpResponse<String> answer = get(node, path);
    assertEquals(200, answer.statusCode(), answer.body());
    return new JsonObject(answer.body());
  }

  private static JsonObject find(GalopNode node, String name, String text, String more)
      throws Exception {
    String encoded = URLEncoder.encode(text, StandardCharsets.UTF_8);
    return answer(node, "/topics?" + name + "=" + encoded + more);
  }

  private static List<String> names(JsonObject found) {
    JsonArray topics = found.getJsonArray("topics");
    return topics.stream().map(one -> ((JsonObject) one).getString("topic")).toList();
  }

  @Test
  void topicsAreFoundByFilterAndByPart() throws Exception {
    RelayNodes nodes = new RelayNodes(directory, TOPICS, "x".repeat(300));
    try (GalopNode node = nodes.start("n")) {
      nodes.publish(node, RECORDS);
      JsonObject all = find(node, "filter", "#", "");
      assertEquals(TOPICS, all.getInteger("matched"));
      assertEquals(TOPICS, names(all).size());
      assertTrue(all.getBoolean("whole"));
      assertEquals(new JsonArray(), all.getJsonArray("unowned"));
      assertEquals(new JsonArray(), all.getJsonArray("unanswered"));
      JsonObject some = find(node, "filter", "+/#", "&limit=3");
      assertEquals(List.of("a/0", "a/1", "a/10"), names(some), "the first by name");
      assertEquals(TOPICS, some.getInteger("matched"));
      JsonObject first = some.getJsonArray("topics").getJsonObject(0);
      assertEquals("r60", first.getString("id"), "the last of its topic");
      assertEquals("n", first.getString("node"));
      assertTrue(first.getBoolean("dataCut"));
      assertEquals(200, first.getString("data").length());
      assertEquals(List.of("a/2", "a/20", "a/21"), names(find(node, "part", "A/2", "&limit=3")));
      assertEquals(11, find(node, "part", "A/2", "&limit=3").getInteger("matched"));
      assertEquals(List.of(), names(find(node, "part", "nothing", "")));
      assertEquals(List.of("a/7"), names(find(node, "filter", "a/7", "")));
    }
  }

  @Test
  void oneTopicHasAllOfItsValueAndItsPast() throws Exception {
    RelayNodes nodes = new RelayNodes(directory, TOPICS, "x".repeat(300));
    try (GalopNode node = nodes.start("n")) {
      nodes.publish(node, RECORDS);
      JsonObject one = find(node, "topic", "a/7", "");
      assertEquals(List.of("a/7"), names(one));
      JsonObject value = one.getJsonArray("topics").getJsonObject(0);
      assertFalse(value.getBoolean("dataCut"));
      assertEquals(67, new JsonObject(value.getString("data")).getInteger("n"));
      assertEquals(List.of(), names(find(node, "topic", "a/99", "")));
      JsonObject past = answer(node, "/topics/history?topic=a/7");
      assertEquals(List.of("r67", "r37", "r7"), ids(past), "the newest first");
      assertFalse(past.getBoolean("more"));
      assertEquals(new JsonArray(), past.getJsonArray("missing"));
      JsonObject newest = answer(node, "/topics/history?topic=a/7&limit=2");
      assertEquals(List.of("r67", "r37"), ids(newest));
      assertTrue(newest.getBoolean("more"));
    }
  }

  private static List<String> ids(JsonObject past) {
    JsonArray records = past.getJsonArray("records");
    return records.stream().map(one -> ((JsonObject) one).getString("id")).toList();
  }

  @Test
  void aWrongQuestionIsToldWhatIsWrong() throws Exception {
    RelayNodes nodes = new RelayNodes(directory, 1, "");
    try (GalopNode node = nodes.start("n");
        GalopNode viewing = nodes.relay("dmz", 0)) {
      for (String wrong :
          List.of("?filter=a/%23/b", "?topic=a/%23", "?limit=0", "?limit=1001", "/history")) {
        HttpResponse<String> answer = get(node, "/topics" + wrong);
        assertEquals(400, answer.statusCode(), wrong);
        assertEquals("invalid_parameter", new JsonObject(answer.body()).getString("reason"));
      }
      HttpResponse<String> none = get(viewing, "/topics");
      assertEquals(404, none.statusCode(), none.body());
      assertEquals("role_missing", new JsonObject(none.body()).getString("reason"));
    }
  }
}
