package io.galop.broadcast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.broadcast.edge.TestTokens;
import io.galop.broadcast.hub.SharedPlaces;
import io.galop.config.broadcast.CapConfig;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What caps of the node leave of the records, whatever is asked for; TransportTableIT has more. */
@Tag("slow")
@Timeout(180)
class CappedTest extends FeedTest {
  private static final double RATE = 2;
  private static final String CAPS = "broadcast.caps=[{topics: race/#, maxRate: 2}]";
  private static final JsonObject ALL_CAPPED = new JsonObject().put("maxRate", 2);
  private static final JsonObject RACES_CAPPED =
      new JsonObject("{\"lower\":[{\"topics\":\"race/#\",\"maxRate\":2}]}");

  @TempDir private Path directory;

  private LiveClient watch(String filter, Map<String, Object> headers) throws Exception {
    LiveClient client = feed.connect();
    client.register(filter, headers);
    client.settle();
    return client;
  }

  private static List<String> of(LiveClient client, String topic) {
    return client.ids().stream().filter(id -> id.startsWith(topic + ":")).toList();
  }

  private static JsonObject pace(LiveClient client, String type) throws Exception {
    return client.awaitFirst(type).getJsonObject("body");
  }

  /** By the rate no more than that came of a topic since then, but for what was due at once. */
  private static void assertPaced(int came, double rate, long begun) {
    double seconds = (System.nanoTime() - begun) / 1e9;
    assertTrue(came >= 2, came + " in " + seconds + " s");
    assertTrue(came <= 1 + rate * seconds, came + " in " + seconds + " s");
  }

  /** Of the same records: one under the cap, one of all topics, one that is not concerned. */
  @Test
  void topicsOfACapArePacedAndOthersAreNot() throws Exception {
    start(CAPS);
    LiveClient races = watch("race/+", Map.of("since", "", "maxRate", 1000));
    LiveClient all = watch("#", Map.of("words", "true"));
    LiveClient plants = watch("plant/#", Map.of("words", "true"));
    LiveClient bridge = watch("race/1", Map.of());
    long begun = System.nanoTime();
    int published = 0;
    while (System.nanoTime() - begun < 2_500_000_000L) {
      feed.publish("race/1", published);
      feed.publish("plant/1", published++);
      plants.awaitIds(published);
      LiveClient.await(
          "every other", () -> of(all, "plant/1").size() == of(plants, "plant/1").size());
    }
    String last = "race/1:" + (published - 1);
    for (LiveClient client : List.of(races, all, bridge)) {
      LiveClient.await("the newest", () -> client.ids().contains(last));
      assertPaced(of(client, "race/1").size(), RATE, begun);
    }
    assertEquals(ids("plant/1", 0, published), of(all, "plant/1"));
    assertEquals(ALL_CAPPED, pace(races, "capped"));
    assertEquals(RACES_CAPPED, pace(all, "capped"));
    assertEquals(0, plants.count("capped"));
    assertEquals(List.of(), bridge.all("capped"), "who knows the bridge only gets records only");
    double lost = 3.0 * published - of(races, "race/1").size();
    lost -= of(all, "race/1").size() + of(bridge, "race/1").size();
    assertEquals(lost, feed.counted("conflated"), "each is counted");
    LiveClient.await("the books balance", () -> feed.counted("waiting") == 0);
  }

  /** Topics share the places of a rate, but no registration always comes before another. */
  @Test
  void aRegistrationDoesNotStarveAnother() throws Exception {
    start("broadcast.caps=[{topics: race/#, maxRate: 5}]");
    LiveClient client = watch("race/1/#", Map.of("words", "true"));
    client.register("race/2/#", Map.of("words", "true"));
    client.settle();
    String one = "race/1/a";
    int place = SharedPlaces.place("race/1/#", one);
    String other =
        IntStream.iterate(0, n -> n + 1)
            .mapToObj(n -> "race/2/" + n)
            .filter(topic -> SharedPlaces.place("race/2/#", topic) == place)
            .findFirst()
            .orElseThrow();
    long end = System.nanoTime() + 60_000_000_000L;
    boolean isEach = false;
    for (int n = 0; !isEach && System.nanoTime() < end; n++) {
      feed.publish(one, n);
      feed.publish(other, n);
      isEach = of(client, one).size() >= 5 && of(client, other).size() >= 5;
      Thread.sleep(5);
    }
    assertTrue(isEach, of(client, one).size() + " and " + of(client, other).size());
  }

  /** Neither by updates, nor by registering again with a snapshot, nor by a resume. */
  @Test
  void nothingRaisesIt() throws Exception {
    start(CAPS);
    LiveClient client = watch("race/1", Map.of("maxRate", 1));
    long begun = System.nanoTime();
    int published = 0;
    while (System.nanoTime() - begun < 2_500_000_000L) {
      feed.publish("race/1", published++);
      PaceUpdateTest.update(client, "race/1", "maxRate", published % 2 == 0 ? 1000 : "");
      client.settle();
      client.send("{\"type\":\"unregister\",\"address\":\"race/1\"}");
      String name = published % 3 == 0 ? "snapshot" : "since";
      Object value = published % 3 == 0 ? "true" : since("race/1", 1, 0);
      long lives = client.count("live");
      client.register("race/1", Map.of(name, value));
      LiveClient.await("an answer", () -> client.count("live") > lives);
    }
    String last = "race/1:" + (published - 1);
    LiveClient.await("the newest", () -> client.ids().contains(last));
    assertPaced(client.ids().size(), RATE, begun);
    for (JsonObject word : client.all("updated")) {
      assertEquals(ALL_CAPPED, word.getJsonObject("body"));
    }
    assertTrue(client.count("updated") > 0);
  }

  @Test
  void anUpdateIsToldThePaceInForce() throws Exception {
    start(CAPS);
    LiveClient client = watch("#", Map.of("words", "true"));
    for (Object rate : List.of(1, 50, "")) {
      PaceUpdateTest.update(client, "#", "maxRate", rate);
    }
    LiveClient.await("answers", () -> client.count("updated") == 3);
    List<JsonObject> told =
        client.all("updated").stream().map(word -> word.getJsonObject("body")).toList();
    JsonObject faster = RACES_CAPPED.copy().put("maxRate", 50);
    assertEquals(List.of(new JsonObject().put("maxRate", 1), faster, RACES_CAPPED), told);
    LiveClient free = watch("plant/#", Map.of("words", "true"));
    PaceUpdateTest.update(free, "plant/#", "maxRate", 3);
    assertEquals(new JsonObject(), pace(free, "updated"));
  }

  @Test
  void theTokenMayLowerItFurther() throws Exception {
    TestTokens issuer = TestTokens.of("ES256", directory);
    List<String> settings = new ArrayList<>(issuer.settings());
    settings.add(CAPS);
    start(settings.toArray(String[]::new));
    JsonObject view = new JsonObject().put("maxRate", 0.5);
    String token = issuer.sign(TestTokens.claims("anna", 600, "#").put("view", view));
    LiveClient client =
        LiveClient.connect(feed.vertx, feed.port(), "/live/websocket?token=" + token);
    client.register("race/#", Map.of("since", ""));
    client.settle();
    long begun = System.nanoTime();
    int published = 0;
    while (client.ids().size() < 2) {
      feed.publish("race/1", published++);
      client.settle();
    }
    assertPaced(client.ids().size(), 0.5, begun);
    assertEquals(0.5, pace(client, "capped").getDouble("maxRate"));
  }

  @Test
  void bytesAreThoseOfTheRegistrationsThatMatch() throws Exception {
    start("broadcast.caps=[{topics: plant/+/vibration, maxBytesPerSecond: 2000}]");
    LiveClient capped = watch("plant/#", Map.of("since", "", "maxBytesPerSecond", 1_000_000));
    capped.register("race/#");
    capped.settle();
    long begun = System.nanoTime();
    for (int n = 0; n < 400; n++) {
      feed.publish("plant/1/vibration", n);
      feed.publish("race/1", n);
      capped.settle();
    }
    List<JsonObject> slow =
        capped.all("rec").stream().filter(r -> r.getString("address").equals("plant/#")).toList();
    double seconds = (System.nanoTime() - begun) / 1e9;
    long bytes = slow.stream().mapToLong(record -> record.encode().length()).sum();
    assertTrue(bytes >= 2000, bytes + " bytes");
    assertTrue(bytes <= 2000 * (seconds + 1.3) + 500, bytes + " bytes in " + seconds + " s");
    assertEquals(ids("race/1", 0, 400), of(capped, "race/1"));
    assertEquals(new JsonObject().put("maxBytesPerSecond", 2000), pace(capped, "capped"));
  }

  /** More topics wait than may: snapshots make up for them, and keep the other topics from none. */
  @Test
  void topicsThatHaveNoPlaceToWaitDoNotKeepOthersBack() throws Exception {
    start("broadcast.caps=[{topics: race/#, maxRate: 0.2}]", "broadcast.maxWaitingTopics=10");
    LiveClient all = watch("#", Map.of("words", "true"));
    for (int round = 0; round < 2; round++) {
      for (int n = 0; n < 50; n++) {
        feed.publish("race/" + n, round);
      }
    }
    for (int n = 0; n < 20; n++) {
      feed.publish("plant/1", n);
      String id = "plant/1:" + n;
      LiveClient.await(id, () -> all.ids().contains(id));
    }
    long live =
        all.all("rec").stream()
            .map(record -> record.getJsonObject("headers"))
            .filter(headers -> headers.getString("topic").equals("plant/1"))
            .filter(headers -> !headers.containsKey("age"))
            .count();
    assertTrue(live >= 18, live + " came as they were published, the others in snapshots");
    for (int n = 0; n < 50; n++) {
      String newest = "race/" + n + ":1";
      LiveClient.await(newest, () -> all.ids().contains(newest));
    }
    LiveClient.await("the books balance", () -> feed.counted("waiting") == 0);
  }

  /** For whoever is connected, at once; back to every record, without a gap. */
  @Test
  void theyComeAndGoWhileViewersAreConnected() throws Exception {
    start();
    LiveClient client = watch("race/1", Map.of("since", ""));
    feed.publish("race/1", 0, 20);
    client.awaitIds(20);
    CapConfig cap = new CapConfig("race/#", Optional.of(0.001), Optional.empty());
    feed.verticle.live().caps().change(List.of(cap));
    assertEquals(new JsonObject().put("maxRate", 0.001), pace(client, "capped"));
    feed.publish("race/1", 20, 40);
    LiveClient other = watch("race/1", Map.of("words", "true"));
    assertEquals(new JsonObject().put("maxRate", 0.001), pace(other, "capped"));
    feed.publish("race/1", 40, 60);
    LiveClient.await("kept back", () -> feed.counted("conflated") >= 18 + 20);
    assertEquals(21, client.ids().size());
    feed.verticle.live().caps().change(List.of());
    LiveClient.await("told", () -> client.count("capped") == 2);
    assertEquals(new JsonObject(), client.all("capped").get(1).getJsonObject("body"));
    assertEquals("race/1:59", client.awaitIds(22).get(21));
    feed.publish("race/1", 60, 80);
    assertEquals(ids("race/1", 59, 80), client.awaitIds(42).subList(21, 42));
  }
}
