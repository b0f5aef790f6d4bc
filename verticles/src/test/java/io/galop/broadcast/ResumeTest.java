package io.galop.broadcast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.record.Topic;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Browsers that come back. */
@Timeout(180)
class ResumeTest extends FeedTest {
  private static final String TOPIC = "race/1";

  @Test
  void resumesFromTheRing() throws Exception {
    start();
    LiveClient witness = witness(TOPIC);
    feed.publish(TOPIC, 1, 101);
    witness.awaitIds(100);
    LiveClient client = resume(TOPIC, since(TOPIC, 1, 40));
    assertTrue(isComplete(client));
    feed.publish(TOPIC, 101);
    assertEquals(ids(TOPIC, 41, 102), client.awaitIds(61));
    assertEquals("resumed", types(client).get(0));
    assertEquals("live", types(client).get(61), "what was missed comes before its end");
    assertEquals(since(TOPIC, 1, 100), client.awaitFirst("live").getString("pos"));
    assertEquals(0, feed.onOwners(() -> feed.owner(TOPIC).fetches));
  }

  @Test
  void resumesFromTheOwnerWhatTheRingNoLongerHas() throws Exception {
    start("broadcast.ring.maxRecords=16");
    feed.eachOwner(owner -> owner.pageRecords = 10);
    LiveClient witness = witness(TOPIC);
    feed.publish(TOPIC, 1, 101);
    witness.awaitIds(100);
    LiveClient client = resume(TOPIC, since(TOPIC, 1, 40));
    assertTrue(isComplete(client));
    feed.publish(TOPIC, 101);
    assertEquals(ids(TOPIC, 41, 102), client.awaitIds(61));
    assertTrue(feed.onOwners(() -> feed.owner(TOPIC).fetches) > 3);
  }

  @Test
  void resumeUnderAConstantStreamHasNoGapAndNoDuplicate() throws Exception {
    start("broadcast.ring.maxRecords=256", "broadcast.outboxBytes=262144");
    feed.eachOwner(owner -> owner.pageRecords = 25);
    LiveClient witness = witness(TOPIC);
    feed.publish(TOPIC, 1, 801);
    witness.awaitIds(800);
    List<LiveClient> clients = new java.util.ArrayList<>();
    for (int n = 801; n < 1201; n++) {
      feed.publish(TOPIC, n);
      if (n % 40 == 0) {
        LiveClient client = feed.connect();
        client.register(TOPIC, Map.of("since", since(TOPIC, 1, n - 600)));
        clients.add(client);
      }
    }
    for (int i = 0; i < clients.size(); i++) {
      int first = 840 + 40 * i - 600 + 1;
      assertEquals(ids(TOPIC, first, 1201), clients.get(i).awaitIds(1201 - first));
      assertTrue(isComplete(clients.get(i)));
    }
  }

  @Test
  void saysWhenSomethingIsMissingAndSendsASnapshotInstead() throws Exception {
    start("broadcast.ring.maxRecords=16");
    LiveClient witness = witness("#");
    feed.publish(TOPIC, 1, 101);
    witness.awaitIds(100);
    feed.onOwner(TOPIC, owner -> owner.forgetAllBut(20));
    LiveClient client = resume(TOPIC, since(TOPIC, 1, 40));
    assertEquals(false, isComplete(client));
    assertEquals(List.of("race/1:100"), client.ids());
    assertEquals(List.of("resumed", "rec", "live"), types(client));
    LiveClient ahead = resume(TOPIC, since(TOPIC, 1, 101));
    assertEquals(false, isComplete(ahead));
    assertEquals(2, feed.counted("incomplete"));
  }

  /** Another node was ahead of this one, which has not heard of all that a browser was shown. */
  @Test
  void whoWasShownMoreThanThisNodeHasMissesNothingAndHasNothingTwice() throws Exception {
    start();
    fallBehind(21);
    LiveClient ahead = feed.connect();
    ahead.register(TOPIC, Map.of("since", since(TOPIC, 1, 15)));
    LiveClient newest = feed.connect();
    newest.register(TOPIC, Map.of("since", since(TOPIC, 1, 15), "mode", "latest"));
    LiveClient.await("both wait", () -> feed.counted("joins.waiting") == 2);
    feed.onOwner(TOPIC, owner -> owner.late(false));
    assertTrue(isComplete(ahead));
    assertTrue(isComplete(newest));
    feed.publish(TOPIC, 21);
    assertEquals(ids(TOPIC, 16, 22), ahead.awaitIds(6));
    assertEquals(ids(TOPIC, 20, 22), newest.awaitIds(2), "nothing older than it had");
    assertEquals(0, feed.counted("incomplete"));
  }

  /** The node has ten records, and hears nothing of those up to another one. */
  private void fallBehind(int before) throws Exception {
    LiveClient witness = witness(TOPIC);
    feed.publish(TOPIC, 1, 11);
    witness.awaitIds(10);
    feed.onOwner(TOPIC, owner -> owner.late(true));
    feed.publish(TOPIC, 11, before);
  }

  @Test
  void whoDoesNotFindRoomToWaitForTheFeedIsAnsweredAtOnce() throws Exception {
    start("broadcast.resume.maxWaiting=4");
    fallBehind(21);
    LiveClient many = feed.connect();
    for (String filter : List.of(TOPIC, TOPIC + "/+", TOPIC + "/#")) {
      many.register(filter, Map.of("since", since(TOPIC, 1, 15)));
    }
    LiveClient.await("the third is answered", () -> many.count("resumed") == 1);
    assertEquals(TOPIC + "/#", many.awaitFirst("resumed").getString("address"));
    assertEquals(false, isComplete(many));
    assertEquals(2, feed.counted("joins.waiting"));
    feed.onOwner(TOPIC, owner -> owner.late(false));
    LiveClient.await("so are the others", () -> many.count("resumed") == 3);
    assertEquals(1, feed.counted("incomplete"));
  }

  @Test
  void allWhoWaitForTheFeedAreAnswered() throws Exception {
    start("broadcast.maxFilters=2000");
    fallBehind(21);
    LiveClient many = registerMany();
    many.settle();
    feed.onOwner(TOPIC, owner -> owner.late(false));
    awaitAnswers(many);
  }

  /** All are told at once that they resume: more than an outbox holds, and it reads all of it. */
  @Test
  void whoHasManyAnswersAtOnceAndIsSlowToReadThemHasThemAll() throws Exception {
    start("broadcast.maxFilters=2000", "broadcast.outboxBytes=4096");
    fallBehind(21);
    LiveClient many = registerMany();
    many.settle();
    many.stall();
    feed.onOwner(TOPIC, owner -> owner.late(false));
    LiveClient.await("answers", () -> feed.counted("joins.waiting") == 0);
    Thread.sleep(300); // those that look for connections that stand still have looked
    many.goOn();
    awaitAnswers(many);
  }

  /** Without waiting for one before the next: the feed is waited for during a second. */
  private LiveClient registerMany() throws Exception {
    LiveClient many = feed.connect();
    Map<String, Object> since = Map.of("since", since(TOPIC, 1, 15));
    many.registerAll(
        IntStream.range(0, 9000)
            .mapToObj(n -> "many/" + n)
            .filter(ResumeTest::isBeside)
            .limit(2000)
            .toList(),
        since);
    return many;
  }

  private void awaitAnswers(LiveClient many) throws Exception {
    LiveClient.await("all are answered", () -> many.count("live") == 2000 || many.isClosed());
    assertEquals(2000, many.count("live"), () -> "closed: " + many.closeReason());
    List<JsonObject> resumed = many.all("resumed");
    assertEquals(2000, resumed.size());
    long incomplete = resumed.stream().filter(each -> !each.getBoolean("complete")).count();
    assertEquals(incomplete, feed.counted("incomplete"), "none, if the machine is quick");
    assertEquals(0, feed.counted("joins.waiting"));
  }

  private static boolean isBeside(String topic) {
    return Topic.shard(topic, TestFeed.SHARDS) == Topic.shard(TOPIC, TestFeed.SHARDS);
  }

  /** The node knows where a new load ends, but the ring has nothing of what lies before. */
  @Test
  void nobodyIsToldPositionsOfALoadThatTheFeedHasNotPassed() throws Exception {
    start("broadcast.staleAfterMs=3000");
    fallBehind(31);
    feed.onOwner(
        TOPIC,
        owner -> {
          owner.forgetAllBut(5);
          owner.isDeaf = true;
          owner.dropFollower();
        });
    while (!isComplete(resume(TOPIC, since(TOPIC, 1, 20)))) {
      // The node has not loaded it yet.
    }
    LiveClient back = resume(TOPIC, since(TOPIC, 1, 5));
    assertEquals(ids(TOPIC, 6, 11), back.awaitIds(5));
    assertEquals(since(TOPIC, 1, 5), back.awaitFirst("live").getString("pos"));
  }

  private static List<String> types(LiveClient client) {
    return client.messages.stream().map(m -> m.getString("type")).toList();
  }

  @Test
  void refusesToFetchMoreThanMayBeHeld() throws Exception {
    start("broadcast.ring.maxRecords=16", "broadcast.resume.maxBytes=65536");
    LiveClient witness = witness(TOPIC);
    feed.publish(TOPIC, 1, 1001);
    witness.awaitIds(1000);
    assertEquals(false, isComplete(resume(TOPIC, since(TOPIC, 1, 10))));
    assertEquals(true, isComplete(resume(TOPIC, since(TOPIC, 1, 900))));
  }

  @Test
  void aWildcardResumesByThePositionsOfAllShardsItWasTold() throws Exception {
    start();
    LiveClient first = resume("#", "");
    String heads = first.awaitFirst("live").getString("pos");
    first.close();
    LiveClient witness = witness("#");
    for (int topic = 0; topic < 10; topic++) {
      feed.publish("w/" + topic, 1);
    }
    witness.awaitIds(10);
    LiveClient client = resume("#", heads);
    assertTrue(isComplete(client));
    assertEquals(
        witness.ids().stream().sorted().toList(), client.awaitIds(10).stream().sorted().toList());
  }

  @Test
  void aSecondFilterThatResumesDoesNotRepeatTheFirst() throws Exception {
    start();
    LiveClient client = witness("race/#");
    feed.publish(TOPIC, 1, 51);
    client.awaitIds(50);
    client.register(TOPIC, Map.of("since", since(TOPIC, 1, 20)));
    client.awaitFirst("live");
    feed.publish(TOPIC, 51);
    client.awaitIds(50 + 30 + 2);
    client.settle();
    assertEquals(ids(TOPIC, 1, 52), idsFor(client, "race/#"));
    assertEquals(ids(TOPIC, 21, 52), idsFor(client, TOPIC));
  }

  /** The ring goes on while a fetch waits, and may lose what it had of other shards. */
  @Test
  void whatLeavesTheRingDuringAFetchIsFetchedToo() throws Exception {
    start("broadcast.ring.maxRecords=16");
    String busy = topicOf(0);
    String other = topicOf(1);
    LiveClient stays = witness("#");
    feed.publish(busy, 1, 51);
    feed.publish(other, 1, 4);
    stays.awaitIds(53);
    feed.onOwner(
        busy,
        owner ->
            owner.duringFetch =
                () -> {
                  for (int n = 51; n < 101; n++) {
                    owner.publish(busy, busy + ":" + n, "{}");
                  }
                });
    LiveClient back = resume("#", since(busy, 1, 10) + "," + since(other, 1, 1));
    assertTrue(isComplete(back));
    List<String> expected = new ArrayList<>(ids(busy, 11, 101));
    expected.addAll(ids(other, 2, 4));
    List<String> seen = back.awaitIds(92);
    assertEquals(expected.stream().sorted().toList(), seen.stream().sorted().toList());
  }

  /** A viewer names no Position of a shard of which it has seen nothing. */
  @Test
  void whatLeavesTheRingDuringAFetchOfAnotherShardIsFetchedToo() throws Exception {
    start("broadcast.ring.maxRecords=16");
    String busy = topicOf("w/", 0);
    String unnamed = topicOf("w/", 1);
    String unseen = topicOf("w/", 2);
    String strange = topicOf(2);
    LiveClient stays = witness("#");
    feed.publish(strange, 1, 21);
    feed.publish(busy, 1, 51);
    stays.awaitIds(70);
    feed.publish(unnamed, 1, 4);
    stays.awaitIds(73);
    feed.onOwner(busy, owner -> owner.duringFetch = () -> goOn(busy, unseen));
    LiveClient back = resume("w/#", since(busy, 1, 10));
    assertTrue(isComplete(back));
    List<String> expected = new ArrayList<>(ids(busy, 11, 101));
    expected.addAll(ids(unnamed, 1, 4));
    expected.addAll(ids(unseen, 1, 4));
    List<String> seen = back.awaitIds(96);
    assertEquals(expected.stream().sorted().toList(), seen.stream().sorted().toList());
  }

  /** On the owners' event loop. */
  private void goOn(String busy, String unseen) {
    for (int n = 1; n < 4; n++) {
      feed.owner(unseen).publish(unseen, unseen + ":" + n, "{}");
    }
    for (int n = 51; n < 101; n++) {
      feed.owner(busy).publish(busy, busy + ":" + n, "{}");
    }
  }

  private static List<String> idsFor(LiveClient client, String filter) {
    return client.all("rec").stream()
        .filter(record -> filter.equals(record.getString("address")))
        .map(record -> record.getJsonObject("body").getString("id"))
        .toList();
  }

  @Test
  void eachShardResumesFromItsOwnPosition() throws Exception {
    start();
    String one = topicOf(0);
    String two = topicOf(1);
    LiveClient witness = witness("#");
    for (int n = 1; n <= 20; n++) {
      feed.publish(one, n);
      feed.publish(two, n);
    }
    witness.awaitIds(40);
    String since = since(one, 1, 5) + "," + since(two, 1, 15) + ",2.1-0,3.1-0";
    LiveClient client = resume("#", since);
    assertTrue(isComplete(client));
    List<String> ids = client.awaitIds(20);
    assertEquals(ids(one, 6, 21), ids.stream().filter(id -> id.startsWith(one)).toList());
    assertEquals(ids(two, 16, 21), ids.stream().filter(id -> id.startsWith(two)).toList());
  }

  private static String topicOf(int shard) {
    return topicOf("", shard);
  }

  private static String topicOf(String prefix, int shard) {
    return IntStream.range(0, 1000)
        .mapToObj(n -> prefix + "topic" + (char) ('a' + n % 26) + n)
        .filter(topic -> Topic.shard(topic, TestFeed.SHARDS) == shard)
        .findFirst()
        .orElseThrow();
  }
}
