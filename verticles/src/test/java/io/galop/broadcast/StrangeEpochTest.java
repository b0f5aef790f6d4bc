package io.galop.broadcast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.e2e.Await;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A Position of an epoch that the owner does not know is never complete, whatever its number. */
@Tag("slow")
@Timeout(180)
class StrangeEpochTest extends FeedTest {
  private static final String TOPIC = "race/1";

  /** An owner that begins anew says nothing: it is asked when it has been silent for so long. */
  private static final String SOON_MISSED = "broadcast.staleAfterMs=5000";

  /** The numbers of epochs once were the time: whose clock was behind began smaller ones. */
  @Test
  void whoStaysAndWhoComesBackAreToldOfAnOwnerWithSmallerEpochs() throws Exception {
    start("broadcast.staleAfterMs=4000");
    feed.onOwner(TOPIC, owner -> owner.goOnIn(1_000));
    LiveClient first = witness(TOPIC);
    feed.publish(TOPIC, 1, 11);
    first.awaitIds(10);
    LiveClient stays = resume(TOPIC, since(TOPIC, 1_000, 5));
    assertTrue(isComplete(stays));
    stays.awaitIds(5);

    feed.onOwner(TOPIC, owner -> owner.replaced(500));
    feed.publish(TOPIC, 11, 21);
    LiveClient.await("told", () -> stays.count("resumed") == 2);
    assertEquals(false, stays.all("resumed").get(1).getBoolean("complete"));
    feed.publish(TOPIC, 21, 31);
    assertEquals(ids(TOPIC, 21, 31), newest(stays, 30));

    LiveClient back = resume(TOPIC, since(TOPIC, 1_000, 10));
    assertEquals(false, isComplete(back));
    feed.publish(TOPIC, 31, 41);
    assertEquals(ids(TOPIC, 31, 41), newest(back, 40));
    feed.awaitReady();
  }

  /** The last ten that a client was shown, up to a record. */
  private static List<String> newest(LiveClient client, int last) throws Exception {
    LiveClient.await("records", () -> client.ids().contains(TOPIC + ":" + last));
    List<String> shown = client.ids();
    return shown.subList(Math.max(0, shown.size() - 10), shown.size());
  }

  /** The other side of a split had an epoch between two that this node was shown. */
  @Test
  void anEpochBetweenTwoThatAreKnownIsAskedFor() throws Exception {
    start(SOON_MISSED);
    LiveClient witness = witness(TOPIC);
    feed.publish(TOPIC, 1, 11);
    witness.awaitIds(10);
    feed.onOwner(TOPIC, owner -> owner.goOnIn(9));
    feed.publish(TOPIC, 11, 21);
    witness.awaitIds(20);
    assertTrue(isComplete(resume(TOPIC, since(TOPIC, 1, 10))));
    assertTrue(isComplete(resume(TOPIC, since(TOPIC, 1, 12))), "shown, but never durable");
    assertTrue(isComplete(resume(TOPIC, since(TOPIC, 9, 0))));
    assertEquals(false, isComplete(resume(TOPIC, since(TOPIC, 5, 3))));
  }

  /** An epoch without a record is known to its owner alone. */
  @Test
  void anEpochThatOnlyTheOwnerKnowsIsComplete() throws Exception {
    start(SOON_MISSED);
    LiveClient witness = witness(TOPIC);
    feed.publish(TOPIC, 1, 11);
    witness.awaitIds(10);
    feed.onOwner(
        TOPIC,
        owner -> {
          owner.goOnIn(5);
          owner.goOnIn(9);
        });
    feed.publish(TOPIC, 11, 21);
    witness.awaitIds(20);
    LiveClient back = resume(TOPIC, since(TOPIC, 5, 0));
    assertTrue(isComplete(back));
    assertEquals(ids(TOPIC, 11, 21), back.awaitIds(10));
  }

  /** Else an owner that never heard of it could begin a smaller one, which would look seen. */
  @Test
  void anEpochThatOnlyAnAnswerHasNamedIsToldToTheNextOwner() throws Exception {
    start("broadcast.staleAfterMs=3000", "broadcast.ring.maxRecords=16");
    LiveClient witness = witness(TOPIC);
    feed.publish(TOPIC, 1, 101);
    witness.awaitIds(100);
    feed.onOwner(
        TOPIC,
        owner -> {
          owner.isDeaf = true;
          owner.loads = 1;
          owner.goOnIn(9);
        });
    assertTrue(isComplete(resume(TOPIC, since(TOPIC, 1, 10))));
    int before = feed.onOwners(() -> feed.owner(TOPIC).follows);
    feed.onOwner(TOPIC, owner -> owner.isDeaf = false);
    Await.until(
        "the owner is followed again",
        60,
        () -> feed.onOwners(() -> feed.owner(TOPIC).follows) > before);
    assertEquals(9, feed.onOwners(() -> feed.owner(TOPIC).namedEpoch));
  }
}
