package io.galop.broadcast.feed;

import io.galop.broadcast.ring.Entry;
import io.galop.broadcast.ring.ShownRecords;
import io.galop.bus.Bus;
import io.galop.bus.Follow;
import io.galop.bus.Followed;
import io.galop.bus.Push;
import io.galop.bus.Refusal;
import io.galop.cluster.Member;
import io.galop.config.Role;
import io.galop.record.Batch;
import io.galop.record.Position;
import io.galop.record.Record;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * One shard as this node follows it: loads the latest records from the owner, follows it from
 * there, and follows again after every failure, change of owner or silence. All on the feed loop.
 */
final class ShardFeed {
  private static final long FIRST_PAUSE_MS = 200;
  private static final long LONGEST_PAUSE_MS = 1000;

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
  private final LastValueCache latest;
  private final ShardListener listener;
  private final Liveness liveness;
  private final EarlyPushes early = new EarlyPushes();

  private ShownRecords shown = new ShownRecords();

  private final KnownEpochs epochs = new KnownEpochs();

  private State state = State.APART;
  private long session;
  private String owner = "";
  private String trouble = "its owner has not answered yet";
  private long pauseMs = FIRST_PAUSE_MS;
  private long retryTimer = -1;

  private boolean mustLoad = true;
  private boolean isLoaded;
  private boolean isAbsorbing;
  private boolean wasEmpty;
  private Position last;
  private Position newest;
  private Position loadedUpTo;
  private Position heldAfter;

  ShardFeed(
      Vertx vertx,
      Bus bus,
      int shard,
      long staleAfterMs,
      LastValueCache latest,
      ShardListener listener) {
    this.vertx = vertx;
    this.loop = Loop.current(vertx);
    this.bus = bus;
    this.shard = shard;
    this.latest = latest;
    this.listener = listener;
    this.liveness = new Liveness(shard, staleAfterMs);
    this.last = Position.none(shard);
    this.newest = last;
    this.loadedUpTo = last;
    this.heldAfter = last;
  }

  /** Whether the latest records are there. */
  boolean isLoaded() {
    return isLoaded;
  }

  /** Whether the shard had no record at all when it was loaded. */
  boolean wasEmpty() {
    return wasEmpty;
  }

  boolean isStale() {
    return liveness.isStale();
  }

  /** The last record taken. */
  Position last() {
    return last;
  }

  /**
   * Whether this node can tell what comes after a Position that is not before what it has; else its
   * owner has to be asked.
   */
  boolean knows(Position position) {
    return position.isNone() || epochs.contains(position);
  }

  /** The newest Position that the owner has spoken of. */
  Position head() {
    return liveness.head();
  }

  LastValueCache latest() {
    return latest;
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
    owner = ownerNow();
    if (owner.isEmpty()) {
      failed(mine, "no node with the role " + Role.PERSIST.word() + " is up");
    } else if (mustLoad) {
      load(mine);
    } else {
      follow(mine);
    }
  }

  private String ownerNow() {
    return bus.cluster().owner(Role.PERSIST, shard).map(Member::id).orElse("");
  }

  private void load(long mine) {
    state = State.LOADING;
    ShardLoad.start(bus.feed(), shard, () -> mine == session)
        .onSuccess(loaded -> loaded(mine, loaded))
        .onFailure(failure -> failed(mine, failure.getMessage()));
  }

  private void loaded(long mine, ShardLoad.Loaded all) {
    loop.check();
    if (mine != session) {
      return;
    }
    ShardLoad.Loaded loaded = all.before(heldAfter);
    heldAfter = Position.none(shard);
    latest.clear();
    loaded.entries().forEach(latest::put);
    // Browsers are told to drop what they were shown, so a later attempt of it is news to them.
    shown = new ShownRecords();
    if (!loaded.complete()) {
      latest.forgot();
    }
    wasEmpty = loaded.entries().isEmpty() && loaded.complete();
    last = loaded.head();
    newest = last;
    loadedUpTo = loaded.end();
    mustLoad = false;
    isAbsorbing = true;
    epochs.heard(all.head());
    liveness.reloaded(all.head());
    follow(mine);
  }

  private void follow(long mine) {
    state = State.FOLLOWING;
    bus.feed()
        .follow(new Follow(bus.cluster().self().id(), mine, last, epochs.newest()))
        .onSuccess(followed -> followed(mine, followed))
        .onFailure(failure -> failed(mine, failure.getMessage()));
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
    last = followed.from();
    reached();
    state = State.LIVE;
    pauseMs = FIRST_PAUSE_MS;
    liveness.answered();
    orLoad(
        () -> {
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
    retryTimer = vertx.setTimer(pauseMs, timer -> attempt());
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
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
    if (!push.after().equals(last)) {
      String why = "this node is at " + last + ", not at " + push.after();
      attempt();
      return Future.failedFuture(notContinuous(why));
    }
    liveness.heard(push.head());
    epochs.heard(push.head());
    return orLoad(
        () -> {
          Future<Void> taken = add(push.batch());
          settle();
          return taken;
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

  private Future<Void> add(Batch batch) {
    List<Entry> entries = new ArrayList<>(batch.records().size());
    for (int i = 0; i < batch.records().size(); i++) {
      add(batch.position(i), batch.records().get(i), entries);
    }
    return entries.isEmpty() ? Future.succeededFuture() : listener.onRecords(entries);
  }

  /**
   * Pages of latest records may hold records newer than the first page's head. Until the pushes
   * have passed these, records only complete the load and are not shown.
   */
  private void add(Position position, Record record, List<Entry> entries) {
    last = position;
    reached();
    if (position.compareTo(newest) <= 0) {
      return;
    }
    if (isAbsorbing && position.compareTo(loadedUpTo) > 0) {
      endLoad(loadedUpTo);
    }
    newest = position;
    Entry entry = Entry.of(position, record);
    latest.put(entry);
    long before = shown.add(position, record);
    if (before != ShownRecords.NEVER) {
      entry.repeats(before);
      listener.onRepeated();
    } else if (!isAbsorbing) {
      listener.taps().onRecord(shard, record);
    }
    if (!isAbsorbing) {
      entries.add(entry);
    }
  }

  /** What was loaded anew does not go on from what the ring has. */
  private void reached() {
    if (isAbsorbing) {
      epochs.heard(last);
    } else {
      epochs.reached(last);
    }
  }

  private void settle() {
    if (isAbsorbing && last.compareTo(loadedUpTo) >= 0) {
      endLoad(last);
    }
    if (!isAbsorbing && liveness.moved(last)) {
      trouble = "";
      listener.onStale(shard, false);
    }
  }

  private void endLoad(Position upTo) {
    isAbsorbing = false;
    epochs.restart(upTo);
    epochs.reached(last);
    if (isLoaded) {
      listener.onGap(shard, upTo);
    } else {
      listener.onLoaded(shard, upTo);
      isLoaded = true;
    }
  }

  /** Follows again if the shard has another owner now. */
  void checkOwner() {
    loop.check();
    if (!ownerNow().equals(owner)) {
      pauseMs = FIRST_PAUSE_MS;
      attempt();
    }
  }

  /** Looks for silence, and for an owner that has more than it pushes. */
  void tick() {
    loop.check();
    if (liveness.becomesStale(last)) {
      trouble =
          liveness.isStuck(last)
              ? "its owner sends nothing of what it has"
              : "no sign of life from its owner";
      listener.onStale(shard, true);
    }
    if (state == State.LIVE && liveness.isSuspicious(last)) {
      attempt();
    }
  }
}
