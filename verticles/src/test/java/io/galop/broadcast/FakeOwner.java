package io.galop.broadcast;

import io.galop.bus.Ask;
import io.galop.bus.Bus;
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
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The owner of one shard, as far as broadcast nodes can see it, for one follower; keeps everything
 * until told to forget. All on one event loop.
 */
final class FakeOwner {
  private final Bus bus;
  private final int shard;
  private final List<Placed> kept = new ArrayList<>();

  /** Those that it knows of: of any other it cannot say what it was followed by. */
  private final Set<Long> epochs = new HashSet<>(Set.of(1L));

  private Position floor;
  private Position head;
  private Follow follow;
  private Position sent;
  private boolean isSilent;
  private boolean isPushing;

  /** It says what it has and sends none of it. */
  boolean isStuck;

  /** What it pushes, and says of what it has, has not come yet. */
  private boolean isLate;

  /** Gives last values and is not followed from there. */
  boolean isDeaf;

  /** Pages of last values given while it is deaf. */
  int loads;

  int pageRecords = Integer.MAX_VALUE;
  boolean hasForgotten;
  int fetches;

  /** Refuses to tell what was missed, and pushes all the same; and how often it was asked then. */
  boolean refusesFetches;

  int refused;

  /** What happens while the first fetch waits for its answer. */
  Runnable duringFetch;

  int follows;

  /** The newest epoch that its follower knows of, as that says. */
  long namedEpoch;

  /** What happens once, behind the first page of last values. */
  Runnable behindPage = () -> {};

  /** What happens once, before it is followed. */
  Runnable beforeFollow = () -> {};

  FakeOwner(Bus bus, int shard) {
    this.bus = bus;
    this.shard = shard;
    this.floor = new Position(shard, 1, 0);
    this.head = floor;
    bus.feed().onFollow(shard, this::onFollow);
    bus.feed().onLatest(shard, this::onLatest);
    bus.feed().onFetch(shard, this::onFetch);
  }

  private <A> Future<A> orSilence(A answer) {
    return isSilent
        ? Future.failedFuture(new Refusal(Refusal.Why.NOT_READY, "the owner is starting"))
        : Future.succeededFuture(answer);
  }

  private boolean isKnown(Position since) {
    boolean isEpoch = since.isNone() || epochs.contains(since.epoch());
    return isEpoch && since.compareTo(floor) >= 0;
  }

  private Future<Followed> onFollow(Follow asked) {
    if (isSilent) {
      return orSilence(null);
    }
    if (isDeaf && loads > 0) {
      return Future.failedFuture(new Refusal(Refusal.Why.NOT_READY, "not now"));
    }
    follows++;
    namedEpoch = asked.newestEpoch();
    once(beforeFollow, () -> beforeFollow = () -> {});
    boolean complete = isKnown(asked.since());
    sent = complete ? asked.since() : floor;
    follow = asked;
    isPushing = false;
    io.vertx.core.Vertx.currentContext().runOnContext(answered -> push());
    return Future.succeededFuture(new Followed(sent, complete));
  }

  private Future<Page> onLatest(Ask ask) {
    loads += isDeaf ? 1 : 0;
    Map<String, Placed> latest = new LinkedHashMap<>();
    kept.forEach(placed -> latest.put(placed.record().topic(), placed));
    Page page = page(!hasForgotten, new ArrayList<>(latest.values()), ask.next(), head);
    if (!page.next().isEmpty()) {
      once(behindPage, () -> behindPage = () -> {});
    }
    return orSilence(page);
  }

  private static void once(Runnable task, Runnable over) {
    over.run();
    task.run();
  }

  private Future<Page> onFetch(Ask ask) {
    if (refusesFetches) {
      refused++;
      return Future.failedFuture(new Refusal(Refusal.Why.NOT_READY, "the shard is moving"));
    }
    if (duringFetch != null) {
      duringFetch.run();
      duringFetch = null;
      return io.vertx.core.Vertx.currentContext().owner().timer(300).compose(t -> onFetch(ask));
    }
    fetches++;
    List<Placed> after = after(ask.since());
    List<Placed> some = after.subList(0, Math.min(pageRecords, after.size()));
    Position upTo = some.size() == after.size() ? head : some.get(some.size() - 1).position();
    String next = some.size() == after.size() ? "" : "more";
    return orSilence(new Page(isKnown(ask.since()), upTo, next, some));
  }

  private Page page(boolean complete, List<Placed> all, String next, Position upTo) {
    int from = next.isEmpty() ? 0 : Integer.parseInt(next);
    int to = Math.min(all.size(), from + Math.min(pageRecords, all.size()));
    return new Page(
        complete, upTo, to < all.size() ? String.valueOf(to) : "", all.subList(from, to));
  }

  private List<Placed> after(Position since) {
    return kept.stream().filter(placed -> placed.position().compareTo(since) > 0).toList();
  }

  /** Places a record and pushes it. */
  Position publish(String topic, String id, String data) {
    head = new Position(shard, head.epoch(), head.offset() + 1);
    kept.add(new Placed(head, new Record(id, topic, head.offset(), data.getBytes())));
    push();
    return head;
  }

  /** Places a record that the follower is not sent, as if a push had been lost. */
  void forgetsToPush(String topic, String id) {
    head = new Position(shard, head.epoch(), head.offset() + 1);
    kept.add(new Placed(head, new Record(id, topic, head.offset(), "{}".getBytes())));
    sent = head;
  }

  /** One push at a time, with everything of one epoch that is due. */
  private void push() {
    if (follow == null || isSilent || isStuck || isLate || isPushing) {
      return;
    }
    List<Placed> due = after(sent);
    if (due.isEmpty()) {
      return;
    }
    Position first = due.get(0).position();
    List<Record> records =
        due.stream()
            .filter(placed -> placed.position().epoch() == first.epoch())
            .map(Placed::record)
            .toList();
    push(new Batch(shard, first.epoch(), first.offset(), records));
  }

  private void push(Batch batch) {
    Follow mine = follow;
    isPushing = true;
    Position after = sent;
    if (!batch.records().isEmpty()) {
      sent = batch.position(batch.records().size() - 1);
    }
    bus.feed()
        .push(mine.node(), new Push(mine.session(), after, head, batch))
        .onComplete(
            reply -> {
              if (follow == mine) {
                isPushing = false;
                follow = reply.succeeded() ? mine : null;
                push();
              }
            });
  }

  void signOfLife() {
    if (follow != null && !isSilent && !isLate && !isPushing) {
      push(new Batch(shard, head.epoch(), head.offset() + 1, List.of()));
    }
  }

  /** It answers, but its pushes come late; they come now if they do no more. */
  void late(boolean late) {
    isLate = late;
    push();
  }

  /** Neither pushes nor answers. */
  void silent(boolean silent) {
    isSilent = silent;
    push();
  }

  /** Starts again with a new epoch, without the last records, which were not durable. */
  void restart(int lost) {
    for (int i = 0; i < lost; i++) {
      kept.remove(kept.size() - 1);
    }
    goOnIn(head.epoch() + 1);
  }

  /** Begins an epoch that follows on the one before. */
  void goOnIn(long epoch) {
    follow = null;
    isPushing = false;
    epochs.add(epoch);
    head = new Position(shard, epoch, 0);
  }

  /** Another owner takes its place that knows nothing of it, and begins an epoch of its own. */
  void replaced(long epoch) {
    kept.clear();
    epochs.clear();
    goOnIn(epoch);
    floor = head;
  }

  /** Keeps nothing but the last records. */
  void forgetAllBut(int last) {
    while (kept.size() > last) {
      floor = kept.remove(0).position();
    }
  }

  /** Goes on without its follower, as if the follower had been gone. */
  void dropFollower() {
    follow = null;
    isPushing = false;
  }

  int kept() {
    return kept.size();
  }

  Position head() {
    return head;
  }
}
