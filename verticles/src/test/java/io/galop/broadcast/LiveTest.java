package io.galop.broadcast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What browsers are sent, and when. */
@Timeout(180)
class LiveTest extends FeedTest {
  @BeforeEach
  void startFeed() throws Exception {
    start();
  }

  @Test
  void sendsWhatIsRegisteredInTheWordsOfTheBridge() throws Exception {
    LiveClient client = feed.connect();
    client.register("race/1/\"x\"");
    client.settle();
    feed.publish("race/2", 1);
    feed.publish("race/1/\"x\"", 7);
    client.awaitIds(1);
    JsonObject record = client.awaitFirst("rec");
    int shard = io.galop.record.Topic.shard("race/1/\"x\"", TestFeed.SHARDS);
    assertEquals("race/1/\"x\"", record.getString("address"));
    assertEquals(
        new JsonObject()
            .put("id", "race/1/\"x\":7")
            .put("time", 1)
            .put("data", new JsonObject().put("n", 7)),
        record.getJsonObject("body"));
    assertEquals(
        new JsonObject().put("topic", "race/1/\"x\"").put("pos", shard + ".1-1"),
        record.getJsonObject("headers"));
    assertEquals(1, client.ids().size());
  }

  @Test
  void oneRecordComesOncePerFilter() throws Exception {
    LiveClient client = feed.connect();
    client.register("race/+/a");
    client.register("race/#");
    client.register("race/1/a");
    client.register("race/1/b");
    client.settle();
    feed.publish("race/1/a", 1);
    feed.publish("race/1/b", 1);
    client.awaitIds(5);
    client.settle();
    List<String> addresses =
        client.all("rec").stream()
            .filter(m -> m.getJsonObject("body").getString("id").equals("race/1/a:1"))
            .map(m -> m.getString("address"))
            .sorted()
            .toList();
    assertEquals(List.of("race/#", "race/+/a", "race/1/a"), addresses);
    assertEquals(5, client.ids().size());
  }

  @Test
  void sendsNothingMoreAfterUnregister() throws Exception {
    LiveClient client = feed.connect();
    client.register("a");
    client.register("b");
    client.settle();
    client.send("{\"type\":\"unregister\",\"address\":\"a\"}");
    client.settle();
    feed.publish("a", 1);
    feed.publish("b", 1);
    client.awaitIds(1);
    client.settle();
    assertEquals(List.of("b:1"), client.ids());
  }

  @Test
  void snapshotThenLiveHasNoGapAndNoDuplicateUnderAConstantStream() throws Exception {
    int topics = 20;
    int rounds = 300;
    for (int n = 0; n < rounds; n++) {
      for (int topic = 0; topic < topics; topic++) {
        feed.publish("t/" + topic, n);
      }
      if (n == 0) {
        feed.awaitReady();
      }
      if (n % 30 == 0) {
        LiveClient client = feed.connect();
        client.register("t/#", Map.of("snapshot", "true"));
        clients.add(client);
      }
    }
    for (LiveClient client : clients) {
      LiveClient.await("the last", () -> endsOfAllTopics(client, topics, rounds));
      for (int topic = 0; topic < topics; topic++) {
        String prefix = "t/" + topic + ":";
        List<String> ids = client.ids().stream().filter(id -> id.startsWith(prefix)).toList();
        int first = Integer.parseInt(ids.get(0).substring(prefix.length()));
        assertEquals(ids("t/" + topic, first, rounds), ids);
      }
    }
  }

  private final List<LiveClient> clients = new java.util.ArrayList<>();

  private static boolean endsOfAllTopics(LiveClient client, int topics, int rounds) {
    List<String> ids = client.ids();
    return IntStream.range(0, topics).allMatch(t -> ids.contains("t/" + t + ":" + (rounds - 1)));
  }

  @Test
  void snapshotIsTheLatestOfEachTopicAndEndsWithThePositions() throws Exception {
    feed.publish("s/a", 0, 5);
    feed.publish("s/b", 0, 3);
    feed.publish("other", 1);
    LiveClient first = feed.connect();
    first.register("#");
    LiveClient.await(
        "latest",
        () -> {
          try {
            LiveClient probe = feed.connect();
            probe.register("s/#", Map.of("snapshot", true));
            probe.awaitFirst("live");
            boolean isThere = probe.ids().containsAll(List.of("s/a:4", "s/b:2"));
            probe.close();
            return isThere;
          } catch (Exception e) {
            throw new AssertionError(e);
          }
        });
    LiveClient client = feed.connect();
    client.register("s/#", Map.of("snapshot", true));
    JsonObject live = client.awaitFirst("live");
    assertEquals(List.of("s/a:4", "s/b:2"), client.ids().stream().sorted().toList());
    assertEquals("s/#", live.getString("address"));
    assertEquals(TestFeed.SHARDS, live.getString("pos").split(",").length);
    assertEquals(0, client.count("resumed"));
  }

  @Test
  void readinessAndDataGoOnWhenTheOwnerComesLate() throws Exception {
    try (TestFeed late = TestFeed.withoutOwners()) {
      assertFalse(late.node.readiness().isReady());
      assertTrue(
          late.node.readiness().reasons().get("feed").startsWith("4 of 4 shards are not fed"));
      LiveClient client = late.connect();
      client.register("x", Map.of("snapshot", "true"));
      client.register("#", Map.of("since", "0.1-7"));
      client.settle();
      assertEquals(2, client.count("stale"), "what its page has from before is not live");
      late.startOwners();
      late.publish("x", 1);
      late.awaitReady();
      client.awaitIds(2);
      assertEquals(Set.of("x:1"), Set.copyOf(client.ids()));
      LiveClient.await("both are back", () -> client.count("fresh") == 2);
      List<String> order = client.messages.stream().map(each -> each.getString("type")).toList();
      assertTrue(order.indexOf("fresh") > order.indexOf("live"), "behind the snapshot");
    }
  }

  /** Else those who come and go while no owner is there would keep all others out. */
  @Test
  void whoWaitedAndHasGoneTakesNoPlace() throws Exception {
    try (TestFeed late = TestFeed.withoutOwners("broadcast.resume.maxWaiting=3")) {
      for (int round = 0; round < 4; round++) {
        LiveClient gone = late.connect();
        gone.register("a", Map.of("snapshot", "true"));
        gone.register("b", Map.of("snapshot", "true"));
        LiveClient.await("both wait", () -> late.counted("joins.waiting") == 2);
        gone.close();
        LiveClient.await("none waits", () -> late.counted("joins.waiting") == 0);
      }
      LiveClient client = late.connect();
      client.register("x", Map.of("snapshot", "true"));
      client.settle();
      late.startOwners();
      client.awaitFirst("live");
    }
  }

  @Test
  void refusesInTheWordsOfTheBridge() throws Exception {
    LiveClient client = feed.connect();
    client.register("a");
    client.register("a");
    client.send("{\"type\":\"publish\",\"address\":\"a\",\"body\":{}}");
    client.send("{\"type\":\"send\",\"address\":\"a\",\"body\":{},\"replyAddress\":\"r\"}");
    client.send("{\"type\":\"register\"}");
    client.send("{\"address\":\"a\"}");
    client.send("{\"type\":\"register\",\"address\":\"b\",\"headers\":7}");
    client.send("nonsense");
    client.send("{\"type\":\"jump\",\"address\":\"a\"}");
    client.register("a/#/b");
    client.register("$dead/x");
    client.register("a\nb");
    client.register("b", Map.of("since", "1.2"));
    client.register("b", Map.of("since", "9.1-1"));
    client.register("b", Map.of("mode", "some"));
    client.register("b", Map.of("maxRate", "-1"));
    client.settle();
    JsonArray words = new JsonArray();
    client.all("err").forEach(error -> words.add(error.getString("body")));
    assertEquals(
        new JsonArray(
            List.of(
                "address_already_registered",
                "access_denied",
                "access_denied",
                "missing_address",
                "missing_type",
                "invalid_json",
                "invalid_json",
                "invalid_type",
                "invalid_address",
                "access_denied",
                "invalid_address",
                "invalid_header",
                "invalid_header",
                "invalid_header",
                "invalid_header")),
        words);
    assertEquals(
        "header since: '9.1-1' is of no shard; there are 4, from 0",
        client.all("err").get(12).getString("message"));
    assertFalse(client.isClosed());
  }
}
