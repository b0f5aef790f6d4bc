package io.galop.broadcast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Owners that start again, fall silent or know only a part: browsers are told, and lose nothing.
 */
@Tag("slow")
@Timeout(180)
class OwnerTroubleTest extends FeedTest {
  private static final String TOPIC = "race/1";

  /** An owner that begins anew says nothing: it is asked when it has been silent for so long. */
  private static final String SOON_MISSED = "broadcast.staleAfterMs=5000";

  @Test
  void takesNothingThatDoesNotFollowOnWhatItHas() throws Exception {
    start(SOON_MISSED);
    LiveClient client = witness(TOPIC);
    feed.publish(TOPIC, 1, 11);
    client.awaitIds(10);
    feed.onOwner(TOPIC, owner -> owner.forgetsToPush(TOPIC, TOPIC + ":11"));
    feed.publish(TOPIC, 12, 21);
    assertEquals(ids(TOPIC, 1, 21), client.awaitIds(20));
    assertEquals(0, client.count("resumed"));
  }

  @Test
  void ownerThatStartsAgainGoesOnInANewEpoch() throws Exception {
    start(SOON_MISSED);
    LiveClient stays = witness(TOPIC);
    feed.publish(TOPIC, 1, 11);
    stays.awaitIds(10);
    feed.onOwner(TOPIC, owner -> owner.restart(2));
    feed.publish(TOPIC, 11, 21);
    assertEquals(ids(TOPIC, 1, 21), stays.awaitIds(20));
    assertEquals(since(TOPIC, 2, 10), stays.lastPosition());
    LiveClient back = resume(TOPIC, since(TOPIC, 1, 9));
    assertTrue(isComplete(back));
    assertEquals(ids(TOPIC, 10, 21), back.awaitIds(11));
    assertEquals(0, stays.count("resumed"));
  }

  /** It told more in a later page than it had when it told the first. */
  @Test
  void aLastValueThatAnOwnerTellsAheadOfItsDeathIsNotKept() throws Exception {
    String other =
        IntStream.iterate(2, n -> n + 1)
            .mapToObj(n -> "race/" + n)
            .filter(topic -> since(topic, 1, 1).equals(since(TOPIC, 1, 1)))
            .findFirst()
            .orElseThrow();
    feed = TestFeed.withoutOwners();
    feed.startOwners(
        TOPIC,
        owner -> {
          owner.publish(TOPIC, TOPIC + ":1", "{}");
          owner.publish(other, other + ":1", "{}");
          owner.pageRecords = 1;
          owner.behindPage = () -> owner.publish(other, other + ":2", "{}");
          owner.beforeFollow = () -> owner.restart(1);
        });
    feed.awaitReady();
    LiveClient client = feed.connect();
    client.register("race/+", Map.of("snapshot", "true"));
    client.awaitFirst("live");
    assertEquals(List.of(TOPIC + ":1", other + ":1"), client.ids());
    feed.publish(TOPIC, 2);
    assertEquals(TOPIC + ":2", client.awaitIds(3).get(2));
  }

  /** The owner died before it acknowledged them, so the publisher has sent them to the next one. */
  @Test
  void whatTheNextOwnerPlacesOnceMoreIsShownOnce() throws Exception {
    start(SOON_MISSED);
    LiveClient stays = witness("race/#");
    feed.publish(TOPIC, 1, 11);
    feed.publish("race/2", 1, 2);
    stays.awaitIds(11);
    feed.onOwner(TOPIC, owner -> owner.restart(2));
    feed.publish(TOPIC, 6, 21);
    stays.awaitIds(21);
    List<String> expected = new ArrayList<>(ids(TOPIC, 1, 21));
    expected.addAll(ids("race/2", 1, 2));
    assertEquals(expected.stream().sorted().toList(), stays.ids().stream().sorted().toList());
    LiveClient back = resume(TOPIC, since(TOPIC, 1, 9));
    assertTrue(isComplete(back));
    assertEquals(ids(TOPIC, 10, 21), back.awaitIds(11));
  }

  /**
   * A script that lost its state with its node made something else of the publisher's record. Who
   * was shown the first attempt would be left with what nobody keeps; and with an older value, if
   * what followed were not shown once more behind the second attempt.
   */
  @Test
  void aSecondAttemptWithOtherDataIsShown() throws Exception {
    start(SOON_MISSED);
    LiveClient stays = witness("race/#");
    feed.publish(TOPIC, 1, 12);
    stays.awaitIds(11);
    LiveClient early = resume(TOPIC, since(TOPIC, 1, 10));
    feed.onOwner(
        TOPIC,
        owner -> {
          owner.restart(2);
          owner.publish(TOPIC, TOPIC + ":10", "{\"n\":null}");
        });
    feed.publish(TOPIC, 11, 13);
    List<String> expected = new ArrayList<>(ids(TOPIC, 1, 12));
    expected.addAll(ids(TOPIC, 10, 13));
    assertEquals(expected, stays.awaitIds(14));
    assertEquals("{\"n\":null}", data(stays, 11));
    LiveClient late = resume(TOPIC, since(TOPIC, 1, 10));
    List<String> missed = new ArrayList<>(ids(TOPIC, 11, 12));
    missed.addAll(ids(TOPIC, 10, 13));
    assertEquals(missed, early.awaitIds(4));
    assertEquals(missed, late.awaitIds(4));
    assertEquals(0, feed.counted("repeated"));
  }

  private static String data(LiveClient client, int record) {
    return client.all("rec").get(record).getJsonObject("body").getJsonObject("data").encode();
  }

  /** The first attempt has left the ring, and the owner has the second one only. */
  @Test
  void whoComesBackIsGivenTheSecondAttemptWhereTheFirstIsGone() throws Exception {
    start("broadcast.ring.maxRecords=16", SOON_MISSED);
    feed.eachOwner(owner -> owner.pageRecords = 10);
    LiveClient stays = witness(TOPIC);
    feed.publish(TOPIC, 1, 11);
    stays.awaitIds(10);
    feed.onOwner(TOPIC, owner -> owner.restart(1));
    feed.publish(TOPIC, 11, 41);
    stays.awaitIds(40);
    LiveClient early = resume(TOPIC, since(TOPIC, 1, 9));
    feed.publish(TOPIC, 10);
    feed.publish(TOPIC, 41, 43);
    stays.awaitIds(42);
    LiveClient late = resume(TOPIC, since(TOPIC, 1, 9));
    List<String> expected = new ArrayList<>(ids(TOPIC, 11, 41));
    expected.add(TOPIC + ":10");
    expected.addAll(ids(TOPIC, 41, 43));
    assertEquals(expected, early.awaitIds(33));
    assertEquals(expected, late.awaitIds(33));
    assertTrue(isComplete(early) && isComplete(late));
    assertEquals(ids(TOPIC, 1, 43), stays.ids(), "it was shown the first attempt");
  }

  /** The node that a viewer comes from was not sent the first attempt before the owner died. */
  @Test
  void whoComesFromAnotherNodeIsGivenTheSecondAttempt() throws Exception {
    start(SOON_MISSED);
    LiveClient stays = witness(TOPIC);
    feed.publish(TOPIC, 1, 11);
    stays.awaitIds(10);
    feed.onOwner(TOPIC, owner -> owner.restart(1));
    feed.publish(TOPIC, 11, 13);
    stays.awaitIds(12);
    LiveClient early = resume(TOPIC, since(TOPIC, 2, 1));
    early.awaitIds(1);
    feed.publish(TOPIC, 10);
    feed.publish(TOPIC, 13);
    stays.awaitIds(13);
    LiveClient late = resume(TOPIC, since(TOPIC, 2, 1));
    List<String> expected = List.of(TOPIC + ":12", TOPIC + ":10", TOPIC + ":13");
    assertEquals(expected, early.awaitIds(3));
    assertEquals(expected, late.awaitIds(3));
    assertEquals(ids(TOPIC, 1, 14), stays.ids());
    assertEquals(1, feed.counted("repeated"));
  }

  /** Who was told of a gap has dropped what was shown: then a second attempt is news. */
  @Test
  void aSecondAttemptIsShownBehindAGap() throws Exception {
    start(SOON_MISSED);
    LiveClient stays = witness(TOPIC);
    feed.publish(TOPIC, 1, 11);
    stays.awaitIds(10);
    feed.onOwner(
        TOPIC,
        owner -> {
          owner.restart(1);
          for (int n = 11; n < 21; n++) {
            owner.publish(TOPIC, TOPIC + ":" + n, "{}");
          }
          owner.forgetAllBut(5);
        });
    assertEquals(false, stays.awaitFirst("resumed").getBoolean("complete"));
    assertEquals(TOPIC + ":20", stays.awaitIds(11).get(10));
    feed.publish(TOPIC, 10);
    feed.publish(TOPIC, 21);
    stays.awaitIds(13);
    assertEquals(List.of(TOPIC + ":10", TOPIC + ":21"), stays.ids().subList(11, 13));
  }

  @Test
  void nodeThatFellBehindTellsItsBrowsersAndSendsTheLatest() throws Exception {
    start("broadcast.staleAfterMs=4000");
    LiveClient stays = witness("race/#");
    LiveClient elsewhere = witness("other");
    feed.publish(TOPIC, 1, 11);
    stays.awaitIds(10);
    feed.onOwner(
        TOPIC,
        owner -> {
          owner.dropFollower();
          for (int n = 11; n < 31; n++) {
            owner.publish(TOPIC, TOPIC + ":" + n, "{}");
          }
          owner.forgetAllBut(5);
        });
    JsonObject resumed = stays.awaitFirst("resumed");
    assertEquals(false, resumed.getBoolean("complete"));
    assertEquals("race/#", resumed.getString("address"));
    stays.awaitIds(11);
    feed.publish(TOPIC, 31);
    stays.awaitIds(12);
    assertEquals(List.of("race/1:30", "race/1:31"), stays.ids().subList(10, 12));
    assertEquals(0, elsewhere.count("resumed"));
    LiveClient back = resume(TOPIC, since(TOPIC, 1, 10));
    assertEquals(false, isComplete(back));
  }

  @Test
  void tellsWhenTheOwnerFallsSilentAndWhenItIsBack() throws Exception {
    start("broadcast.staleAfterMs=4000");
    LiveClient one = witness(TOPIC);
    LiveClient all = witness("race/#");
    feed.publish(TOPIC, 1);
    one.awaitIds(1);
    feed.eachOwner(owner -> owner.silent(true));
    JsonObject stale = one.awaitFirst("stale");
    assertEquals(TOPIC, stale.getString("address"));
    assertEquals("feed", stale.getJsonObject("body").getString("reason"));
    all.awaitFirst("stale");
    LiveClient.await("unready", () -> !feed.node.readiness().isReady());
    LiveClient late = feed.connect();
    late.register(TOPIC);
    late.awaitFirst("stale");
    feed.publish(TOPIC, 2);
    feed.eachOwner(owner -> owner.silent(false));
    one.awaitFirst("fresh");
    all.awaitFirst("fresh");
    late.awaitFirst("fresh");
    assertEquals(ids(TOPIC, 1, 3), one.awaitIds(2));
    feed.awaitReady();
    assertEquals(1, all.count("stale"));
    assertEquals(1, all.count("fresh"));
    assertEquals(0, one.count("resumed"));
  }

  /** A browser that came before the node knew anything is not left to think that it has all. */
  @Test
  void whoRegistersBeforeTheFeedIsLoadedIsToldAndGetsTheLatest() throws Exception {
    feed = TestFeed.withoutOwners();
    LiveClient early = witness("race/#");
    LiveClient joining = feed.connect();
    joining.register("race/#", Map.of("snapshot", "true"));
    feed.publishFromTheStart(TOPIC, 1, 11);
    feed.awaitReady();
    assertEquals(List.of(TOPIC + ":10"), early.awaitIds(1));
    assertEquals(false, early.awaitFirst("resumed").getBoolean("complete"));
    assertEquals(List.of(TOPIC + ":10"), joining.awaitIds(1));
    assertEquals(0, joining.count("resumed"), "it was answered with its snapshot");
    assertEquals(1, early.count("resumed"), "only the shard that has records");
    feed.publish(TOPIC, 11);
    assertEquals(ids(TOPIC, 10, 12), early.awaitIds(2));
  }

  /** An owner that does not know all last values must not make a snapshot look whole. */
  @Test
  void aPartialSnapshotIsCalledSo() throws Exception {
    feed = TestFeed.withoutOwners("broadcast.staleAfterMs=4000");
    LiveClient all = feed.connect();
    all.register("race/#", Map.of("snapshot", "true"));
    feed.publishFromTheStart(TOPIC, 1, 11);
    feed.awaitReady();
    assertEquals(null, all.awaitFirst("live").getBoolean("partial"));
    feed.eachOwner(owner -> owner.hasForgotten = true);
    feed.eachOwner(FakeOwner::dropFollower);
    feed.publish(TOPIC, 11, 21);
    feed.eachOwner(owner -> owner.forgetAllBut(1));
    all.awaitFirst("resumed");
    LiveClient.await("told", () -> all.all("live").size() > 1);
    assertEquals(true, all.all("live").get(1).getBoolean("partial"));
    LiveClient late = feed.connect();
    late.register("race/#", Map.of("snapshot", "true"));
    assertEquals(true, late.awaitFirst("live").getBoolean("partial"));
    LiveClient lateExact = feed.connect();
    lateExact.register(TOPIC, Map.of("snapshot", "true"));
    assertEquals(null, lateExact.awaitFirst("live").getBoolean("partial"), "it has its topic");
  }
}
