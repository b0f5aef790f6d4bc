package io.galop.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.bus.Ask;
import io.galop.bus.Errand.Begin;
import io.galop.bus.Errand.Load;
import io.galop.bus.Follow;
import io.galop.bus.Followed;
import io.galop.bus.Page;
import io.galop.bus.Push;
import io.galop.bus.Refusal;
import io.galop.record.Batch;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.galop.record.Record;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A shard that is sent unasked answers the relay's feed as an owner does, or not at all. */
class BroughtShardTest {
  private static final int SHARD = 3;
  private static final long EPOCH = 5;
  private final List<Push> fed = new ArrayList<>();
  private final BroughtShard shard =
      new BroughtShard(
          SHARD,
          push -> {
            fed.add(push);
            return Future.succeededFuture();
          });

  private static Position at(long offset) {
    return new Position(SHARD, EPOCH, offset);
  }

  private static Record record(long n) {
    return new Record("r" + n, "a/" + n, n, "{}".getBytes());
  }

  private static Push push(long session, long after) {
    Batch batch = new Batch(SHARD, EPOCH, after + 1, List.of(record(after + 1)));
    return new Push(session, at(after), at(after + 1), batch);
  }

  private void load(long session, long head, int pages) {
    for (int page = 1; page <= pages; page++) {
      String next = page < pages ? "theirs" + page : "";
      List<Placed> records = List.of(new Placed(at(page), record(page)));
      shard.onLoad(new Load(SHARD, session, new Page(true, at(head), next, records)));
    }
    shard.onBegin(new Begin(session, at(head)));
  }

  private Future<Page> latest(String next) {
    return shard.latest(new Ask(SHARD, Position.none(SHARD), next, 1));
  }

  private Future<Followed> follow(long session, Position since) {
    return shard.follow(new Follow("relay", session, since));
  }

  private static void refused(Refusal.Why why, Future<?> future) {
    assertTrue(future.failed());
    assertEquals(why, ((Refusal) future.cause()).why());
  }

  @Test
  void itIsLoadedAndGoesOn() {
    refused(Refusal.Why.NOT_READY, latest(""));
    refused(Refusal.Why.NOT_READY, follow(7, at(10)));
    load(0, 10, 2);
    Future<Void> early = shard.onPush(push(0, 10));
    assertFalse(early.isComplete(), "it is credit, so it waits for who takes it");
    Page first = latest("").result();
    Page second = latest(first.next()).result();
    assertEquals("r1", first.records().get(0).record().id());
    assertEquals("r2", second.records().get(0).record().id());
    assertEquals("", second.next());
    assertEquals(new Followed(at(10), true), follow(7, at(10)).result());
    assertTrue(early.succeeded());
    assertTrue(shard.onPush(push(0, 11)).succeeded());
    assertEquals(List.of(7L, 7L), fed.stream().map(Push::session).toList());
    assertEquals(new Followed(at(12), true), follow(8, at(12)).result(), "again, from there");
  }

  @Test
  void itGoesOnFromWhatWasTakenBefore() {
    shard.onBegin(new Begin(4, at(10)));
    assertEquals(new Followed(at(10), true), follow(7, at(11)).result(), "it shows nothing twice");
    assertTrue(shard.onPush(push(4, 10)).succeeded());
  }

  /** The owner may not have heard of that epoch: what comes next may be smaller than it. */
  @Test
  void itDoesNotGoOnFromAnotherEpoch() {
    shard.onBegin(new Begin(4, at(10)));
    Position beyond = new Position(SHARD, EPOCH + 1, 2);
    assertEquals(new Followed(at(10), false), follow(7, beyond).result());
    refused(Refusal.Why.NOT_CONTINUOUS, shard.onPush(push(4, 10)));
    load(5, 10, 1);
    assertEquals(at(10), latest("").result().upTo());
    assertEquals(new Followed(at(10), true), follow(8, at(10)).result());
  }

  @Test
  void aGapIsToldAndLoadedOver() {
    load(0, 10, 1);
    assertEquals(new Followed(at(10), false), follow(7, at(3)).result());
    assertEquals(at(10), latest("").result().upTo());
    assertEquals(new Followed(at(10), true), follow(8, at(10)).result());
  }

  /** It has nothing to answer with: pushes are refused, so that the other side loads anew. */
  @Test
  void whatItCannotAnswerIsBegunAnew() {
    load(0, 10, 1);
    follow(7, at(10));
    refused(Refusal.Why.NOT_READY, latest(""));
    refused(Refusal.Why.NOT_CONTINUOUS, shard.onPush(push(0, 10)));
    load(1, 11, 1);
    assertTrue(latest("").succeeded());
  }

  @Test
  void aNewAttemptWakesTheFeedAndRefusesTheOlderOne() {
    load(0, 10, 1);
    follow(7, at(10));
    Future<Void> older = shard.onPush(push(0, 10));
    shard.onBegin(new Begin(1, at(11)));
    assertTrue(older.succeeded());
    Push strange = fed.get(1);
    assertEquals(7, strange.session());
    assertFalse(strange.after().equals(at(11)), "it follows on nothing, so the feed follows anew");
    refused(Refusal.Why.NOT_CONTINUOUS, shard.onPush(push(0, 11)));
    Future<Void> waiting = shard.onPush(push(1, 11));
    follow(8, at(11));
    assertTrue(waiting.succeeded());
    load(0, 3, 1);
    assertTrue(shard.onPush(push(1, 12)).succeeded(), "an older attempt is passed over");
  }

  @Test
  void nothingBeyondWhatWasSentIsFetched() {
    load(0, 10, 1);
    Page page = shard.fetch(new Ask(SHARD, at(1), "", 1)).result();
    assertFalse(page.complete());
    assertTrue(page.records().isEmpty());
  }

  @Test
  void soManyPushesMayWait() {
    load(0, 10, 1);
    for (int i = 0; i < 4096; i++) {
      assertFalse(shard.onPush(push(0, 10 + i)).isComplete());
    }
    refused(Refusal.Why.BUSY, shard.onPush(push(0, 5000)));
  }
}
