package io.galop.broadcast.feed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.broadcast.LiveClient;
import io.galop.broadcast.hub.EndedRegistration;
import io.galop.broadcast.ring.Entry;
import io.galop.bus.Ask;
import io.galop.bus.Page;
import io.galop.bus.Refusal;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who asks owners for what was missed, and who waits: nobody for the owner of another's shard. */
@Timeout(180)
class OwnerFetchesTest extends FetchesTest {
  private static final int MANY = 5_000;

  /** It answers at once, without the event bus, that there is none. */
  @Test
  void allWhoWaitForAnOwnerThatIsNotThereAreToldSoon() throws Exception {
    start(2, PATIENT);
    long begin = System.nanoTime();
    come(MANY, 0);
    LiveClient.await("all are told", () -> lost.get() == MANY);
    long tookMs = (System.nanoTime() - begin) / 1_000_000;
    assertTrue(tookMs > 1_000, "it is asked for a while: " + tookMs + " ms");
    assertEquals(0, whole.get() + gone.get());
  }

  @Test
  void oneOfAllAsksAnOwnerThatRefuses() throws Exception {
    start(2, PATIENT);
    owner(0, ask -> refused());
    owner(1, FetchesTest::page);
    come(MANY, 0);
    awaitHeld(MANY);
    come(100, 1);
    LiveClient.await("the others are served", () -> whole.get() == 100);
    assertEquals(0, lost.get());
    LiveClient.await("all are told", () -> lost.get() == MANY);
    int refused = asked.get() - 100;
    assertTrue(refused >= 10 && refused < 40, refused + " questions");
    awaitHeld(0);
  }

  @Test
  void allAreServedWhenTheOwnerIsBack() throws Exception {
    start(1, PATIENT);
    boolean[] isAway = {true};
    owner(0, ask -> isAway[0] ? refused() : page(ask));
    come(MANY, 0);
    awaitHeld(MANY);
    world.onLoop(() -> isAway[0] = false);
    LiveClient.await("all are served", () -> whole.get() == MANY);
    assertEquals(0, lost.get() + gone.get());
    come(1, 0);
    LiveClient.await("so is the next", () -> whole.get() == MANY + 1);
  }

  @Test
  void whoHasGoneLeavesTheQueueAndIsAskedForNoMore() throws Exception {
    start(2, PATIENT);
    Promise<Page> late = Promise.promise();
    owner(0, ask -> late.future());
    owner(1, ask -> refused());
    List<Join> all = come(MANY, 0);
    all.addAll(come(1, 1));
    LiveClient.await("all places are taken", () -> asked.get() == AT_ONCE);
    world.onLoop(() -> all.forEach(join -> EndedRegistration.end(join.registration())));
    LiveClient.await("all have left", () -> gone.get() == MANY + 1 - AT_ONCE);
    late.fail(new Refusal(Refusal.Why.NOT_READY, "the shard is moving"));
    LiveClient.await("the last have left", () -> gone.get() == MANY + 1);
    assertEquals(AT_ONCE, asked.get());
    assertEquals(0, lost.get() + whole.get());
  }

  @Test
  void whoCameFirstIsTheFirstAlsoAfterItHadToWaitForAnOwner() throws Exception {
    start(2, PATIENT, "broadcast.resume.maxConcurrent=1");
    List<String> order = new ArrayList<>();
    List<Promise<Page>> late = List.of(Promise.promise(), Promise.promise());
    owner(
        0,
        ask -> {
          order.add("0");
          boolean isScout = order.equals(List.of("0", "0"));
          return order.size() == 1 ? refused() : isScout ? late.get(0).future() : page(ask);
        });
    owner(
        1,
        ask -> {
          order.add("1");
          return order.size() == 3 ? late.get(1).future() : page(ask);
        });
    come(1, 0);
    LiveClient.await("it asks again", () -> asked.get() == 2);
    come(1, 0); // waits for that owner, as it is away
    come(1, 1);
    LiveClient.await("another has the place", () -> asked.get() == 3);
    come(1, 1);
    world.onLoop(() -> late.get(0).complete(page(new Ask(0, at(0, 1, 5), "", 1)).result()));
    LiveClient.await("the owner is back", () -> whole.get() == 1);
    world.onLoop(() -> late.get(1).complete(page(new Ask(1, at(1, 1, 5), "", 1)).result()));
    LiveClient.await("all are served", () -> whole.get() == 4);
    assertEquals(List.of("0", "0", "1", "0", "1"), order);
  }

  /** Who was let through to see whether an owner is back may go, or need another as well. */
  @Test
  void nobodyIsLeftWaitingByAScoutThatHasGone() throws Exception {
    start(2, PATIENT);
    boolean[] isAway = {true};
    owner(0, ask -> isAway[0] ? refused() : page(ask));
    owner(1, ask -> refused());
    List<Join> first = come(20, 0, 1);
    List<Join> second = come(20, 0);
    awaitHeld(40);
    world.onLoop(
        () -> {
          first.forEach(join -> EndedRegistration.end(join.registration()));
          isAway[0] = false;
        });
    LiveClient.await("the others are served", () -> whole.get() == second.size());
    LiveClient.await("they have gone", () -> gone.get() == first.size());
    assertEquals(0, lost.get());
  }

  @Test
  void aShardThatIsAwayIsAskedBeforeOthersSoThatNothingIsHeldMeanwhile() throws Exception {
    start(2, PATIENT);
    List<Integer> shardsAsked = new ArrayList<>();
    boolean[] isAway = {true};
    owner(
        0,
        ask -> {
          shardsAsked.add(0);
          return page(ask);
        });
    owner(
        1,
        ask -> {
          shardsAsked.add(1);
          return isAway[0] ? refused() : page(ask);
        });
    come(1, 1);
    awaitHeld(1);
    come(50, 0, 1);
    awaitHeld(51);
    assertEquals(Set.of(1), new HashSet<>(shardsAsked));
    world.onLoop(() -> isAway[0] = false);
    LiveClient.await("all are served", () -> whole.get() == 51);
  }

  /** Owners that refuse, answer late and forget, records that come, gaps, and browsers that go. */
  @Test
  void whoIsServedMissesNothingAndEveryoneIsAnsweredOnce() throws Exception {
    start(3, PATIENT);
    Random random = new Random(7);
    boolean[] isOver = {false};
    Promise<Page> never = Promise.promise();
    for (int shard = 0; shard < 3; shard++) {
      owner(shard, ask -> isOver[0] ? never.future() : chance(random, ask));
    }
    Map<Join, Integer> answers = new HashMap<>();
    AtomicInteger wrong = new AtomicInteger();
    world.onLoop(
        () ->
            fetches =
                new OwnerFetches(
                    world.vertx,
                    world.bus.feed(),
                    world.config.broadcast().resume(),
                    world.view,
                    3,
                    held,
                    (join, reached, entries, release) -> {
                      wrong.addAndGet(isWhole(join, reached, entries) ? 0 : 1);
                      release.run();
                      answers.merge(join, 1, Integer::sum);
                      whole.incrementAndGet();
                    },
                    join -> answers.merge(join, 1, Integer::sum)));
    List<Join> all = new ArrayList<>();
    for (int turn = 0; turn < 40; turn++) {
      int touched = turn % 3;
      all.addAll(turn % 2 == 0 ? come(20, touched) : come(20, touched, (touched + 1) % 3));
      world.onLoop(
          () -> {
            int shard = random.nextInt(3);
            world.push(shard, 1, world.shards[shard].view().last().offset() + 3, "a");
            for (int n = 0; n < 5; n++) {
              EndedRegistration.end(all.get(random.nextInt(all.size())).registration());
            }
          });
      Thread.sleep(20);
    }
    LiveClient.await("all are answered", () -> answers.size() == all.size());
    Thread.sleep(1_000);
    assertEquals(0, wrong.get());
    assertTrue(answers.values().stream().allMatch(times -> times == 1));
    assertTrue(whole.get() > all.size() / 2, whole + " were served");
    awaitHeld(0);
    world.onLoop(() -> isOver[0] = true);
    assertAllPlacesAreFree();
  }

  /** Of owners that answer nothing from now on. */
  private void assertAllPlacesAreFree() throws Exception {
    int before = asked.get();
    come(2 * AT_ONCE, 0);
    LiveClient.await("all places are taken", () -> asked.get() >= before + AT_ONCE);
    Thread.sleep(200);
    assertEquals(before + AT_ONCE, asked.get());
  }

  private Future<Page> chance(Random random, Ask ask) {
    int what = random.nextInt(20);
    if (what < 6) {
      return refused();
    }
    long head = world.shards[ask.shard()].view().last().offset();
    long from = ask.since().offset();
    long upTo = Math.min(head, from + 1 + random.nextInt(20));
    List<Placed> records =
        LongStream.rangeClosed(from + 1, upTo)
            .mapToObj(n -> ReturningWorld.placed(at(ask.shard(), 1, n), "a"))
            .toList();
    Page page = new Page(what != 19, at(ask.shard(), 1, Math.max(from, upTo)), "", records);
    return what < 13 ? Future.succeededFuture(page) : world.vertx.timer(30).map(page);
  }

  /** What was fetched and what the ring has go on from each other, and end with the newest. */
  private boolean isWhole(Join join, Map<Integer, Position> reached, List<Entry> entries) {
    for (int shard : reached.keySet()) {
      List<Long> offsets = new ArrayList<>();
      for (Entry entry : entries) {
        if (entry.shard() == shard) {
          offsets.add(entry.position().offset());
        }
      }
      for (long n = world.ring.firstAfter(shard, reached.get(shard)); n < world.ring.next(); n++) {
        Entry entry = world.ring.get(n);
        if (entry != null && entry.shard() == shard) {
          offsets.add(entry.position().offset());
        }
      }
      long from = join.since().orElseThrow().of(shard).offset();
      long last = world.shards[shard].view().last().offset();
      if (!offsets.equals(LongStream.rangeClosed(from + 1, last).boxed().toList())) {
        System.out.println("not whole: " + from + " to " + last + ": " + offsets);
        return false;
      }
    }
    return true;
  }
}
