package io.galop.broadcast.feed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.broadcast.LiveClient;
import io.galop.broadcast.hub.EndedRegistration;
import io.galop.bus.Ask;
import io.galop.bus.Page;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who asks whether an owner answers again, for all that wait for it. */
@Timeout(180)
class OwnerFetchesScoutTest extends FetchesTest {
  private static final List<Integer> LONGEST_MS =
      List.of(150, 300, 600, 600, 600, 600, 600, 600, 600, 600);

  private final List<Long> pausesMs = new CopyOnWriteArrayList<>();
  private final AtomicInteger pauses = new AtomicInteger();

  /** Its timers are over soon. */
  private Vertx quick() {
    return (Vertx)
        Proxy.newProxyInstance(
            Vertx.class.getClassLoader(),
            new Class<?>[] {Vertx.class},
            (proxy, method, args) -> {
              if (!method.getName().equals("setTimer")) {
                try {
                  return method.invoke(world.vertx, args);
                } catch (InvocationTargetException fault) {
                  throw fault.getCause();
                }
              }
              pausesMs.add((Long) args[0]);
              pauses.incrementAndGet();
              @SuppressWarnings("unchecked")
              Handler<Long> timer = (Handler<Long>) args[1];
              return world.vertx.setTimer(
                  1,
                  id -> {
                    timer.handle(id);
                    pauses.decrementAndGet();
                  });
            });
  }

  /** Not one for each time that somebody looks who waits. */
  @Test
  void allAreLetGoWhomTheRingGoesOnFromByNow() throws Exception {
    start(2, PATIENT);
    owner(0, ask -> refused());
    owner(1, ask -> never());
    int count = 50;
    comeFromEpoch(2);
    world.onLoop(
        () -> {
          for (int n = 0; n < count; n++) {
            fetches.add(world.join("#", at(0, 2, 3)), Map.of(0, at(0, 2, 3)));
          }
        });
    awaitHeld(count + 1);
    isBlind = true;
    world.onLoop(() -> world.push(0, 2, 8, "a"));
    LiveClient.await("all are served", () -> whole.get() == count);
    assertEquals(0, lost.get() + gone.get());
  }

  /** One that is in an epoch of shard 0 which the feed may bring, and misses some of shard 1. */
  private void comeFromEpoch(long epoch) throws Exception {
    Map<Integer, Position> places = Map.of(0, at(0, epoch, 3), 1, at(1, 1, 5));
    world.onLoop(() -> fetches.add(world.join("#", at(0, epoch, 3), at(1, 1, 5)), places));
  }

  /** It needs the owner that does not answer no more, and asks another, which stands still. */
  @Test
  void aScoutThatGoesOnWithoutAnAnswerIsNoneAnyMore() throws Exception {
    start(2, PATIENT);
    boolean[] isBack = {false};
    AtomicInteger stuck = new AtomicInteger();
    owner(
        0,
        ask -> {
          boolean isScout = asked.get() > 1 && ask.since().epoch() == 2;
          return isBack[0] ? page(ask) : isScout ? goOn(ask) : refused();
        });
    owner(
        1,
        ask -> {
          stuck.incrementAndGet();
          return never();
        });
    comeFromEpoch(2);
    come(20, 0);
    LiveClient.await("it asks the other", () -> stuck.get() == 1);
    world.onLoop(() -> isBack[0] = true);
    LiveClient.await("the others are served", () -> whole.get() == 20);
  }

  @Test
  void theNextOneIsSentAtOnceAfterAScoutThatHasGone() throws Exception {
    start(1);
    boolean[] isAway = {true};
    owner(0, ask -> isAway[0] ? refused() : page(ask));
    List<Join> all = come(50, 0);
    awaitHeld(50);
    isBlind = true;
    world.onLoop(
        () -> {
          all.subList(0, 49).forEach(join -> EndedRegistration.end(join.registration()));
          isAway[0] = false;
        });
    LiveClient.await("the last is served", () -> whole.get() == 1);
    assertEquals(49, gone.get());
  }

  @Test
  void aScoutIsNoneAnyMoreWhenItsOwnerHasAnswered() throws Exception {
    start(2, PATIENT);
    boolean[] isAway = {true};
    Promise<Page> never = Promise.promise();
    AtomicInteger stuck = new AtomicInteger();
    owner(0, ask -> isAway[0] ? refused() : page(ask));
    owner(
        1,
        ask -> {
          stuck.incrementAndGet();
          return never.future();
        });
    come(1, 0, 1);
    awaitHeld(1);
    world.onLoop(() -> isAway[0] = false);
    LiveClient.await("it asks the other", () -> stuck.get() == 1);
    world.onLoop(() -> isAway[0] = true);
    come(20, 0);
    awaitHeld(20);
    isBlind = true;
    world.onLoop(() -> isAway[0] = false);
    LiveClient.await("the others are served", () -> whole.get() == 20);
    assertEquals(1, stuck.get());
  }

  /** More owners stand still than there are places. */
  @Test
  void scoutsTakeNoPlaceAndThereIsOneOfAShard() throws Exception {
    int still = 19;
    start(still + 1, PATIENT);
    AtomicInteger stuck = new AtomicInteger();
    for (int shard = 0; shard < still; shard++) {
      boolean[] isKnown = {false};
      owner(
          shard,
          ask -> {
            stuck.addAndGet(isKnown[0] ? 1 : 0);
            boolean was = isKnown[0];
            isKnown[0] = true;
            return was ? never() : refused();
          });
      come(1, shard);
    }
    LiveClient.await("one of each asks", () -> stuck.get() == still);
    for (int shard = 0; shard < still; shard++) {
      come(2, shard);
    }
    awaitHeld(2 * still);
    owner(still, FetchesTest::page);
    come(30, still);
    LiveClient.await("the others are served", () -> whole.get() == 30);
    assertEquals(still, stuck.get());
    assertEquals(0, lost.get());
  }

  /** The ring goes on from each that asks just then, and it asks another, which stands still. */
  @Test
  void thereAreNeverMoreUnderWayThanPlacesAndShards() throws Exception {
    start(2, PATIENT, "broadcast.resume.maxConcurrent=1");
    AtomicInteger stuck = new AtomicInteger();
    Promise<Void> hasCome = Promise.promise();
    owner(0, ask -> asked.get() == 1 ? refused() : hasCome.future().compose(all -> goOn(ask)));
    owner(
        1,
        ask -> {
          stuck.incrementAndGet();
          return never();
        });
    for (int epoch = 2; epoch < 22; epoch++) {
      comeFromEpoch(epoch);
    }
    awaitHeld(19);
    world.onLoop(hasCome::complete);
    LiveClient.await("one of the place and two of the shards", () -> stuck.get() >= 3);
    Thread.sleep(1_500);
    assertEquals(3, stuck.get());
  }

  /** The ring goes on from there now. */
  private Future<Page> goOn(Ask ask) {
    world.push(0, ask.since().epoch(), 8, "a");
    return refused();
  }

  /** What those miss who {@link #come}. */
  private static Page missed(int shard) {
    return page(new Ask(shard, at(shard, 1, 5), "", 1)).result();
  }

  private static Future<Page> never() {
    return Promise.<Page>promise().future();
  }

  /** Before the one has all that it misses. */
  @Test
  void allGoOnAsSoonAsOneIsAnswered() throws Exception {
    start(1, PATIENT);
    boolean[] isAway = {true};
    boolean[] isFirst = {true};
    owner(
        0,
        ask -> {
          if (isAway[0]) {
            return refused();
          }
          if (ask.since().offset() == 8) {
            return never();
          }
          boolean was = isFirst[0];
          isFirst[0] = false;
          return was ? upTo(ask, 8) : page(ask);
        });
    come(20, 0);
    awaitHeld(20);
    isBlind = true;
    world.onLoop(() -> isAway[0] = false);
    LiveClient.await("the others are served", () -> whole.get() == 19);
  }

  /** Else two owners that go in turn could keep it for ever. */
  @Test
  void whoIsSentAwayWithoutAQuestionHasFailedOnce() throws Exception {
    start(2, PATIENT);
    Promise<Page> first = Promise.promise();
    Promise<Page> second = Promise.promise();
    AtomicInteger refused = new AtomicInteger();
    owner(0, ask -> first.future());
    owner(1, ask -> refused.incrementAndGet() == 2 ? second.future() : refused());
    come(1, 0, 1);
    LiveClient.await("it has asked", () -> asked.get() == 1);
    come(1, 1);
    LiveClient.await("the other asks again", () -> refused.get() == 2);
    world.onLoop(() -> first.complete(missed(0)));
    awaitHeld(1);
    world.onLoop(() -> second.handle(refused()));
    LiveClient.await("both are told", () -> lost.get() == 2);
    Thread.sleep(700);
    assertEquals(10, refused.get());
  }

  /** It was not yet its turn when the owner went away again: no pause of before counts. */
  @Test
  void whatWasBeforeAnAnswerIsNoFailureOfWhoWaits() throws Exception {
    start(2, PATIENT);
    Promise<Void> haveCome = Promise.promise();
    AtomicInteger asks = new AtomicInteger();
    owner(
        0,
        ask -> {
          int n = asks.incrementAndGet();
          if (n == 2) {
            return haveCome.future().compose(all -> refused());
          }
          return lost.get() > 0 ? page(ask) : n == 9 ? upTo(ask, 8) : refused();
        });
    Promise<Page> late = Promise.promise();
    owner(1, ask -> late.future());
    come(1, 0);
    LiveClient.await("it asks again", () -> asks.get() == 2);
    int many = 30;
    come(many - 1, 0);
    awaitHeld(many - 1);
    come(AT_ONCE, 1);
    LiveClient.await("all places are taken", () -> asked.get() == 2 + AT_ONCE);
    world.onLoop(haveCome::complete);
    LiveClient.await("one is answered and then refused", () -> lost.get() > 0);
    world.onLoop(() -> late.complete(missed(1)));
    LiveClient.await("all are served or told", () -> whole.get() + lost.get() == many + AT_ONCE);
    int haveAsked = 9; // their own failures stay theirs, and may have become too many by now
    assertTrue(lost.get() < haveAsked, () -> lost + " are told that something is missing");
  }

  @Test
  void whoHasFailedTooOftenDoesNotWaitWithPages() throws Exception {
    start(1, PATIENT);
    world.onLoop(() -> begin(quick()));
    AtomicInteger asks = new AtomicInteger();
    owner(0, ask -> asks.incrementAndGet() == 9 ? upTo(ask, 8) : refused());
    come(1, 0);
    LiveClient.await("it is told", () -> lost.get() == 1);
    assertEquals(11, asks.get());
  }

  /** A page that ends before the ring begins. */
  private static Future<Page> upTo(Ask ask, long last) {
    Page all = page(ask).result();
    List<Placed> some =
        all.records().stream().filter(placed -> placed.position().offset() <= last).toList();
    Position upTo = at(ask.shard(), 1, last);
    return Future.succeededFuture(new Page(true, upTo, "", some));
  }

  /** Owners are asked often at first, and not by all nodes at once. */
  @Test
  void pausesGrowAndDifferFromNodeToNode() throws Exception {
    start(1);
    Set<List<Long>> all = new HashSet<>();
    for (int node = 1; node <= 4; node++) {
      pausesMs.clear();
      world.onLoop(() -> begin(quick()));
      come(1, 0);
      int told = node;
      LiveClient.await("it is told", () -> lost.get() == told && pauses.get() == 0);
      assertEquals(LONGEST_MS.size(), pausesMs.size(), pausesMs::toString);
      for (int n = 0; n < LONGEST_MS.size(); n++) {
        long most = LONGEST_MS.get(n);
        assertTrue(pausesMs.get(n) >= most / 2 && pausesMs.get(n) <= most, pausesMs::toString);
      }
      all.add(List.copyOf(pausesMs));
    }
    assertTrue(all.size() > 1, "all in step: " + all);
  }

  @Test
  void pausesBeginAnewWhenNobodyIsLeftThatWaits() throws Exception {
    start(1);
    List<Join> all = new ArrayList<>();
    Promise<Void> hasCome = Promise.promise();
    owner(
        0,
        ask -> {
          if (asked.get() == 5) {
            all.forEach(join -> EndedRegistration.end(join.registration()));
          }
          return hasCome.future().compose(come -> refused());
        });
    world.onLoop(() -> begin(quick()));
    all.addAll(come(1, 0));
    world.onLoop(hasCome::complete);
    LiveClient.await("it has gone", () -> gone.get() == 1 && pauses.get() == 0);
    assertTrue(pausesMs.get(4) >= 300, pausesMs::toString);
    pausesMs.clear();
    come(1, 0);
    LiveClient.await("the next is told", () -> lost.get() == 1);
    assertTrue(pausesMs.get(0) <= 150, pausesMs::toString);
  }
}
