package io.galop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Dead letters on the management port of a real node: looked at, driven again, mended. */
@Tag("slow")
@Timeout(240)
class DeadLettersTest {
  private static final String PATH = "/dead-letters";
  private static final String TOPIC = "race/1";
  private static final String BROKEN =
      "function enrich(record) { if (record.data.bad) throw new Error('boom'); return record; }\n";

  @TempDir Path directory;
  private final HttpClient http = HttpClient.newHttpClient();

  private OperatedNode start() throws IOException {
    script(BROKEN);
    String chain = "enrich.chain=[{script: {file: bad.js, watchMs: 100, shadow: {seconds: 0}}}]";
    return OperatedNode.start(directory, chain, "ingest.token=doors");
  }

  private void script(String text) throws IOException {
    Path whole = Files.writeString(directory.resolve("bad.js.whole"), text);
    Files.move(whole, directory.resolve("bad.js"), StandardCopyOption.REPLACE_EXISTING);
  }

  private HttpResponse<String> door(OperatedNode node, String path, String body) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://" + node.address("http") + path))
            .header("Accept", "application/x-ndjson")
            .header("Authorization", "Bearer doors");
    return http.send(
        (body.isEmpty() ? request : request.POST(BodyPublishers.ofString(body))).build(),
        BodyHandlers.ofString());
  }

  private void publish(OperatedNode node, String topic, String id, String data) throws Exception {
    String line = "{\"topic\":\"%s\",\"id\":\"%s\",\"data\":%s}\n".formatted(topic, id, data);
    HttpResponse<String> answer = door(node, "/publish", line);
    assertEquals(202, answer.statusCode(), answer.body());
  }

  /** Ids of the topic with the field n, in their order. */
  private List<String> stored(OperatedNode node, String topic) throws Exception {
    return door(node, "/history/" + topic, "")
        .body()
        .lines()
        .map(JsonObject::new)
        .flatMap(
            one -> Stream.of(one.getString("id") + "=" + one.getJsonObject("data").getValue("n")))
        .toList();
  }

  /** A script is in use some time after it was written. */
  private void mend(OperatedNode node) throws IOException {
    script("function enrich(record) { record.data.n += 0.5; return record; }\n");
    int[] probe = {0};
    node.await(
        "the mended script is in use",
        () -> {
          publish(node, "probe", "p" + ++probe[0], "{\"n\":0}");
          return stored(node, "probe").contains("p" + probe[0] + "=0.5");
        });
  }

  private static JsonObject letters(OperatedNode node, String query) throws Exception {
    HttpResponse<String> answer = node.get(PATH + query, OperatedNode.VIEWER);
    assertEquals(200, answer.statusCode(), answer.body());
    return new JsonObject(answer.body());
  }

  private static List<JsonObject> of(JsonObject found) {
    return found.getJsonArray("letters").stream().map(JsonObject.class::cast).toList();
  }

  private static String id(OperatedNode node, String record) throws Exception {
    return of(letters(node, "")).stream()
        .filter(one -> one.getJsonObject("record").getString("id").equals(record))
        .map(one -> one.getString("id"))
        .findFirst()
        .orElseThrow();
  }

  private static String redrive(OperatedNode node, int status, JsonObject order) throws Exception {
    HttpResponse<String> answer =
        node.post(PATH + "/redrive", OperatedNode.OPERATOR, order.encode());
    assertEquals(status, answer.statusCode(), answer.body());
    StringBuilder told = new StringBuilder();
    for (JsonObject one : of(new JsonObject(answer.body()))) {
      told.append(one.getString("sentAs", "-")).append(' ').append(one.getString("outcome"));
      told.append(' ').append(one.getString("reason", "")).append(';');
    }
    return told.toString();
  }

  private static JsonObject ids(String... ids) {
    return new JsonObject().put("ids", new JsonArray(List.of(ids)));
  }

  private void refuse(OperatedNode node, int records) throws Exception {
    for (int n = 1; n <= records; n++) {
      publish(node, TOPIC, "r" + n, "{\"bad\":true,\"n\":%d}".formatted(n));
    }
  }

  @Test
  void theNewestAreShownPageByPage() throws Exception {
    try (OperatedNode node = start()) {
      refuse(node, 3);
      JsonObject all = letters(node, "");
      assertEquals(List.of("r3", "r2", "r1"), records(all));
      assertFalse(all.getBoolean("more"));
      assertEquals(new JsonArray(), all.getJsonArray("missing"));
      JsonObject first = of(all).get(0);
      assertEquals("script bad", first.getString("stage") + " " + first.getString("rule"));
      assertTrue(first.getString("message").contains("boom"), first::encode);
      assertEquals("{\"bad\":true,\"n\":3}", first.getString("data"));
      assertEquals("r3~1", first.getString("nextId"));
      JsonObject two = letters(node, "?limit=2");
      assertEquals(List.of("r3", "r2"), records(two));
      assertTrue(two.getBoolean("more"));
      String before = "&before=" + URLEncoder.encode(two.getString("before"), UTF_8);
      JsonObject rest = letters(node, "?limit=2" + before);
      assertEquals(List.of("r1"), records(rest));
      assertFalse(rest.getBoolean("more"));
      assertEquals(3, of(letters(node, "?filter=%24dead-letter/script/bad")).size());
      assertEquals(0, of(letters(node, "?filter=%24dead-letter/store/%2B")).size());
      assertEquals(3, of(letters(node, "?reason=script_failed")).size());
      assertEquals(0, of(letters(node, "?reason=too_large")).size());
      String one = URLEncoder.encode(first.getString("id"), UTF_8);
      assertEquals(List.of("r3"), records(letters(node, "?id=" + one)));
      for (String wrong : List.of("?filter=race/1", "?limit=0", "?before=x", "?id=x")) {
        assertEquals(400, node.get(PATH + wrong, OperatedNode.VIEWER).statusCode(), wrong);
      }
    }
  }

  private static List<String> records(JsonObject found) {
    return of(found).stream().map(one -> one.getJsonObject("record").getString("id")).toList();
  }

  @Test
  void redrivenTwiceEachIsStoredOnce() throws Exception {
    try (OperatedNode node = start()) {
      refuse(node, 3);
      String first = id(node, "r1");
      assertEquals("r1~1 failed_again script_failed;", redrive(node, 409, ids(first)));
      assertEquals("r1~1", failedAgain(node, first));
      mend(node);
      JsonObject all = ids(first, id(node, "r2"), id(node, "r3"));
      String done = "r1~2 acknowledged ;r2~1 acknowledged ;r3~1 acknowledged ;";
      assertEquals(done, redrive(node, 200, all));
      assertEquals(List.of("r1~2=1.5", "r2~1=2.5", "r3~1=3.5"), stored(node, TOPIC));
      assertEquals(done, redrive(node, 200, all), "twice");
      JsonObject filter = new JsonObject().put("filter", "$dead-letter/script/+");
      HttpResponse<String> byFilter =
          node.post(PATH + "/redrive", OperatedNode.OPERATOR, filter.encode());
      assertEquals(400, byFilter.statusCode(), byFilter.body());
      String unknown = "1:no#0\t$dead-letter/script/bad";
      assertEquals("- unknown unknown_letter;", redrive(node, 409, ids(unknown)));
    }
  }

  private static String failedAgain(OperatedNode node, String id) throws Exception {
    return of(letters(node, "")).stream()
        .filter(one -> one.getString("id").equals(id))
        .findFirst()
        .orElseThrow()
        .getString("failedAgainAs");
  }

  @Test
  void aLetterIsMendedAndItsNameAndTheActAreKept() throws Exception {
    try (OperatedNode node = start()) {
      refuse(node, 1);
      JsonObject order = ids(id(node, "r1"));
      HttpResponse<String> wrong =
          node.post(
              PATH + "/redrive",
              OperatedNode.OPERATOR,
              order.copy().put("data", "{\"n\":\n 1,}").encode());
      assertEquals(400, wrong.statusCode());
      assertTrue(wrong.body().contains("(line 2, column "), wrong.body());
      String text = "{\n  \"n\": 1.50,\n  \"text\": \"%s\"\n}".formatted("x".repeat(1_000));
      order.put("data", text);
      assertEquals("r1~1 acknowledged ;", redrive(node, 200, order));
      assertEquals(
          "r1~1 acknowledged ;", redrive(node, 200, ids(order.getJsonArray("ids").getString(0))));
      assertEquals(List.of("r1~1=1.5"), stored(node, TOPIC), "once, and as it was mended");
      List<JsonObject> audit = node.audit("dead-letters/redrive");
      assertEquals(
          List.of("begun", "failed", "begun", "done", "begun", "done"),
          audit.stream().map(line -> line.getString("outcome")).toList());
      JsonObject mended = audit.get(3);
      assertEquals("anna", mended.getString("operator"));
      assertEquals("r1~1", mended.getString("sentAs"));
      JsonObject parameters = mended.getJsonObject("parameters");
      assertTrue(parameters.getString("ids").contains("r1#0"));
      assertEquals("1", parameters.getString("letters"));
      assertEquals(64, parameters.getString("idsSha256").length());
      assertEquals(text, parameters.getString("mended"), "the whole");
      assertEquals(64, parameters.getString("mendedSha256").length());
      String told = node.get("/audit", OperatedNode.OPERATOR).body();
      assertTrue(told.contains("x".repeat(1_000)), told);
      String large = order.put("data", "x".repeat(600 * 1024)).encode();
      HttpResponse<String> refused = node.post(PATH + "/redrive", OperatedNode.OPERATOR, large);
      assertEquals(413, refused.statusCode(), "no more than a record and names are read");
      assertFalse(audit.get(5).encode().contains("mended"), "as it came");
    }
  }

  @Test
  void whoeverOnlyLooksChangesNothing() throws Exception {
    try (OperatedNode node = start()) {
      refuse(node, 1);
      mend(node);
      String order = ids(id(node, "r1")).encode();
      assertEquals(403, node.post(PATH + "/redrive", OperatedNode.VIEWER, order).statusCode());
      assertEquals(401, node.post(PATH + "/redrive", "", order).statusCode());
      assertEquals(401, node.get(PATH, "").statusCode());
      assertEquals(List.of(), stored(node, TOPIC));
    }
  }
}
