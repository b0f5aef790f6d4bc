package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code galop explain} of two nodes of the packed jar, asked at the one that stores nothing. */
@Timeout(180)
class ExplainIT {
  private static final String SCRIPT =
      """
      function enrich(r) {
        if (r.data.v === 13) throw new Error('thirteen');
        return [{data: {v: r.data.v * 2}}, {topic: 'out/' + r.data.v, data: {w: r.data.v}}];
      }
      """;

  @TempDir private Path directory;

  private static void publish(GalopProcess to, String topic, String id, int value)
      throws Exception {
    String line =
        "{\"topic\":\"%s\",\"id\":\"%s\",\"data\":{\"v\":%d}}\n".formatted(topic, id, value);
    assertEquals(202, Stored.post(to.http("/publish"), "application/x-ndjson", line).statusCode());
  }

  private static JsonObject explain(GalopProcess node, String query) throws Exception {
    return new JsonObject(Stored.get(node.management("/explain?" + query)).body());
  }

  private static JsonObject first(GalopProcess node, String query) throws Exception {
    return explain(node, query).getJsonArray("records").getJsonObject(0);
  }

  private static boolean isStored(GalopProcess node, String query) throws Exception {
    JsonArray stores = first(node, query).getJsonArray("stores");
    return stores.size() == 2 && stores.getJsonObject(0).getBoolean("holds");
  }

  private static boolean isFed(GalopProcess node, String query) throws Exception {
    JsonArray shown = first(node, query).getJsonArray("shown");
    return shown.size() == 1 && shown.getJsonObject(0).getJsonObject("fed").containsKey("time");
  }

  @Test
  void explainsARecordOverAllNodes() throws Exception {
    Files.writeString(directory.resolve("s.js"), SCRIPT);
    List<String> shared =
        List.of(
            "--set",
            "cluster.maxSilenceSeconds=15",
            "--set",
            "persist.cold.every=1",
            "--set",
            "enrich.chain=[{script: {topics: [raw/+], file: s.js}}]",
            "--set",
            "persist.cold.stores=[{archive: {directory: %s}}]".formatted(directory.resolve("kept")),
            "--set",
            "enrich.directory=" + directory);
    try (Nodes nodes = new Nodes(directory, List.of("a", "front"), shared)) {
      GalopProcess owner = nodes.start("a", "ingest,enrich,persist");
      GalopProcess front = nodes.start("front", "broadcast");
      publish(owner, "plain", "p1", 1);
      publish(owner, "raw/1", "r1", 7);
      publish(owner, "raw/1", "bad", 13);
      Await.until("it is stored", 120, () -> isStored(front, "id=p1"));
      Lag.awaitNone(owner, List.of("embedded", "archive"), 60);
      Await.until("it is fed", 120, () -> isFed(front, "id=p1"));
      plain(owner, front);
      watched(owner, front);
      derived(front);
      String url = "http://" + front.address("management");
      Cli.Ended none = Cli.run("explain", "nobody", "--topic", "plain", "--url", url);
      assertEquals(1, none.code(), none.text());
      assertTrue(none.text().contains("nobody on plain: not known, because no node"), none.text());
      String archive = "the store archive of a gave no answer: it is not asked: ";
      assertTrue(none.text().contains(archive), none.text());
      owner.kill();
      Await.until(
          "the node that is gone is named or missed",
          60,
          () -> explain(front, "id=p1").getJsonArray("records").isEmpty());
    }
  }

  private static void plain(GalopProcess owner, GalopProcess front) throws Exception {
    String url = "http://" + front.address("management");
    String text = Cli.ok("explain", "p1", "--url", url);
    assertTrue(text.contains("p1 on plain"), text);
    assertTrue(text.contains("by the door http of a with its Batch at 20"), text);
    assertTrue(text.contains("yes; when: 20"), text);
    assertTrue(text.contains("embedded of a: has it; behind the Log by about 0 records"), text);
    assertTrue(text.contains("archive of a: not known, because it is not asked: "), text);
    assertTrue(text.contains("front: fed 20"), text);
    assertTrue(text.contains("0 registrations watch the topic now"), text);
    assertTrue(text.contains("it is the newest value"), text);
    assertTrue(text.contains("the data is what was published"), text);
    assertTrue(text.contains("{\"v\":1}"), text);
    assertFalse(text.contains("NO ANSWER"), text);

    JsonObject before = first(front, "id=p1");
    publish(owner, "plain", "p2", 2);
    Await.until(
        "the newer value is fed",
        120,
        () ->
            !""
                .equals(
                    first(front, "id=p1")
                        .getJsonArray("shown")
                        .getJsonObject(0)
                        .getValue("newer")));
    JsonObject after = first(front, "id=p1");
    assertEquals(before.getJsonObject("placed"), after.getJsonObject("placed"));
    assertEquals(before.getJsonObject("logged"), after.getJsonObject("logged"));
    assertEquals(
        first(front, "id=p2").getString("pos"),
        after.getJsonArray("shown").getJsonObject(0).getValue("newer"));
  }

  /** Notes when the record w1 came. */
  private static final class Watch implements WebSocket.Listener {
    private final CompletableFuture<Instant> came = new CompletableFuture<>();

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
      if (data.toString().contains("\"w1\"")) {
        came.complete(Instant.now());
      }
      from.request(1);
      return null;
    }
  }

  /** A viewer knows when it got a record: before, and after it was published, it was written. */
  private static void watched(GalopProcess owner, GalopProcess front) throws Exception {
    Watch watch = new Watch();
    String live = "ws" + front.http("/live/websocket").toString().substring("http".length());
    WebSocket socket =
        HttpClient.newHttpClient()
            .newWebSocketBuilder()
            .buildAsync(URI.create(live), watch)
            .get(60, TimeUnit.SECONDS);
    socket.sendText("{\"type\":\"register\",\"address\":\"watched/+\"}", true).get();
    publish(owner, "watched/1", "w0", 1); // whether it comes is not told
    Await.until("it watches", 120, () -> shown(front, "w0").getInteger("registrations") == 1);
    Instant begin = Instant.now();
    publish(owner, "watched/1", "w1", 1);
    Instant came = watch.came.get(60, TimeUnit.SECONDS);
    Await.until("it was sent", 120, () -> reach(front, "w1").getInteger("sent", 0) == 1);
    Instant end = Instant.now();
    JsonObject written = reach(front, "w1").getJsonObject("written");
    Instant first = Instant.parse(written.getString("first"));
    Instant last = Instant.parse(written.getString("last"));
    String all = "from " + begin + " to " + end + ", came " + came + ": " + written;
    assertEquals(1, written.getInteger("registrations"), all);
    assertTrue(first.plusMillis(1).isAfter(begin) && !first.isAfter(came), all);
    assertTrue(!last.isBefore(first) && last.minusMillis(1).isBefore(end), all);
    String url = "http://" + front.address("management");
    String text = Cli.ok("explain", "w1", "--url", url);
    String told = "written to the sockets of 1 from %s to %s";
    assertTrue(
        text.contains(told.formatted(written.getString("first"), written.getString("last"))), text);
    socket.abort();
  }

  private static JsonObject shown(GalopProcess front, String id) throws Exception {
    return first(front, "id=" + id).getJsonArray("shown").getJsonObject(0);
  }

  private static JsonObject reach(GalopProcess front, String id) throws Exception {
    return shown(front, id).getJsonObject("reach");
  }

  /** Of one message are there two records; of one that the script fails on a dead letter. */
  private static void derived(GalopProcess front) throws Exception {
    String url = "http://" + front.address("management");
    String text = Cli.ok("explain", "r1", "--topic", "raw/1", "--url", url);
    assertTrue(text.contains("r1 on raw/1") || text.contains("r1#1 on raw/1"), text);
    assertTrue(text.contains(" on out/7"), text);
    assertTrue(text.contains("a: script s.js "), text);
    assertTrue(text.contains("not known, because a step made the record of r1"), text);
    JsonObject one = explain(front, "id=r1&topic=raw%2F1&limit=1");
    assertEquals(1, one.getJsonArray("records").size());
    JsonObject two = explain(front, "id=r1&topic=raw%2F1&limit=1&next=" + one.getString("next"));
    assertEquals(1, two.getJsonArray("records").size());
    assertFalse(two.containsKey("next"));
    assertFalse(
        one.getJsonArray("records")
            .getJsonObject(0)
            .getString("pos")
            .equals(two.getJsonArray("records").getJsonObject(0).getString("pos")));
    JsonObject letter = first(front, "id=bad&topic=raw%2F1");
    assertTrue(letter.getString("topic").startsWith("$dead-letter/script/"), "" + letter);
    assertTrue(letter.getString("data").contains("thirteen"), "" + letter);
  }
}
