package io.galop.broadcast.feed;

import io.galop.bus.Bus;
import io.galop.bus.Follow;
import io.galop.bus.Followed;
import io.galop.bus.Push;
import io.galop.bus.Refusal;
import io.galop.config.broadcast.BroadcastConfig;
import io.galop.record.Position;
import io.galop.retry.Backoff;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.function.Supplier;

/**
 * One shard as this node follows it: loads the latest records from the owner, follows it from
 * there, and follows again after every failure, change of owner or silence. All on the feed loop.
 */
final class ShardFeed {
  private static final long FIRST_PAUSE_MS = 200;
  private static final long LONGEST_PAUSE_MS = 1000;

  private static final String LOST = "its owner has died with last values that it had told";

  private enum State {
    APART,
    LOADING,
    FOLLOWING,
    LIVE
  }

  private final Vertx vertx;
  private final Loop loop;
  private final Bus bus;
  private final int shard;
  private final ShardListener listener;
  private final ShardView view;
  private final Liveness liveness;

  /** From where on what is wanted is here. */
  private final ShardCover cover;

  private final boolean isWatched;

  private final EarlyPushes early = new EarlyPushes();

  private State state = State.APART;
  private long session;
  private String owner = "";
  private String trouble = "its owner has not answered yet";
  private final Backoff backoff = new Backoff(FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
  private long retryTimer = -1;

  private boolean mustLoad = true;
  private Position heldAfter;

  ShardFeed(
      Vertx vertx,
      Bus bus,
      int shard,
      BroadcastConfig config,
      ShardCover cover,
      ShardListener listener) {
    this.vertx = vertx;
    this.loop = Loop.current(vertx);
    this.bus = bus;
    this.shard = shard;
    this.listener = listener;
    this.view = new ShardView(shard, config, bus.cluster().shards(), listener);
    this.cover = cover;
    this.isWatched = cover.isOn();
    this.liveness = new Liveness(shard, config.staleAfterMs());
    this.heldAfter = Position.none(shard);
  }

  /** What the node has of the shard. */
  ShardView view() {
    return view;
  }

  /** From where on what is wanted is here. */
  ShardCover cover() {
    return cover;
  }

  boolean isStale() {
    return liveness.isStale();
  }

  /** The newest Position that the owner has spoken of. */
  Position head() {
    return liveness.head();
  }

  /** Why the shard is stale. */
  String trouble() {
    return trouble;
  }

  /** Begins a new session with the owner; whatever comes from an older one is refused. */
  void attempt() {
    loop.check();
    vertx.cancelTimer(retryTimer);
    long mine = ++session;
    endEarly();
    liveness.begin();
    owner = bus.feed().owner(shard);
    if (owner.isEmpty()) {
      failed(mine, "no node with the role persist is up");
    } else if (mustLoad) {
      load(mine);
    } else {
      follow(mine);
    }
  }

  private void load(long mine) {
    state = State.LOADING;
    ShardCover.Question wanted = cover.begin();
    boolean isPart = isWatched && wanted.fits() && bus.feed().leavesOut(shard);
    ShardLoad.start(
            bus.feed(),
            shard,
            isPart ? wanted.filters() : null,
            listener.taps().keepRecords(),
            () -> mine == session)
        .onSuccess(loaded -> loaded(mine, wanted, isPart, loaded))
        .onFailure(failure -> failed(mine, String.valueOf(failure.getMessage())));
  }

  private void loaded(long mine, ShardCover.Question wanted, boolean isPart, ShardLoad.Loaded all) {
    loop.check();
    if (mine != session) {
      return;
    }
    orLoad(
        () -> {
          view.load(all, heldAfter, isPart);
          cover.begun(wanted, !isPart);
          heldAfter = Position.none(shard);
          mustLoad = false;
          liveness.reloaded(all.head());
          follow(mine);
          return Future.succeededFuture();
        });
  }

  private void follow(long mine) {
    state = State.FOLLOWING;
    bus.feed()
        .follow(new Follow(bus.cluster().self().id(), mine, view.last(), view.newestEpoch()))
        .onSuccess(followed -> followed(mine, followed))
        .onFailure(failure -> failed(mine, String.valueOf(failure.getMessage())));
  }

  private void followed(long mine, Followed followed) {
    loop.check();
    if (mine != session) {
      return;
    }
    if (!followed.complete()) {
      mustLoad = true;
      heldAfter = followed.from();
      failed(mine, "its owner no longer has what this node missed");
      return;
    }
    if (view.isLoadLost(followed.from())) {
      mustLoad = true;
      failed(mine, LOST);
      return;
    }
    orLoad(
        () -> {
          view.goOnFrom(followed.from());
          state = State.LIVE;
          backoff.reset();
          liveness.answered();
          settle();
          return Future.succeededFuture();
        });
    early.deliver(this::take);
  }

  private void failed(long mine, String why) {
    loop.check();
    if (mine != session) {
      return;
    }
    state = State.APART;
    trouble = why;
    endEarly();
    retryTimer = vertx.setTimer(backoff.nextMs(), timer -> attempt());
  }

  private void endEarly() {
    early.deliver(push -> Future.failedFuture(notContinuous("the session has ended")));
  }

  /** Takes what the owner pushes; succeeds when every Hub has it. */
  Future<Void> take(Push push) {
    loop.check();
    boolean isOpen = state == State.LIVE || state == State.FOLLOWING;
    if (push.session() != session || !isOpen) {
      return Future.failedFuture(notContinuous("session " + push.session() + " has ended"));
    }
    if (state == State.FOLLOWING) {
      return early.add(push);
    }
    if (!push.after().equals(view.last())) {
      String why = "this node is at " + view.last() + ", not at " + push.after();
      attempt();
      return Future.failedFuture(notContinuous(why));
    }
    if (view.isLoadLost(push.head())) {
      return beginAnew(LOST);
    }
    long version = push.part() == null ? Long.MAX_VALUE : push.part().version();
    if (isWatched && !cover.push(version, push.after(), push.upTo())) {
      return beginAnew("records that viewers watch were left out");
    }
    liveness.heard(push.head());
    view.heard(push.head());
    return orLoad(
        () -> {
          long records = push.records();
          listener.onSent(shard, records);
          Future<Void> taken = view.add(push);
          listener.onTaken(shard, records);
          settle();
          onCover();
          return taken;
        });
  }

  private Future<Void> beginAnew(String why) {
    mustLoad = true;
    failed(session, why);
    return Future.failedFuture(notContinuous(why));
  }

  /** Tells whether what is wanted is here, and asks for the last values of what is not. */
  private void onCover() {
    if (!isWatched || state != State.LIVE) {
      return;
    }
    ShardCover.Question question = cover.ask();
    if (question != null && !bus.feed().leavesOut(shard)) {
      // It comes over a link that is not asked for a part, but has all: so all is loaded from it.
      mustLoad = true;
      failed(session, "last values of what viewers watch are loaded with all others");
    } else if (question != null) {
      ShardLoad.start(bus.feed(), shard, question.filters(), false, () -> cover.isAsked(question))
          .onSuccess(loaded -> loadedMore(question, loaded))
          .onFailure(failure -> cover.fail(question));
    }
    if (cover.reach(view.last())) {
      listener.onCovered();
    }
  }

  private void loadedMore(ShardCover.Question question, ShardLoad.Loaded loaded) {
    loop.check();
    orLoad(
        () -> {
          if (cover.answer(question, loaded.head(), loaded.end())) {
            view.loadMore(question.filters(), loaded);
            onCover();
          }
          return Future.succeededFuture();
        });
  }

  /** What was not taken or told to the end is a gap, though this node is behind it. */
  private Future<Void> orLoad(Supplier<Future<Void>> step) {
    boolean isDone = false;
    try {
      Future<Void> taken = step.get();
      isDone = true;
      return taken;
    } finally {
      if (!isDone) {
        mustLoad = true;
        failed(session, "what came of it could not be taken to its end");
      }
    }
  }

  private static Refusal notContinuous(String why) {
    return new Refusal(Refusal.Why.NOT_CONTINUOUS, why);
  }

  private void settle() {
    if (view.settle() && liveness.moved(view.last())) {
      trouble = "";
      listener.onStale(shard, false);
    }
  }

  /** Follows again if the shard has another owner now, or is reached in another way. */
  void checkOwner() {
    loop.check();
    if (!bus.feed().owner(shard).equals(owner)) {
      if (bus.feed().isCut(owner)) {
        liveness.cut();
      }
      backoff.reset();
      attempt();
    }
  }

  /** Looks for silence, and for an owner that has more than it pushes. */
  void tick() {
    loop.check();
    if (liveness.becomesStale(view.last())) {
      trouble =
          liveness.isStuck(view.last())
              ? "its owner sends nothing of what it has"
              : "no sign of life from its owner";
      listener.onStale(shard, true);
    }
    if (state == State.LIVE && liveness.isSuspicious(view.last())) {
      attempt();
    }
    cover.askAgain();
    onCover();
  }
}
