package io.galop.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.bus.Ask;
import io.galop.bus.Bus;
import io.galop.bus.Errand;
import io.galop.bus.Errand.Kind;
import io.galop.bus.Follow;
import io.galop.bus.Followed;
import io.galop.bus.HistoryQuery;
import io.galop.bus.Page;
import io.galop.bus.Push;
import io.galop.bus.Refusal;
import io.galop.cluster.LocalCluster;
import io.galop.config.ConfigLoader;
import io.galop.config.Role;
import io.galop.record.Batch;
import io.galop.record.Position;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whoever has taken a relay over asks no more of the secure zone than a relay does. */
class RelayQuestionsTest {
  private static final int SHARDS = 4;
  private static final Position AT = new Position(3, 9, 1);
  private final Vertx vertx = Vertx.vertx();
  private final LocalCluster cluster = new LocalCluster("n", Set.of(Role.values()), SHARDS);
  private final Bus bus = Bus.open(vertx, cluster, ConfigLoader.defaults().cluster());
  private final RelayQuestions questions = new RelayQuestions(bus.link(), SHARDS, 5, 100, false);

  @AfterEach
  void close() throws Exception {
    await(vertx.close());
  }

  private static <T> T await(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  private Errand errand(Kind kind, Object message) {
    return new Errand(kind, cluster.self().id(), 5_000, message);
  }

  static Stream<Errand> strange() {
    Position nowhere = new Position(SHARDS, 1, 1);
    HistoryQuery query = new HistoryQuery("a#", 0, 1, 1, true, "");
    Push push = new Push(1, AT, AT, new Batch(3, 9, 2, List.of()));
    return Stream.of(
        new Errand(Kind.FOLLOW, "n", 1, new Follow("n", 1, nowhere)),
        new Errand(Kind.FOLLOW, "n", 1, new Follow("n", 1L << 32, AT)),
        new Errand(Kind.FOLLOW, "n", 1, new Follow("n", -1, AT)),
        new Errand(Kind.LATEST, "n", 1, new Ask(-1, AT, "", 1)),
        new Errand(Kind.FETCH, "n", 1, new Ask(3, nowhere, "", 1)),
        new Errand(Kind.HISTORY, "n", 1, query),
        new Errand(Kind.PUSH, "n", 1, push),
        new Errand(Kind.REVOKE, "n", 1, new JsonObject()),
        new Errand(Kind.BEGIN, "n", 1, new Errand.Begin(1, AT)));
  }

  @ParameterizedTest
  @MethodSource("strange")
  void whatNoRelayAsksEndsTheLink(Errand errand) {
    assertThrows(IllegalArgumentException.class, () -> questions.ask(errand));
  }

  @Test
  void itFollowsAsItselfAndByItsConnection() throws Exception {
    Promise<Follow> asked = Promise.promise();
    bus.feed()
        .onFollow(
            3,
            follow -> {
              asked.complete(follow);
              return Future.succeededFuture(new Followed(AT, true));
            });
    questions.reconnected();
    questions.reconnected();
    await(questions.ask(errand(Kind.FOLLOW, new Follow("somebody else", 7, AT))));
    Follow follow = await(asked.future());
    assertEquals(cluster.self().id() + "/5", follow.node());
    assertEquals(7, questions.session(follow.session()));
    questions.reconnected();
    assertEquals(-1, questions.session(follow.session()), "of an older connection");
  }

  @Test
  void itGetsNoLargerPageOfThePastThanOthers() throws Exception {
    Promise<HistoryQuery> asked = Promise.promise();
    bus.history()
        .onQuery(
            query -> {
              asked.complete(query);
              return Future.succeededFuture(new Page(true, AT, "", List.of()));
            });
    HistoryQuery query = new HistoryQuery("a/#", 0, 1, Integer.MAX_VALUE, true, "");
    await(questions.ask(errand(Kind.HISTORY, query)));
    assertEquals(100, await(asked.future()).limit());
  }

  @Test
  void soManyQuestionsMayBeOpen() {
    bus.feed().onLatest(3, ask -> Promise.<Page>promise().future());
    Errand ask = errand(Kind.LATEST, new Ask(3, AT, "", 1));
    for (int i = 0; i < 256; i++) {
      assertTrue(!questions.ask(ask).failed());
    }
    Refusal refusal = (Refusal) questions.ask(ask).cause();
    assertEquals(Refusal.Why.BUSY, refusal.why());
  }

  /** The link ends, and the next one begins with all places. */
  @Test
  void aFilterThatIsNoneTakesNoPlace() throws Exception {
    bus.feed().onLatest(3, ask -> Future.succeededFuture(new Page(true, AT, "", List.of())));
    Ask ask = new Ask(3, AT, "", 1);
    Errand malformed = errand(Kind.VALUES, new Errand.Values(ask, List.of("a", "a#")));
    for (int i = 0; i < 300; i++) {
      assertThrows(IllegalArgumentException.class, () -> questions.ask(malformed));
    }
    await(questions.ask(errand(Kind.VALUES, new Errand.Values(ask, List.of("a/#")))));
  }

  @Test
  void pagesOfThePastLeaveRoomForTheFeed() throws Exception {
    bus.history().onQuery(query -> Promise.<Page>promise().future());
    HistoryQuery query = new HistoryQuery("a/#", 0, 1, 10, true, "");
    for (int i = 0; i < 32; i++) {
      assertTrue(!questions.ask(errand(Kind.HISTORY, query)).failed());
    }
    Future<?> refused = questions.ask(errand(Kind.HISTORY, query));
    assertEquals(Refusal.Why.BUSY, ((Refusal) refused.cause()).why());
    bus.feed().onFetch(3, ask -> Future.succeededFuture(new Page(true, AT, "", List.of())));
    await(questions.ask(errand(Kind.FETCH, new Ask(3, AT, "", 1))));
  }

  /** It has seen more of the owners than this link has carried. */
  @Test
  void anEpochThatTheOwnerIsBeyondIsNoClaim() throws Exception {
    Position later = new Position(3, 12, 1);
    bus.feed().onLatest(3, ask -> Future.succeededFuture(new Page(true, later, "", List.of())));
    bus.feed().onFollow(3, follow -> Future.succeededFuture(new Followed(later, true)));
    for (long epoch = 9; epoch <= 12; epoch++) {
      await(questions.ask(errand(Kind.FOLLOW, new Follow("r", 7, new Position(3, epoch, 1)))));
    }
    Errand claim = errand(Kind.FOLLOW, new Follow("r", 7, new Position(3, 13, 1)));
    await(questions.ask(claim)); // the first beyond what the owner has
    Errand more = errand(Kind.FOLLOW, new Follow("r", 7, new Position(3, 14, 1)));
    Exception refused = assertThrows(Exception.class, () -> await(questions.ask(more)));
    assertTrue(refused.getMessage().contains("has not seen"), refused.getMessage());
  }
}
