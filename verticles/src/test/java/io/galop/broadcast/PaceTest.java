package io.galop.broadcast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.http.UpgradeRejectedException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Browsers that read more slowly than records come. */
@Tag("slow")
@Timeout(60)
class PaceTest extends FeedTest {
  private static final String FILLER = "x".repeat(20_000);

  /** Publishes records so large that the sockets' own buffers fill up soon. */
  private void publishLarge(String topic, int from, int to) throws Exception {
    for (int n = from; n < to; n++) {
      String id = topic + ":" + n;
      feed.onOwners(() -> feed.owner(topic).publish(topic, id, "{\"x\":\"" + FILLER + "\"}"));
    }
  }

  @Test
  void slowReaderGetsEverythingAtItsOwnPaceFromTheRing() throws Exception {
    start("broadcast.outboxBytes=65536", "broadcast.ring.maxBytes=200000000");
    LiveClient slow = feed.connect();
    slow.register("a");
    slow.settle();
    slow.stall();
    LiveClient quick = feed.connect();
    quick.register("a");
    quick.settle();
    publishLarge("a", 1, 1201);
    quick.awaitIds(1200);
    assertTrue(slow.ids().size() < 1000, "the sockets' buffers took it all: publish more");
    assertFalse(slow.isClosed());
    slow.goOn();
    assertEquals(ids("a", 1, 1201), slow.awaitIds(1200));
    feed.publish("a", 1201);
    assertEquals(ids("a", 1, 1202), slow.awaitIds(1201));
  }

  /** What it missed is read from the ring too, and not written to the connection all at once. */
  @Test
  void aResumeOfTenThousandRecordsIsReadAtThePaceOfTheSocket() throws Exception {
    start("broadcast.outboxBytes=65536");
    LiveClient witness = feed.connect();
    witness.register("a");
    witness.settle();
    for (int from = 1; from <= 10_000; from += 1_000) {
      int first = from;
      feed.onOwners(
          () -> {
            for (int n = first; n < first + 1_000; n++) {
              String data = "{\"x\":\"" + FILLER.substring(0, 1_000) + "\"}";
              feed.owner("a").publish("a", "a:" + n, data);
            }
            return null;
          });
      witness.awaitIds(from + 999);
    }
    LiveClient back = feed.connect();
    back.stall();
    String first = witness.all("rec").get(0).getJsonObject("headers").getString("pos");
    back.register("a", Map.of("since", first));
    back.take(200);
    LiveClient.await("a part", () -> back.ids().size() > 100);
    assertTrue(back.ids().size() < 9_999, "it is not given everything at once");
    back.goOn();
    assertEquals(ids("a", 2, 10_001), back.awaitIds(9_999));
    assertEquals(true, back.awaitFirst("resumed").getBoolean("complete"));
    back.awaitFirst("live");
    assertEquals(0, feed.onOwners(() -> feed.owner("a").fetches));
    feed.publish("a", 10_001);
    assertEquals("a:10001", back.awaitIds(10_000).get(9_999));
  }

  @Test
  void readerWhosePlaceLeavesTheRingIsSentAwayAndCanComeBack() throws Exception {
    start("broadcast.outboxBytes=65536", "broadcast.ring.maxRecords=64");
    LiveClient slow = feed.connect();
    slow.register("a");
    slow.settle();
    slow.stall();
    LiveClient quick = feed.connect();
    quick.register("a");
    quick.settle();
    for (int n = 1; n <= 1200; n += 16) {
      publishLarge("a", n, n + 16);
      quick.awaitIds(n + 15);
    }
    LiveClient.await("disconnect", () -> feed.counted("disconnects", "slow") == 1);
    slow.goOn();
    LiveClient.await("close", slow::isClosed);
    assertEquals((short) 3008, slow.closeCode());
    assertEquals("slow", slow.closeReason());
    List<String> seen = slow.ids();
    assertEquals(ids("a", 1, seen.size() + 1), seen);
    LiveClient back = feed.connect();
    back.register("a", Map.of("since", slow.lastPosition()));
    assertEquals(ids("a", seen.size() + 1, 1201), back.awaitIds(1200 - seen.size()));
    assertEquals(true, back.awaitFirst("resumed").getBoolean("complete"));
  }

  @Test
  void inModeLatestOnlyTheNewestOfEachTopicWaits() throws Exception {
    start("broadcast.outboxBytes=65536");
    LiveClient slow = feed.connect();
    slow.register("t/#", Map.of("mode", "latest"));
    slow.settle();
    slow.stall();
    LiveClient quick = feed.connect();
    quick.register("t/#");
    quick.settle();
    for (int n = 1; n <= 300; n++) {
      publishLarge("t/a", n, n + 1);
      publishLarge("t/b", n, n + 1);
    }
    publishLarge("t/once", 1, 2);
    for (int n = 301; n <= 600; n++) {
      publishLarge("t/a", n, n + 1);
      publishLarge("t/b", n, n + 1);
    }
    quick.awaitIds(1201);
    LiveClient.await("conflated", () -> feed.counted("conflated") > 100);
    slow.goOn();
    LiveClient.await("newest", () -> slow.ids().containsAll(List.of("t/a:600", "t/b:600")));
    LiveClient.await("once", () -> slow.ids().contains("t/once:1"));
    assertTrue(slow.ids().size() < 1100);
    List<String> ofA = slow.ids().stream().filter(id -> id.startsWith("t/a:")).toList();
    assertEquals(
        ofA.stream().sorted((a, b) -> Integer.compare(number(a), number(b))).toList(), ofA);
    assertFalse(slow.isClosed());
    LiveClient.await("balance", () -> feed.counted("sent") + feed.counted("conflated") == 2 * 1201);
  }

  private static int number(String id) {
    return Integer.parseInt(id.substring(id.indexOf(':') + 1));
  }

  @Test
  void inModeLatestAResumeIsTheLatestOfAllTopics() throws Exception {
    start();
    LiveClient witness = feed.connect();
    witness.register("t/#");
    witness.settle();
    feed.publish("t/a", 1, 11);
    feed.publish("t/b", 1, 6);
    witness.awaitIds(15);
    LiveClient client = feed.connect();
    client.register("t/#", Map.of("mode", "latest", "since", "0.1-1,1.1-1,2.1-0,3.1-0"));
    client.awaitFirst("live");
    assertEquals(List.of("t/a:10", "t/b:5"), client.ids().stream().sorted().toList());
    feed.publish("t/b", 6);
    client.awaitIds(3);
    assertEquals("t/b:6", client.ids().get(2));
  }

  @Test
  void slowReaderIsSparedWhatAGapHasMadeOld() throws Exception {
    start("broadcast.outboxBytes=65536", "broadcast.staleAfterMs=4000");
    LiveClient slow = feed.connect();
    slow.register("a");
    slow.settle();
    slow.stall();
    LiveClient quick = feed.connect();
    quick.register("a");
    quick.settle();
    publishLarge("a", 1, 601);
    quick.awaitIds(600);
    feed.onOwners(
        () -> {
          FakeOwner owner = feed.owner("a");
          owner.dropFollower();
          for (int n = 601; n <= 640; n++) {
            owner.publish("a", "a:" + n, "{}");
          }
          owner.forgetAllBut(5);
          return null;
        });
    quick.awaitFirst("resumed");
    slow.goOn();
    feed.publish("a", 641);
    LiveClient.await("the newest", () -> slow.ids().contains("a:641"));
    List<String> ids = slow.ids();
    int shown = ids.indexOf("a:640");
    assertTrue(shown < 600, "the sockets' buffers took it all: publish more");
    assertEquals(ids("a", 1, shown + 1), ids.subList(0, shown));
    assertEquals(List.of("a:640", "a:641"), ids.subList(shown, ids.size()));
    assertEquals(1, slow.count("resumed"));
  }

  @Test
  void maxRateLimitsEachTopicAndEndsWithItsNewest() throws Exception {
    start();
    LiveClient client = feed.connect();
    client.register("r/#", Map.of("maxRate", 5));
    client.settle();
    long begin = System.nanoTime();
    for (int n = 1; n <= 100; n++) {
      feed.publish("r/a", n);
      feed.publish("r/b", n);
      Thread.sleep(5);
    }
    LiveClient.await("newest", () -> client.ids().containsAll(List.of("r/a:100", "r/b:100")));
    double seconds = (System.nanoTime() - begin) / 1e9;
    long ofA = client.ids().stream().filter(id -> id.startsWith("r/a:")).count();
    assertTrue(ofA >= 2 && ofA <= 5 * seconds + 2, ofA + " in " + seconds + " s");
  }

  @Test
  void hasLimits() throws Exception {
    start("broadcast.maxFilters=2", "broadcast.maxConnections=2", "broadcast.maxMessageBytes=256");
    LiveClient one = feed.connect();
    one.register("a");
    one.register("b");
    one.register("c");
    assertEquals("max_handlers_reached", one.awaitFirst("err").getString("body"));
    one.register("b");
    one.settle();
    List<String> errors = one.all("err").stream().map(err -> err.getString("body")).toList();
    assertEquals(List.of("max_handlers_reached", "address_already_registered"), errors);
    LiveClient two = feed.connect();
    two.settle();
    ExecutionException three = assertThrows(ExecutionException.class, feed::connect);
    assertEquals(503, ((UpgradeRejectedException) three.getCause()).getStatus());
    two.send("\"" + "x".repeat(300) + "\"");
    LiveClient.await("close", two::isClosed);
    assertEquals((short) 3500, two.closeCode());
    LiveClient.await("counted", () -> feed.verticle.feed().meters().connections().get() == 1);
    LiveClient four = feed.connect();
    four.settle();
  }
}
