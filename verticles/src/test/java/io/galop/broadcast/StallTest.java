package io.galop.broadcast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.record.Topic;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Browsers that take nothing for a while cost a bounded amount and end with what is right. */
@Tag("slow")
@Timeout(180)
class StallTest extends FeedTest {
  private static final String FILLER = "x".repeat(20_000);

  private void publishLarge(int topics, int number) throws Exception {
    publishLarge(0, topics, number);
  }

  private void publishLarge(int from, int to, int number) throws Exception {
    for (int t = from; t < to; t++) {
      String topic = "t/" + t;
      String data = "{\"x\":\"" + FILLER + "\"}";
      feed.onOwners(() -> feed.owner(topic).publish(topic, topic + ":" + number, data));
    }
  }

  /** The first record of each topic, which the node keeps as the latest when this returns. */
  private void publishFirst(int topics) throws Exception {
    publishLarge(topics, 1);
    LiveClient.await(topics + " topics", () -> feed.counted("topics") == topics);
  }

  /** The one that comes last in a snapshot, which goes shard by shard: 14 MB are before it. */
  private static String lastTopic() {
    return IntStream.range(0, 700)
        .mapToObj(n -> "t/" + n)
        .filter(topic -> Topic.shard(topic, TestFeed.SHARDS) == TestFeed.SHARDS - 1)
        .reduce((one, next) -> next)
        .orElseThrow();
  }

  private double slow() {
    return feed.counted("disconnects", "slow");
  }

  private void awaitBalance() throws Exception {
    LiveClient.await(
        "balance",
        () ->
            feed.counted("waiting") == 0
                && feed.counted("published")
                    == feed.counted("sent") + feed.counted("conflated") + feed.counted("dropped"));
  }

  @Test
  void aSnapshotMakesUpForMoreTopicsThanMayWait() throws Exception {
    start("broadcast.maxWaitingTopics=4");
    LiveClient quick = feed.connect();
    quick.register("t/#");
    quick.settle();
    LiveClient slow = feed.connect();
    slow.register("t/#", Map.of("mode", "latest"));
    slow.settle();
    slow.stall();
    for (int n = 1; n <= 60; n++) {
      publishLarge(12, n);
    }
    quick.awaitIds(12 * 60);
    assertTrue(feed.counted("conflated") > 4, "the sockets' buffers took it all: publish more");
    slow.goOn();
    for (int t = 0; t < 12; t++) {
      String id = "t/" + t + ":60";
      LiveClient.await(id, () -> slow.ids().contains(id));
    }
    publishLarge(12, 61);
    LiveClient.await("live again", () -> slow.ids().contains("t/11:61"));
    assertEquals(0, slow());
    awaitBalance();
  }

  @Test
  void whoTakesNothingOfASnapshotIsSentAway() throws Exception {
    start("broadcast.snapshotStallMs=3000"); // the quick one must not be taken for stalled
    publishFirst(700);
    LiveClient quick = feed.connect();
    quick.register("t/#", Map.of("snapshot", true));
    quick.awaitFirst("live");
    LiveClient stalled = feed.connect();
    stalled.stall();
    stalled.register("t/#", Map.of("snapshot", true));
    LiveClient.await("disconnect", () -> slow() == 1);
    assertEquals(700, quick.ids().size());
  }

  @Test
  void whoTakesNothingOfASnapshotAndConflatesGetsANewOneLater() throws Exception {
    start("broadcast.snapshotStallMs=2000");
    publishFirst(700);
    LiveClient stalled = feed.connect();
    stalled.stall();
    stalled.register("t/#", Map.of("snapshot", true, "mode", "latest"));
    LiveClient.await("given up", () -> feed.counted("conflated") > 0);
    publishLarge(700, 2);
    stalled.goOn();
    stalled.awaitFirst("live");
    LiveClient.await("the newest", () -> stalled.ids().contains("t/699:2"));
    for (int t = 0; t < 700; t++) {
      assertTrue(stalled.ids().contains("t/" + t + ":2"), "t/" + t);
    }
    assertEquals(0, slow());
    awaitBalance();
  }

  /** It takes too little for its snapshot to be over before all of it is old. */
  @Test
  void aSnapshotThatGrowsOldGoesOnWithWhatIsTheLatestNow() throws Exception {
    start("broadcast.ring.maxRecords=64", "broadcast.snapshotStallMs=600000");
    publishFirst(700);
    LiveClient stalled = feed.connect();
    stalled.stall();
    stalled.register("t/#", Map.of("snapshot", true, "mode", "latest"));
    LiveClient.await("asked", () -> feed.counted("published") == 700);
    for (int n = 0; n < 200; n++) {
      feed.publish("hot", n);
    }
    LiveClient.await("a ring that has nothing else", () -> feed.counted("ring.bytes") < 64_000);
    Thread.sleep(300);
    assertEquals(0, feed.counted("conflated"), "what everybody else needs too is kept");
    publishLarge(700, 2);
    for (int n = 0; n < 200; n++) {
      feed.publish("hot", n);
    }
    LiveClient.await("its own newest", () -> feed.counted("conflated") == 700);
    Thread.sleep(300);
    stalled.goOn();
    stalled.awaitFirst("live");
    String last = lastTopic();
    LiveClient.await("the newest", () -> stalled.ids().contains(last + ":2"));
    assertFalse(stalled.ids().contains(last + ":1"), "nothing that has long been replaced");
    assertEquals(0, slow());
    awaitBalance();
  }

  /** All the time more changes than it can take, and what changes most comes last. */
  @Test
  void theSnapshotOfAViewerThatIsAlwaysBehindEnds() throws Exception {
    start("broadcast.ring.maxRecords=64", "broadcast.snapshotStallMs=600000");
    LiveClient quick = feed.connect();
    quick.register("t/#", Map.of("mode", "latest"));
    quick.settle();
    publishFirst(700);
    quick.awaitIds(700);
    quick.close();
    LiveClient.await("nobody", () -> feed.counted("connections") == 0);
    double before = feed.counted("published"); // perhaps with snapshots for the quick one
    LiveClient slow = feed.connect();
    slow.stall();
    slow.register("t/#", Map.of("snapshot", true, "mode", "latest"));
    LiveClient.await("asked", () -> feed.counted("published") == before + 700);
    int round = 1;
    while (slow.count("live") == 0 && round < 14) {
      round++;
      publishLarge(400, 700, round);
      Thread.sleep(250);
      int had = slow.messages.size();
      slow.take(100);
      LiveClient.await("a part", () -> slow.messages.size() >= had + 100);
    }
    assertEquals(1, slow.count("live"), "its snapshot is not over, after " + round + " rounds");
    for (int t = 0; t < 700; t++) {
      String topic = "t/" + t + ":";
      assertTrue(slow.ids().stream().anyMatch(id -> id.startsWith(topic)), topic);
    }
    slow.goOn();
    for (int t = 400; t < 700; t++) {
      String id = "t/" + t + ":" + round;
      LiveClient.await(id, () -> slow.ids().contains(id));
    }
    assertInOrder(slow.ids());
    assertEquals(0, slow());
    awaitBalance();
  }

  /** Of no topic an older record comes after a newer one. */
  private static void assertInOrder(List<String> ids) {
    Map<String, Integer> last = new HashMap<>();
    for (String id : ids) {
      String[] parts = id.split(":");
      int number = Integer.parseInt(parts[1]);
      int before = last.getOrDefault(parts[0], 0);
      assertTrue(before <= number, () -> id + " after " + before);
      last.put(parts[0], number);
    }
  }

  @Test
  void whoTakesTooLittleForAnySnapshotIsSentAwayInTheEnd() throws Exception {
    start("broadcast.snapshotStallMs=300");
    publishFirst(700);
    LiveClient slow = feed.connect();
    slow.stall();
    slow.register("t/#", Map.of("snapshot", true, "mode", "latest"));
    double before = 0;
    for (int round = 0; round < 14 && slow() == 0; round++) {
      double given = before;
      LiveClient.await("given up", () -> feed.counted("conflated") > given || slow() == 1);
      before = feed.counted("conflated");
      slow.take(150);
    }
    assertEquals(1, slow());
    assertEquals(0, slow.count("live"));
    slow.goOn();
    LiveClient.await("close", slow::isClosed);
    assertEquals((short) 3008, slow.closeCode());
    awaitBalance();
  }
}
