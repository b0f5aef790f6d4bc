package io.galop.broadcast.feed;

import static io.galop.broadcast.feed.FetchesTest.at;
import static io.galop.broadcast.feed.FetchesTest.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.galop.broadcast.LiveClient;
import io.galop.broadcast.feed.OwnerFetch.Finish;
import io.galop.broadcast.hub.Budget;
import io.galop.broadcast.hub.EndedRegistration;
import io.galop.bus.Ask;
import io.galop.bus.FeedLane;
import io.galop.bus.Page;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.galop.record.TopicFilter;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One attempt to get what a browser missed: when is it whole, and when is it not. */
@Timeout(180)
class OwnerFetchTest implements OwnerFetch.Asker {
  private Budget budget = new Budget(1_000_000);
  private final List<String> told = new CopyOnWriteArrayList<>();
  private final List<Ask> asks = new CopyOnWriteArrayList<>();
  private final Set<Integer> away = ConcurrentHashMap.newKeySet();
  private ReturningWorld world;
  private OwnerFetch fetch;

  @Override
  public boolean isAway(int shard) {
    return away.contains(shard);
  }

  @Override
  public void answered(int shard) {
    told.add("answered");
  }

  @Override
  public boolean failed(int shard) {
    told.add("failed");
    return true;
  }

  @Override
  public void ended(OwnerFetch ended, Finish how) {
    told.add(how.toString());
  }

  @AfterEach
  void stop() throws Exception {
    world.close();
  }

  /** The ring has records 11 to 40 of a shard. */
  private void start(int shards, boolean isWatched) throws Exception {
    world = new ReturningWorld(shards, isWatched);
    world.onLoop(
        () -> {
          for (int shard = 0; shard < shards; shard++) {
            world.load(at(shard, 1, 10));
            world.push(shard, 1, 40, "a");
          }
        });
  }

  /** What the owner of a shard answers, on the feed loop. */
  private void owner(int shard, Function<Ask, Future<Page>> answer) throws Exception {
    world.owner(
        shard,
        ask -> {
          asks.add(ask);
          return answer.apply(ask);
        });
  }

  /** Up to ten records of epoch 1, and up to an offset. */
  private static Future<Page> page(Ask ask, long last) {
    long from = ask.since().offset();
    List<Placed> records =
        LongStream.rangeClosed(from + 1, Math.min(last, from + 10))
            .mapToObj(n -> ReturningWorld.placed(at(ask.shard(), 1, n), "a"))
            .toList();
    Position upTo = records.isEmpty() ? ask.since() : records.get(records.size() - 1).position();
    return Future.succeededFuture(new Page(true, upTo, "", records));
  }

  private static Future<Page> forgotten(Ask ask) {
    return Future.succeededFuture(new Page(false, at(ask.shard(), 9, 9), "", List.of()));
  }

  private void run(String filter, Position... since) throws Exception {
    run(world.join(filter, since));
  }

  private void run(Join join) throws Exception {
    world.onLoop(
        () -> {
          Since since = join.since().orElseThrow();
          Map<Integer, Position> places = world.view.places(join.filter(), since);
          FeedLane lane = world.bus.feed();
          fetch = new OwnerFetch(world.vertx, lane, world.view, join, places, budget, this);
          fetch.start(-1);
        });
    LiveClient.await("an end", () -> told.stream().anyMatch(word -> word.matches("[A-Z_]+")));
  }

  private List<Long> offsets() {
    return fetch.entries().stream().map(entry -> entry.position().offset()).toList();
  }

  private void assertEnd(String... words) {
    assertEquals(List.of(words), told);
    assertLast(words[words.length - 1]);
  }

  /** Nothing stays charged to whom it does not give it. */
  private void assertLast(String how) {
    assertEquals(how, told.get(told.size() - 1), told::toString);
    if (!how.equals("WHOLE")) {
      assertEquals(0, EndedRegistration.taken(budget));
    }
  }

  private Set<Integer> askedShards() {
    return asks.stream().map(Ask::shard).collect(Collectors.toSet());
  }

  private static List<Long> range(long first, long last) {
    return LongStream.rangeClosed(first, last).boxed().toList();
  }

  @Test
  void fetchesUntilTheRingGoesOnAndGivesBackOnce() throws Exception {
    start(1, false);
    owner(0, ask -> page(ask, 40));
    run("a", at(0, 1, 5));
    assertEnd("answered", "answered", "WHOLE");
    assertEquals(range(6, 25), offsets(), "to the middle of the ring");
    fetch.release();
    fetch.release();
    assertEquals(0, EndedRegistration.taken(budget));
  }

  /** The next owner has less than this node: it has no copy of its own. */
  @Test
  void whatTheOwnerHasNoMoreIsNotMissingIfTheRingHasIt() throws Exception {
    start(1, false);
    owner(0, ask -> ask.since().offset() == 5 ? page(ask, 40) : forgotten(ask));
    run("a", at(0, 1, 5));
    assertEnd("answered", "answered", "WHOLE");
    assertEquals(range(6, 15), offsets());
    assertEquals(at(0, 1, 15), fetch.reached().get(0));
  }

  @Test
  void whatTheOwnerHasNoMoreIsMissingIfTheRingLacksItToo() throws Exception {
    start(1, false);
    owner(0, ask -> ask.since().offset() == 0 ? page(ask, 9) : forgotten(ask));
    run("a", at(0, 1, 0));
    assertEnd("answered", "answered", "LOST");
  }

  @Test
  void anOwnerThatGoesAwayHoldsNobodyUpWhomTheRingGoesOnFrom() throws Exception {
    start(1, false);
    owner(0, ask -> ask.since().offset() == 5 ? page(ask, 40) : refused());
    run("a", at(0, 1, 5));
    assertEnd("answered", "failed", "WHOLE");
    assertEquals(range(6, 15), offsets());
  }

  /** The owner that is asked is not yet the one whose epoch it is, and whose pushes come. */
  @Test
  void anEpochThatTheFeedBringsMeanwhileIsKnown() throws Exception {
    start(1, false);
    owner(
        0,
        ask -> {
          world.push(0, 2, 8, "a");
          return forgotten(ask);
        });
    run("a", at(0, 2, 3));
    assertEnd("answered", "WHOLE");
    assertEquals(List.of(), offsets());
  }

  /** What was known of its epoch is worth nothing behind a gap. */
  @Test
  void aShardThatBeginsASmallerEpochMeanwhileIsAskedFor() throws Exception {
    start(2, false);
    world.onLoop(() -> world.load(at(1, 1_000, 10)));
    owner(
        0,
        ask -> {
          world.load(at(1, 500, 20));
          return page(ask, 40);
        });
    owner(1, OwnerFetchTest::forgotten);
    run("#", at(0, 1, 5), at(1, 1_000, 10));
    assertLast("LOST");
    assertEquals(1, asks.get(asks.size() - 1).shard());
  }

  /** It was asked before, and has nothing to do with the owner that came then. */
  @Test
  void anAnswerFromBeforeAGapVouchesForNothing() throws Exception {
    start(1, false);
    world.onLoop(() -> world.load(at(0, 1_000, 10)));
    owner(
        0,
        ask -> {
          if (asks.size() > 1) {
            return forgotten(ask);
          }
          world.load(at(0, 500, 20));
          return Future.succeededFuture(new Page(true, at(0, 1_000, 10), "", List.of()));
        });
    run("a", at(0, 1_000, 5));
    assertEnd("answered", "answered", "LOST");
  }

  /** A relay that loads a shard anew over a link that has not heard what is watched. */
  @Test
  void aFilterThatIsCoveredNoMoreIsNotWhole() throws Exception {
    start(1, true);
    coverWhatIsWatched();
    owner(
        0,
        ask -> {
          cover(1);
          return page(ask, 40);
        });
    run("a", at(0, 1, 5));
    assertLast("UNCOVERED");
  }

  @Test
  void aCoverThatGoesDuringAQuestionIsNoFailureOfTheOwner() throws Exception {
    start(1, true);
    coverWhatIsWatched();
    owner(
        0,
        ask -> {
          cover(1);
          return Future.succeededFuture(new Page(true, ask.since(), "", List.of()));
        });
    run("a", at(0, 1, 5));
    assertEnd("answered", "UNCOVERED");
  }

  private void coverWhatIsWatched() throws Exception {
    world.onLoop(
        () -> {
          world.shards[0].cover().want(TopicFilter.parse("a", 9), 2);
          cover(2);
        });
  }

  private void cover(long version) {
    ShardCover cover = world.shards[0].cover();
    cover.begun(cover.begin(), false);
    cover.push(version, at(0, 1, 10), at(0, 1, 40));
    cover.reach(at(0, 1, 40));
  }

  /** A relay is not sent what nobody watches: the ring lacks it, though it is not too old. */
  @Test
  void whatCameBeforeAFilterWasWantedIsFetched() throws Exception {
    start(1, true);
    world.onLoop(
        () -> {
          ShardCover cover = world.shards[0].cover();
          cover.want(TopicFilter.parse("a", 9), 2);
          cover.push(1, at(0, 1, 10), at(0, 1, 20));
          cover.push(2, at(0, 1, 20), at(0, 1, 40));
          cover.answer(cover.ask(), at(0, 1, 40), at(0, 1, 40));
          cover.reach(at(0, 1, 40));
        });
    owner(0, ask -> page(ask, 40));
    run("a", at(0, 1, 12));
    assertEnd("answered", "answered", "WHOLE");
    assertEquals(range(13, 32), offsets());
  }

  @Test
  void stopsWhenTheBrowserHasGone() throws Exception {
    start(1, false);
    Join join = world.join("a", at(0, 1, 0));
    owner(
        0,
        ask -> {
          EndedRegistration.end(join.registration());
          return page(ask, 9);
        });
    run(join);
    assertEnd("answered", "UNWANTED");
    assertEquals(1, asks.size());
  }

  @Test
  void whoHasNothingYetGivesItsPlaceBackAtOnce() throws Exception {
    start(1, false);
    owner(0, ask -> refused());
    run("a", at(0, 1, 5));
    assertEnd("failed", "HELD_UP");
  }

  @Test
  void whoHasPagesPausesForAWhileAndThenGivesBackAll() throws Exception {
    start(1, false);
    owner(0, ask -> ask.since().offset() == 0 ? page(ask, 9) : refused());
    run("a", at(0, 1, 0));
    assertEnd("answered", "failed", "failed", "failed", "failed", "HELD_UP");
  }

  /** Else one that misses much is never served by an owner that refuses now and then. */
  @Test
  void anOwnerThatAnswersInBetweenIsWaitedForAnew() throws Exception {
    start(1, false);
    owner(0, ask -> asks.size() % 2 == 0 ? refused() : page(ask, ask.since().offset() + 1));
    run("a", at(0, 1, 0));
    assertLast("WHOLE");
    assertEquals(range(1, offsets().size()), offsets());
  }

  @Test
  void whoHasPagesDoesNotPauseForAnOwnerThatStandsStill() throws Exception {
    start(1, false);
    owner(
        0,
        ask ->
            ask.since().offset() == 0
                ? page(ask, 9)
                : world.vertx.timer(OwnerFetch.QUICK_MS + 100).compose(late -> refused()));
    run("a", at(0, 1, 0));
    assertEnd("answered", "failed", "HELD_UP");
  }

  @Test
  void anotherOwnerThatIsKnownToBeAwayIsNotAsked() throws Exception {
    start(3, false);
    owner(
        0,
        ask -> {
          away.add(2);
          return page(ask, 40);
        });
    owner(1, ask -> page(ask, 40));
    owner(2, ask -> page(ask, 40));
    run("#", at(0, 1, 5), at(1, 1, 5), at(2, 1, 5));
    assertLast("AWAY");
    assertEquals(2, fetch.asked());
    assertEquals(Set.of(0), askedShards());
  }

  /** Else the next owner could begin a smaller one. */
  @Test
  void anEpochThatAnAnswerNamesIsHeardAtOnce() throws Exception {
    start(3, false);
    owner(0, ask -> Future.succeededFuture(new Page(true, at(0, 9, 2), "", List.of())));
    owner(1, ask -> Future.succeededFuture(new Page(true, at(1, 1, 40), "", List.of())));
    owner(2, ask -> refused());
    run("#", at(0, 1, 5), at(1, 9, 0), at(2, 1, 5));
    assertLast("HELD_UP");
    assertEquals(9, world.shards[0].view().newestEpoch());
    assertEquals(9, world.shards[1].view().newestEpoch());
  }

  @Test
  void anOwnerBehindThisNodeIsAskedAgain() throws Exception {
    start(1, false);
    owner(0, ask -> page(ask, asks.size() < 4 ? 8 : 40));
    run("a", at(0, 1, 0));
    assertLast("WHOLE");
    assertEquals(range(1, offsets().size()), offsets());
    assertEquals(2, told.stream().filter("failed"::equals).count(), told::toString);
  }

  @Test
  void whatTakesTooMuchMemoryIsMissing() throws Exception {
    start(1, false);
    budget = new Budget(10);
    owner(0, ask -> page(ask, 40));
    run("a", at(0, 1, 5));
    assertEnd("answered", "LOST");
  }
}
