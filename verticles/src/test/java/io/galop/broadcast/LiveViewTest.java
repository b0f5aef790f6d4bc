package io.galop.broadcast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.broadcast.edge.TestTokens;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a token's view leaves of the records, whatever is asked for. */
@Tag("slow")
@Timeout(180)
class LiveViewTest extends FeedTest {
  @TempDir private Path directory;
  private TestTokens issuer;

  @BeforeEach
  void startFeed() throws Exception {
    issuer = TestTokens.of("ES256", directory);
    start(issuer.settings().toArray(String[]::new));
  }

  private String token(JsonObject view) {
    return issuer.sign(TestTokens.claims("anna", 600, "#").put("view", view));
  }

  private LiveClient connect(String token) throws Exception {
    return LiveClient.connect(feed.vertx, feed.port(), "/live/websocket?token=" + token);
  }

  private LiveClient connect(JsonObject view) throws Exception {
    return connect(token(view));
  }

  private static JsonObject omit(String... names) {
    return new JsonObject().put("omit", List.of(names));
  }

  private static JsonObject rate(double most) {
    return new JsonObject().put("maxRate", most);
  }

  private static List<JsonObject> data(LiveClient client) {
    return client.all("rec").stream()
        .map(record -> record.getJsonObject("body").getJsonObject("data"))
        .toList();
  }

  @Test
  void leavesFieldsOutOfLiveRecordsSnapshotsAndWhatWasMissed() throws Exception {
    LiveClient whole = connect(issuer.token("eve", 600, "#"));
    LiveClient part = connect(omit("n"));
    LiveClient same = connect(omit("n"));
    LiveClient other = connect(omit("x"));
    for (LiveClient client : List.of(whole, part, same, other)) {
      client.register("a/1");
      client.register("a/+");
      client.settle();
    }
    feed.publish("a/1", 1);
    for (LiveClient client : List.of(whole, part, same, other)) {
      client.awaitIds(2);
    }
    JsonObject one = new JsonObject().put("n", 1);
    assertEquals(List.of(one, one), data(whole));
    assertEquals(List.of(one, one), data(other));
    assertEquals(List.of(new JsonObject(), new JsonObject()), data(part));
    assertEquals(List.of(new JsonObject(), new JsonObject()), data(same));

    LiveClient snapshot = connect(omit("n"));
    snapshot.register("a/#", Map.of("snapshot", "true"));
    snapshot.awaitFirst("live");
    assertEquals(List.of(new JsonObject()), data(snapshot));
    LiveClient resumed = connect(omit("n"));
    resumed.register("a/#", Map.of("since", since("a/1", 1, 0)));
    resumed.awaitFirst("live");
    assertTrue(data(resumed).stream().allMatch(JsonObject::isEmpty), resumed.messages.toString());
    feed.publish("a/1", 2);
    snapshot.awaitIds(2);
    assertTrue(data(snapshot).stream().allMatch(JsonObject::isEmpty), snapshot.messages.toString());
  }

  /** Who leaves takes nothing from those of another view of the same filter. */
  @Test
  void viewsOfAFilterEndOneByOne() throws Exception {
    LiveClient whole = connect(issuer.token("eve", 600, "#"));
    LiveClient part = connect(omit("n"));
    for (String filter : List.of("a/1", "a/#")) {
      whole.register(filter);
      part.register(filter);
    }
    whole.settle();
    part.settle();
    whole.send("{\"type\":\"unregister\",\"address\":\"a/#\"}");
    whole.send("{\"type\":\"unregister\",\"address\":\"a/1\"}");
    whole.settle();
    feed.publish("a/1", 1);
    part.awaitIds(2);
    part.close();
    whole.register("a/#");
    whole.settle();
    feed.publish("a/1", 2);
    assertEquals(List.of("a/1:2"), whole.awaitIds(1));
    assertEquals(2, data(whole).get(0).getInteger("n"));
  }

  /** Neither by headers, nor by updates of them, nor by other filters, nor by snapshots. */
  @Test
  void noTopicComesMoreOftenThanAllowed() throws Exception {
    LiveClient client = connect(rate(1));
    client.register("a/1", Map.of("maxRate", "1000", "mode", "every"));
    client.register("a/+", Map.of("snapshot", "true", "words", "true"));
    client.awaitFirst("live");
    long begun = System.nanoTime();
    int published = 0;
    while (System.nanoTime() - begun < 3_500_000_000L) {
      feed.publish("a/1", published++);
      PaceUpdateTest.update(client, "a/1", "maxRate", published % 2 == 0 ? 1000 : "");
      client.send("{\"type\":\"unregister\",\"address\":\"a/+\"}");
      client.register("a/+", Map.of("snapshot", "true", "words", "true"));
      client.settle();
    }
    long came = client.ids().size();
    double seconds = (System.nanoTime() - begun) / 1e9;
    assertTrue(came >= 2, came + " of " + published + " in " + seconds + " s");
    assertTrue(came <= seconds + 1, came + " of " + published + " in " + seconds + " s");
    String last = "a/1:" + (published - 1);
    LiveClient.await("the last one", () -> client.ids().contains(last));
  }

  /** Neither by headers, nor by updates of them. */
  @Test
  void noMoreBytesComeThanAllowed() throws Exception {
    LiveClient client = connect(new JsonObject().put("maxBytesPerSecond", 2000));
    client.register("a/1", Map.of("maxBytesPerSecond", 1_000_000));
    client.settle();
    long begun = System.nanoTime();
    for (int n = 0; n < 400; n++) {
      feed.publish("a/1", n);
      PaceUpdateTest.update(client, "a/1", "maxBytesPerSecond", n % 2 == 0 ? "" : 1_000_000);
      Thread.sleep(5);
    }
    long came = client.all("rec").stream().mapToLong(record -> record.encode().length()).sum();
    double seconds = (System.nanoTime() - begun) / 1e9;
    assertTrue(came >= 2000, came + " bytes in " + seconds + " s");
    assertTrue(came <= 2000 * (seconds + 1.3) + 500, came + " bytes in " + seconds + " s");
    LiveClient.await("the last one", () -> client.ids().contains("a/1:399"));
  }

  /** Else a viewer that registers again and again would get what it likes. */
  @Test
  void aSnapshotCountsAsWell() throws Exception {
    int topics = 60;
    for (int n = 0; n < topics; n++) {
      feed.publish("many/" + n, n);
    }
    LiveClient client = connect(new JsonObject().put("maxBytesPerSecond", 2000));
    long begun = System.nanoTime();
    client.register("many/#", Map.of("snapshot", "true"));
    client.awaitFirst("live");
    double seconds = (System.nanoTime() - begun) / 1e9;
    long came = client.all("rec").stream().mapToLong(record -> record.encode().length()).sum();
    assertEquals(topics, client.ids().size());
    assertTrue(came > 4000, came + " bytes");
    assertTrue(came <= 2000 * (seconds + 1.3) + 500, came + " bytes in " + seconds + " s");
    feed.publish("many/1", topics);
    LiveClient.await("what comes behind it", () -> client.ids().contains("many/1:" + topics));
  }

  /** Nor do they stop it, however the pace of the bytes and that of the records fall together. */
  @Test
  void aLongSnapshotDoesNotStopTheOtherRegistrations() throws Exception {
    int topics = 60;
    for (int n = 0; n < topics; n++) {
      feed.publish("many/" + n, n);
    }
    List<LiveClient> clients = new ArrayList<>();
    for (int rate = 1000; rate <= 4000; rate += 250) {
      LiveClient client = connect(new JsonObject().put("maxBytesPerSecond", rate));
      client.register("a/1", Map.of());
      client.settle();
      client.register("many/#", Map.of("snapshot", "true"));
      clients.add(client);
    }
    for (int n = 0; n < 1500 && !haveSnapshot(clients); n++) {
      feed.publish("a/1", n);
      Thread.sleep(20);
    }
    for (LiveClient client : clients) {
      long many = client.ids().stream().filter(id -> id.startsWith("many/")).count();
      long others = client.ids().size() - many;
      assertEquals(topics, many, "of the snapshot came beside " + others);
      assertTrue(others > topics / 4, others + " came while the snapshot did");
    }
  }

  private static boolean haveSnapshot(List<LiveClient> clients) {
    return clients.stream().allMatch(client -> client.count("live") > 0);
  }

  @Test
  void aSnapshotOfManyTopicsIsWhole() throws Exception {
    int topics = 3_000; // more than wait for a connection, and than the pace has places
    for (int n = 0; n < topics; n++) {
      feed.publish("many/" + n, n);
    }
    LiveClient client = connect(rate(2));
    client.register("many/#", Map.of("snapshot", "true"));
    client.awaitFirst("live");
    assertEquals(topics, client.ids().size());
    for (int n = 0; n < topics; n += 2) {
      feed.publish("many/" + n, n + 1);
    }
    LiveClient.await("what has changed", () -> newest(client, topics));
    assertFalse(client.isClosed());
  }

  private static boolean newest(LiveClient client, int topics) {
    java.util.Set<String> ids = new java.util.HashSet<>(client.ids());
    for (int n = 0; n < topics; n += 2) {
      if (!ids.contains("many/" + n + ":" + (n + 1))) {
        return false;
      }
    }
    return true;
  }

  @Test
  void aConnectionKeepsItsView() throws Exception {
    LiveClient client = connect(omit("n"));
    JsonObject headers = new JsonObject().put("token", issuer.token("anna", 600, "#"));
    client.send(new JsonObject().put("type", "token").put("headers", headers).encode());
    client.settle();
    assertEquals("token_other_view", client.awaitFirst("err").getString("body"));
    headers.put("token", token(omit("n")));
    client.send(new JsonObject().put("type", "token").put("headers", headers).encode());
    client.awaitFirst("token");
  }

  /** What it would lower too must not be passed over. */
  @Test
  void aViewThatIsNotUnderstoodIsRefused() throws Exception {
    List<Object> wrong =
        List.of(
            "all",
            new JsonObject().put("delayMs", 1000),
            rate(0),
            new JsonObject().put("maxRate", "1"),
            new JsonObject().put("maxBytesPerSecond", 99),
            new JsonObject().put("maxBytesPerSecond", 1000.5),
            new JsonObject().put("omit", "n"),
            new JsonObject().put("omit", List.of(1)));
    for (Object view : wrong) {
      String token = issuer.sign(TestTokens.claims("anna", 600, "#").put("view", view));
      var refused =
          org.junit.jupiter.api.Assertions.assertThrows(
              java.util.concurrent.ExecutionException.class, () -> connect(token));
      assertTrue(refused.getCause().getMessage().contains("401"), view.toString());
    }
  }
}
