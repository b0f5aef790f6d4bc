package io.galop.persist;

import static io.galop.persist.TestNode.await;
import static io.galop.persist.TestNode.batch;
import static io.galop.persist.TestNode.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.bus.Ask;
import io.galop.bus.Followed;
import io.galop.bus.Page;
import io.galop.cluster.Cluster;
import io.galop.cluster.LocalCluster;
import io.galop.config.Role;
import io.galop.record.Position;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class PersistVerticleTest {
  private static final int SHARD = 1;
  private static final Position NONE = Position.none(SHARD);

  @TempDir Path directory;
  private Vertx vertx;
  private TestNode node;

  @BeforeEach
  void start() throws Exception {
    vertx = Vertx.vertx();
    open();
    node.awaitReady();
  }

  /** A process that starts again has a Vert.x of its own: nothing answers for the one before. */
  private void restart() throws Exception {
    await(vertx.close());
    vertx = Vertx.vertx();
    open();
    node.awaitReady();
  }

  private void open() throws Exception {
    Cluster cluster = new LocalCluster("one", Set.of(Role.values()), 4);
    node =
        TestNode.start(
            vertx,
            cluster,
            TestNode.config(directory, "node.shards=4", "persist.cold.enabled=false"));
  }

  @AfterEach
  void stop() throws Exception {
    node.stop();
    await(vertx.close());
  }

  private void send(int from, int to) throws Exception {
    await(node.bus().persist().send(batch(SHARD, "t", from, to)));
  }

  private Page fetch(Position since) throws Exception {
    return await(node.bus().feed().fetch(new Ask(SHARD, since, "", 1 << 20)));
  }

  private static List<Long> offsets(Page page) {
    return page.records().stream().map(placed -> placed.position().offset()).toList();
  }

  @Test
  void offsetsBeginAtOneAndHaveNoHoles() throws Exception {
    send(0, 2);
    send(2, 3);
    assertEquals(List.of(1L, 2L, 3L), offsets(fetch(NONE)));
  }

  @Test
  void aRecordThatIsSentAgainIsPlacedOnce() throws Exception {
    send(0, 3);
    send(1, 5);
    assertEquals(List.of(1L, 2L, 3L, 4L, 5L), offsets(fetch(NONE)));
    assertEquals(2, node.meters.get("galop.persist.duplicates").counter().count());
  }

  @Test
  void aRestartKeepsTheTailTheIdsAndTheLatestAndBeginsAnEpoch() throws Exception {
    send(0, 3);
    Position before = fetch(NONE).upTo();
    node.stop();
    restart();
    send(2, 4);
    Page page = fetch(before);
    assertTrue(page.complete());
    assertEquals(List.of("t-3"), page.records().stream().map(p -> p.record().id()).toList());
    Position now = page.upTo();
    assertTrue(now.epoch() > before.epoch());
    assertEquals(1, now.offset());
    assertEquals(4, fetch(NONE).records().size());
    Page latest = await(node.bus().feed().latest(new Ask(SHARD, NONE, "", 1000)));
    assertEquals("t-3", latest.records().get(0).record().id());
  }

  @Test
  void anOffsetBeyondTheDurableEndGoesOnInTheNextEpoch() throws Exception {
    send(0, 3);
    Position shown = new Position(SHARD, fetch(NONE).upTo().epoch(), 7);
    node.stop();
    restart();
    send(3, 4);
    Page page = fetch(shown);
    assertTrue(page.complete());
    assertEquals("t-3", page.records().get(0).record().id());
    assertEquals(1, page.records().size());
  }

  @Test
  void anUnknownEpochIsNotComplete() throws Exception {
    send(0, 3);
    Page page = fetch(new Position(SHARD, 77, 1));
    assertFalse(page.complete());
    assertEquals(3, page.records().size());
  }

  @Test
  void aPositionOfTheFutureIsNotComplete() throws Exception {
    send(0, 3);
    Page page = fetch(new Position(SHARD, fetch(NONE).upTo().epoch(), 9));
    assertFalse(page.complete());
    assertEquals(List.of(), page.records());
  }

  @Test
  void aFollowerIsPushedWhatIsPlacedAndSignsOfLife() throws Exception {
    TestFollower follower = new TestFollower(vertx, node.bus(), SHARD);
    Followed followed = follower.follow(NONE);
    assertTrue(followed.complete());
    assertEquals(0, followed.from().offset());
    send(0, 2);
    send(2, 4);
    until(() -> follower.ids().equals(List.of("t-0", "t-1", "t-2", "t-3")));
    until(() -> follower.signsOfLife() > 0);
    assertEquals(0, follower.refusals());
  }

  @Test
  void whatComesDuringATakeoverKeepsItsOrder() throws Exception {
    node.stop();
    open();
    List<Future<Void>> sent = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      sent.add(node.bus().persist().send(batch(SHARD, "t", i, i + 1)));
    }
    for (Future<Void> one : sent) {
      await(one);
    }
    assertEquals(
        IntStream.range(0, 200).mapToObj(i -> "t-" + i).toList(),
        fetch(NONE).records().stream().map(placed -> placed.record().id()).toList());
  }

  @Test
  void aFollowerResumesOverARestart() throws Exception {
    send(0, 2);
    Position since = fetch(NONE).upTo();
    send(2, 4);
    node.stop();
    restart();
    send(4, 5);
    TestFollower follower = new TestFollower(vertx, node.bus(), SHARD);
    assertTrue(follower.follow(since).complete());
    until(() -> follower.ids().equals(List.of("t-2", "t-3", "t-4")));
  }
}
