package io.galop.broadcast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What browsers are told of topics that are silent for too long. */
@Tag("slow")
@Timeout(180)
class SilenceTest {
  private static final String RULE = "broadcast.freshness=[{filter: 'race/+/odds', maxAgeMs: 700}]";

  private TestFeed feed;

  @AfterEach
  void stop() throws Exception {
    feed.close();
  }

  private void start(String... more) throws Exception {
    feed =
        TestFeed.start(
            java.util.stream.Stream.concat(
                    java.util.stream.Stream.of(RULE), java.util.stream.Stream.of(more))
                .toArray(String[]::new));
    feed.awaitReady();
  }

  private static Optional<JsonObject> word(LiveClient client, String type, String topic) {
    return client.all(type).stream()
        .filter(word -> word.containsKey("headers"))
        .filter(word -> topic.equals(word.getJsonObject("headers").getString("topic")))
        .findFirst();
  }

  private static JsonObject awaitWord(LiveClient client, String type, String topic)
      throws Exception {
    LiveClient.await(type + " " + topic, () -> word(client, type, topic).isPresent());
    return word(client, type, topic).get();
  }

  @Test
  void allViewersOfATopicAreToldOfItsSilenceAndItsEnd() throws Exception {
    start();
    LiveClient exact = feed.connect();
    exact.register("race/1/odds");
    LiveClient wide = feed.connect();
    wide.register("race/#");
    LiveClient conflating = feed.connect();
    conflating.register("#", Map.of("mode", "latest"));
    LiveClient other = feed.connect();
    other.register("race/2/#");
    for (LiveClient client : List.of(exact, wide, conflating, other)) {
      client.settle();
    }
    feed.publish("race/1/odds", 1);
    feed.publish("race/1/name", 1);
    JsonObject stale = awaitWord(exact, "stale", "race/1/odds");
    assertEquals("race/1/odds", stale.getString("address"));
    assertEquals("silent", stale.getJsonObject("body").getString("reason"));
    assertTrue(stale.getJsonObject("headers").getLong("age") >= 700);
    assertEquals("race/#", awaitWord(wide, "stale", "race/1/odds").getString("address"));
    assertEquals("#", awaitWord(conflating, "stale", "race/1/odds").getString("address"));
    feed.publish("race/1/odds", 2);
    awaitWord(exact, "fresh", "race/1/odds");
    awaitWord(wide, "fresh", "race/1/odds");
    awaitWord(conflating, "fresh", "race/1/odds");
    List<String> order = exact.messages.stream().map(each -> each.getString("type")).toList();
    assertTrue(order.lastIndexOf("rec") < order.indexOf("fresh"), "the value comes first");
    assertFalse(word(wide, "stale", "race/1/name").isPresent());
    other.settle();
    assertEquals(0, other.count("stale"));
  }

  @Test
  void snapshotsCarryAgeAndSilence() throws Exception {
    start();
    LiveClient witness = feed.connect();
    witness.register("race/#");
    witness.settle();
    feed.publish("race/1/odds", 1);
    feed.publish("race/1/name", 1);
    awaitWord(witness, "stale", "race/1/odds");
    LiveClient late = feed.connect();
    late.register("race/#", Map.of("snapshot", true));
    late.awaitFirst("live");
    for (JsonObject record : late.all("rec")) {
      JsonObject headers = record.getJsonObject("headers");
      boolean isOdds = headers.getString("topic").endsWith("odds");
      assertTrue(headers.getLong("age") >= 500, headers::encode);
      assertEquals(isOdds ? true : null, headers.getBoolean("stale"));
    }
    LiveClient plain = feed.connect();
    plain.register("race/+/odds");
    awaitWord(plain, "stale", "race/1/odds");
    assertEquals(List.of(), plain.ids());
    LiveClient back = feed.connect();
    back.register("race/#", Map.of("since", witness.lastPosition()));
    awaitWord(back, "stale", "race/1/odds");
    feed.publish("race/1/odds", 2);
    for (LiveClient client : List.of(late, plain, back)) {
      awaitWord(client, "fresh", "race/1/odds");
      assertTrue(client.ids().contains("race/1/odds:2"));
    }
  }

  /** More topics are watched than there is place for: no value stays grey, and none looks live. */
  @Test
  void whatIsForgottenIsToldWhenItIsBackAndIsNotShownMeanwhile() throws Exception {
    start("broadcast.latestMaxTopics=8");
    LiveClient viewer = feed.connect();
    viewer.register("race/#");
    viewer.settle();
    for (int first = 1; first <= 25; first += 8) {
      for (int race = first; race < first + 8; race++) {
        feed.publish("race/" + race + "/odds", 1);
      }
      for (int race = first; race < first + 8; race++) {
        awaitWord(viewer, "stale", "race/" + race + "/odds");
      }
    }
    LiveClient late = feed.connect();
    late.register("race/#", Map.of("snapshot", true));
    assertEquals(true, late.awaitFirst("live").getBoolean("partial"));
    for (JsonObject record : late.all("rec")) {
      assertEquals(true, record.getJsonObject("headers").getBoolean("stale"), record::encode);
    }
    feed.publish("race/1/odds", 2);
    awaitWord(viewer, "fresh", "race/1/odds");
  }

  @Test
  void topicsFallSilentAlsoWhileTheFeedIsCutOff() throws Exception {
    start("broadcast.staleAfterMs=4000");
    LiveClient client = feed.connect();
    client.register("race/1/odds");
    client.settle();
    feed.publish("race/1/odds", 1);
    client.awaitIds(1);
    feed.eachOwner(owner -> owner.silent(true));
    awaitWord(client, "stale", "race/1/odds");
    LiveClient.await(
        "shard", () -> client.all("stale").stream().anyMatch(word -> !word.containsKey("headers")));
    feed.eachOwner(owner -> owner.silent(false));
    LiveClient.await(
        "shard", () -> client.all("fresh").stream().anyMatch(word -> !word.containsKey("headers")));
    assertFalse(
        word(client, "fresh", "race/1/odds").isPresent(), "the feed is back, not the topic");
    feed.publish("race/1/odds", 2);
    awaitWord(client, "fresh", "race/1/odds");
  }

  @Test
  void aViewerThatTakesNothingHearsTheLastWordInTheEnd() throws Exception {
    start();
    LiveClient slow = feed.connect();
    slow.register("race/1/odds", Map.of("mode", "latest"));
    slow.settle();
    slow.stall();
    String filler = "x".repeat(20_000);
    for (int n = 1; n <= 700; n++) {
      String id = "race/1/odds:" + n;
      feed.onOwners(
          () -> feed.owner("race/1/odds").publish("race/1/odds", id, "{\"x\":\"" + filler + "\"}"));
    }
    LiveClient witness = feed.connect();
    witness.register("race/1/odds");
    awaitWord(witness, "stale", "race/1/odds");
    slow.goOn();
    LiveClient.await("the newest", () -> slow.ids().contains("race/1/odds:700"));
    awaitWord(slow, "stale", "race/1/odds");
    assertEquals(0, slow.count("fresh"));
  }
}
