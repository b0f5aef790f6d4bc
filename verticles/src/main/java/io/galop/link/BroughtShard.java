package io.galop.link;

import io.galop.bus.Ask;
import io.galop.bus.Errand.Begin;
import io.galop.bus.Errand.Load;
import io.galop.bus.Follow;
import io.galop.bus.Followed;
import io.galop.bus.Page;
import io.galop.bus.Push;
import io.galop.bus.Refusal;
import io.galop.bus.Refusal.Why;
import io.galop.record.Batch;
import io.galop.record.Position;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A shard that a relay is sent without asking: answers the relay's own feed in the place of the
 * owner, from what has come. What cannot be answered is never made up: the pushes are refused, and
 * the other side begins the shard anew. On the event loop of the link.
 */
final class BroughtShard {
  private static final Logger LOG = LoggerFactory.getLogger(BroughtShard.class);

  /** More than an owner has in flight: it stops at its credit window, which is counted in bytes. */
  private static final int MOST_PARKED = 4096;

  private static final long NOBODY = -1;

  private final int shard;
  private final Function<Push, Future<Void>> feed;

  /** As the other side numbers its attempts. */
  private long session = -1;

  /** The latest records, until the feed has them; empty where the attempt goes on from before. */
  private final List<Page> pages = new ArrayList<>();

  /** What came before the feed followed; bounded by {@link #MOST_PARKED}. */
  private List<Parked> parked = new ArrayList<>();

  private boolean isBegun;
  private boolean hasFollowed;

  /** The next push follows on this. */
  private Position at;

  /** The feed's own session, by which pushes are handed to it. */
  private long followedAs = NOBODY;

  private record Parked(Push push, Promise<Void> taken) {}

  /**
   * @param feed takes pushes
   */
  BroughtShard(int shard, Function<Push, Future<Void>> feed) {
    this.shard = shard;
    this.feed = feed;
    this.at = Position.none(shard);
  }

  /** A page of the latest records, in order. */
  void onLoad(Load load) {
    if (isOfNow(load.session())) {
      pages.add(load.page());
    }
  }

  /** All pages have come, if there are any, and pushes begin. */
  void onBegin(Begin begin) {
    if (isOfNow(begin.session())) {
      isBegun = true;
      at = begin.from();
      wakeFeed();
    }
  }

  private boolean isOfNow(long other) {
    if (other > session) {
      session = other;
      forsake();
    }
    return other == session;
  }

  /** Nothing of this attempt is of use any more. */
  private void forsake() {
    isBegun = false;
    hasFollowed = false;
    pages.clear();
    List<Parked> all = parked;
    parked = new ArrayList<>();
    all.forEach(one -> one.taken().fail(notContinuous()));
  }

  /** With what cannot follow on anything: then the feed follows anew, and at once. */
  private void wakeFeed() {
    if (followedAs != NOBODY) {
      Position strange = new Position(shard, Long.MAX_VALUE, 0);
      Batch nothing = new Batch(shard, at.epoch(), at.offset() + 1, List.of());
      long older = followedAs;
      followedAs = NOBODY;
      feed.apply(new Push(older, strange, at, nothing))
          .onFailure(refused -> LOG.debug("shard {} begins anew: {}", shard, refused.getMessage()));
    }
  }

  private Refusal notContinuous() {
    return new Refusal(Why.NOT_CONTINUOUS, "the relay does not go on from there in shard " + shard);
  }

  /** A push of the other side; succeeds when the feed has it. */
  Future<Void> onPush(Push push) {
    if (push.session() != session || !isBegun) {
      return Future.failedFuture(notContinuous());
    }
    if (followedAs != NOBODY) {
      return deliver(push);
    }
    if (parked.size() == MOST_PARKED) {
      return Future.failedFuture(new Refusal(Why.BUSY, "too many pushes before they are wanted"));
    }
    Promise<Void> taken = Promise.promise();
    parked.add(new Parked(push, taken));
    return taken.future();
  }

  private Future<Void> deliver(Push push) {
    at = end(push);
    return feed.apply(new Push(followedAs, push.after(), push.head(), push.batch()));
  }

  /** Up to where a push brings whoever takes it. */
  static Position end(Push push) {
    int records = push.batch().records().size();
    return records == 0 ? push.after() : push.batch().position(records - 1);
  }

  /** The feed asks for the latest records. */
  Future<Page> latest(Ask ask) {
    if (!isBegun) {
      return notSent();
    }
    int number = ask.next().isEmpty() ? 0 : Integer.parseInt(ask.next());
    if (number >= pages.size()) {
      forsake();
      return notSent();
    }
    Page page = pages.get(number);
    String next = number + 1 < pages.size() ? Integer.toString(number + 1) : "";
    return Future.succeededFuture(new Page(page.complete(), page.upTo(), next, page.records()));
  }

  private static <T> Future<T> notSent() {
    return Future.failedFuture(
        new Refusal(Why.NOT_READY, "what this relay is sent unasked has not come yet"));
  }

  /** The feed wants what comes after a Position. */
  Future<Followed> follow(Follow follow) {
    if (!isBegun) {
      return notSent();
    }
    if (!goesOnFrom(follow.since())) {
      Followed gap = new Followed(at, false);
      if (pages.isEmpty()) {
        forsake();
      }
      return Future.succeededFuture(gap);
    }
    pages.clear();
    hasFollowed = true;
    followedAs = follow.session();
    Followed from = new Followed(at, true);
    List<Parked> all = parked;
    parked = new ArrayList<>();
    all.forEach(one -> onPush(one.push()).onComplete(one.taken()));
    return Future.succeededFuture(from);
  }

  /**
   * Pages that were taken, the same place as the pushes, or one of the same epoch that those begin
   * before. Of a larger epoch the owner may never have heard: its next one could be smaller, and
   * all of it pass for known.
   */
  private boolean goesOnFrom(Position since) {
    if (!pages.isEmpty()) {
      return since.equals(pages.get(0).upTo());
    }
    return since.equals(at)
        || !hasFollowed && since.epoch() == at.epoch() && since.compareTo(at) > 0;
  }

  /** Nothing beyond what was sent. */
  Future<Page> fetch(Ask ask) {
    return Future.succeededFuture(new Page(false, ask.since(), "", List.of()));
  }
}
