package io.galop.broadcast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Registrations that change how often they are sent their records. */
@Tag("slow")
@Timeout(120)
class PaceUpdateTest extends FeedTest {
  static void update(LiveClient client, String filter, String name, Object value) throws Exception {
    client.send(
        new JsonObject()
            .put("type", "update")
            .put("address", filter)
            .put("headers", new JsonObject().put(name, value))
            .encode());
  }

  private static void updated(LiveClient client, String filter, Object maxRate) throws Exception {
    long before = client.count("updated");
    update(client, filter, "maxRate", maxRate);
    LiveClient.await("updated", () -> client.count("updated") > before);
  }

  /**
   * How many records came of a topic that changed 50 times.
   *
   * @param seconds until the last of them had come
   */
  private record Rest(int came, double seconds) {
    /** By the rate no more than that, but for what was due at once. */
    void assertPaced(double rate) {
      assertTrue(came <= rate * seconds + 2, this + " at " + rate + "/s");
    }
  }

  private Rest rest(LiveClient client, int from) throws Exception {
    long begun = System.nanoTime();
    int before = client.ids().size();
    for (int n = from; n < from + 50; n++) {
      feed.publish("r", n);
      Thread.sleep(5);
    }
    String last = "r:" + (from + 49);
    LiveClient.await(last, () -> client.ids().contains(last));
    return new Rest(client.ids().size() - before, (System.nanoTime() - begun) / 1e9);
  }

  @Test
  void itIsSlowerAndFasterAndAllOfThemWithoutASnapshot() throws Exception {
    start();
    LiveClient client = feed.connect();
    client.register("r", Map.of("since", ""));
    client.awaitFirst("live");
    assertEquals(50, rest(client, 1).came());
    updated(client, "r", 4);
    Rest slow = rest(client, 51);
    slow.assertPaced(4);
    updated(client, "r", 50);
    Rest faster = rest(client, 101);
    faster.assertPaced(50);
    assertTrue(faster.came() > slow.came(), faster + " at 50/s, " + slow + " at 4/s");
    updated(client, "r", "");
    assertEquals(50, rest(client, 151).came(), "every one again");
    assertEquals(1, client.count("live"), "no second snapshot");
    assertEquals(1, client.count("resumed"), "no gap");
    LiveClient.await("the books balance", () -> feed.counted("waiting") == 0);
  }

  /** What waits for its turn is not kept back by the old rate. */
  @Test
  void whatWaitsIsSentUnderTheNewRate() throws Exception {
    start();
    LiveClient client = feed.connect();
    client.register("r", Map.of("maxRate", 0.001, "words", "true"));
    client.settle();
    feed.publish("r", 1, 4);
    client.awaitIds(1);
    LiveClient.await("r:3 waits in the place of r:2", () -> feed.counted("conflated") == 1);
    assertEquals(List.of("r:1"), client.ids());
    updated(client, "r", 100);
    assertEquals(List.of("r:1", "r:3"), client.awaitIds(2));
  }

  /** It was behind; of what waited the newest comes, and then, having asked for it, every one. */
  @Test
  void aSlowConnectionIsSentTheNewestAndThenEveryOneAgain() throws Exception {
    start("broadcast.outboxBytes=4096", "broadcast.socketBytes=4608");
    LiveClient client = feed.connect();
    client.register("r", Map.of("since", ""));
    client.awaitFirst("live");
    client.stall();
    feed.publish("r", 0, 6_000);
    Thread.sleep(1_000);
    update(client, "r", "maxRate", 1_000);
    LiveClient.await("conflated", () -> feed.counted("conflated") > 1_000);
    update(client, "r", "maxRate", "");
    Thread.sleep(1_000);
    feed.publish("r", 6_000, 6_100);
    Thread.sleep(1_000);
    client.goOn();
    LiveClient.await("the last", () -> client.ids().contains("r:6099"));
    List<Integer> numbers =
        client.ids().stream().map(id -> Integer.parseInt(id.substring(2))).toList();
    assertEquals(numbers.stream().distinct().sorted().toList(), numbers, "each once, in order");
    assertTrue(numbers.size() < 5_000, numbers.size() + " were not conflated");
    assertTrue(numbers.contains(5_999), "the newest of those that waited");
    assertEquals(
        ids("r", 6_000, 6_100), client.ids().subList(numbers.size() - 100, numbers.size()));
    assertEquals(2, client.count("updated"));
    assertEquals(1, client.count("live"), "no second snapshot");
    LiveClient.await("the books balance", () -> feed.counted("waiting") == 0);
  }

  private static long bytes(LiveClient client) {
    return client.all("rec").stream().mapToLong(record -> record.encode().length()).sum();
  }

  /** All of its registrations that have one together; each topic ends with its newest. */
  @Test
  void bytesPerSecondAreThoseOfTheConnection() throws Exception {
    start();
    LiveClient client = feed.connect();
    client.register("a/#", Map.of("since", "", "maxBytesPerSecond", 100_000));
    client.register("b/#", Map.of("maxBytesPerSecond", 4_000));
    LiveClient other = feed.connect();
    other.register("a/#");
    client.settle();
    other.settle();
    long begun = System.nanoTime();
    for (int n = 0; n < 300; n++) {
      feed.publish("a/" + n % 7, n);
      feed.publish("b/" + n % 7, n);
      Thread.sleep(5);
    }
    other.awaitIds(300);
    long came = bytes(client);
    double seconds = (System.nanoTime() - begun) / 1e9;
    assertTrue(came <= 4_000 * (seconds + 1.3) + 1_000, came + " bytes in " + seconds + " s");
    assertTrue(came >= 4_000, came + " bytes in " + seconds + " s");
    assertTrue(feed.counted("throttled") > 10, feed.counted("throttled") + " wait");
    List<String> newest = new ArrayList<>();
    for (int n = 293; n < 300; n++) {
      newest.add("a/" + n % 7 + ":" + n);
      newest.add("b/" + n % 7 + ":" + n);
    }
    LiveClient.await("the newest of each", () -> client.ids().containsAll(newest));
    assertEquals(1, client.count("live"), "no second snapshot");

    update(client, "a/#", "maxBytesPerSecond", "");
    LiveClient.await("updated", () -> client.count("updated") == 1);
    int had = client.ids().size();
    feed.publish("a/1", 1_000, 1_200);
    client.awaitIds(had + 200);
    assertEquals(ids("a/1", 1_000, 1_200), client.ids().subList(had, had + 200), "every one again");
    LiveClient.await("the books balance", () -> feed.counted("waiting") == 0);
  }

  /** Which goes with the registration. */
  @Test
  void aSnapshotIsNotCutAndTheLimitEndsWithItsRegistration() throws Exception {
    start();
    for (int n = 0; n < 300; n++) {
      feed.publish("a/" + n, n);
    }
    LiveClient client = feed.connect();
    client.register("a/#", Map.of("snapshot", true, "maxBytesPerSecond", 100));
    client.awaitFirst("live");
    assertEquals(300, client.ids().size());
    client.register("b", Map.of("maxBytesPerSecond", 1_000_000));
    client.settle();
    feed.publish("b", 0, 100);
    client.settle();
    assertTrue(client.ids().size() < 310, "both share the least");
    client.send("{\"type\":\"unregister\",\"address\":\"a/#\"}");
    LiveClient.await("the newest", () -> client.ids().contains("b:99"));
    int had = client.ids().size();
    for (int n = 100; n < 150; n++) {
      feed.publish("b", n);
      Thread.sleep(2);
    }
    client.awaitIds(had + 20); // it has more bytes now
  }

  @Test
  void whatCannotBeIsRefusedAndChangesNothing() throws Exception {
    start();
    LiveClient client = feed.connect();
    client.register("r", Map.of("words", "true"));
    for (Object wrong : List.of(0, -1, "fast", 2_000_000)) {
      long before = client.count("err");
      update(client, "r", "maxRate", wrong);
      LiveClient.await("err", () -> client.count("err") > before);
    }
    for (Object wrong : List.of(99, 1.5, "-1000", "fast", "10000000000")) {
      long before = client.count("err");
      update(client, "r", "maxBytesPerSecond", wrong);
      LiveClient.await("err", () -> client.count("err") > before);
    }
    assertTrue(
        client.all("err").get(8).getString("message").contains("a whole number of bytes from 100"));
    JsonObject first = client.awaitFirst("err");
    assertEquals("invalid_header", first.getString("body"));
    assertTrue(first.getString("message").contains("maxRate must be messages per second"));
    assertEquals(50, rest(client, 1).came());
    assertEquals(0, client.count("updated"));
  }
}
