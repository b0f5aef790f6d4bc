package io.galop.persist.simulation;

import io.galop.bus.Followed;
import io.galop.bus.Page;
import io.galop.bus.Sealed;
import io.galop.cluster.Cluster;
import io.galop.cluster.Member;
import io.galop.config.Role;
import io.galop.persist.Company;
import io.galop.persist.Durability;
import io.galop.persist.ownership.EpochLog;
import io.galop.persist.ownership.Past;
import io.galop.persist.ownership.ShardEvent;
import io.galop.persist.ownership.ShardState;
import io.galop.persist.ownership.ShardState.Owning;
import io.galop.persist.ownership.ShardState.TakingOver;
import io.galop.persist.ownership.TailPage;
import io.galop.persist.ram.RamTier;
import io.galop.persist.ram.Resume;
import io.galop.persist.ram.ShardMemory;
import io.galop.record.Batch;
import io.galop.record.Position;
import io.galop.record.Record;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A node that stores, with one shard: the rules of ownership, the epoch log, the memory, the
 * company and the commit tracker are the product's. {@code ShardOwner} and {@code Followers} belong
 * to an event loop; what they decide is repeated here as small as it can be. There is no second
 * copy and no backup tier.
 */
final class StoringProcess extends Endpoint implements Cluster {
  private static final long TICK_MS = 1_000;
  private static final long MAX_AGE_MS = 600_000;
  private static final int PAGE_BYTES = 4_096;
  private static final int REMEMBERED = 8_192;

  final SimulatedNode node;
  final long log;
  private final Member self;
  private final RamTier tier;
  private final Company company;
  private final Actor actor;
  private final Map<Viewer, Follower> followers = new LinkedHashMap<>();
  private ShardMemory memory;
  private Durability durability;
  private ShardState state = ShardState.initial(Past.REPORTED);
  private Promise<Void> decided = Promise.promise();
  private long nextOffset;
  private long agedMs;

  /** Where a viewer is. */
  private static final class Follower {
    private final long session;
    private Position sent;

    private Follower(long session, Position sent) {
      this.session = session;
      this.sent = sent;
    }
  }

  StoringProcess(World world, SimulatedNode node, String id) {
    super(world, id);
    this.node = node;
    this.log = node.disk.log;
    this.self = new Member(id, node.name, Set.of(Role.PERSIST));
    this.tier = new RamTier(world.ramBytes, 1);
    this.company =
        new Company(
            this,
            world.mutant == Mutant.PAUSE_NOT_NOTICED
                ? Long.MAX_VALUE
                : TimeUnit.MILLISECONDS.toNanos(MAX_SILENCE_MS - 1_000),
            () -> TimeUnit.MILLISECONDS.toNanos(world.clock.nowMs()));
    this.actor = new Actor(world, this);
    decided.complete();
  }

  /** Recovers from the disk, as {@code Restore} does, and takes part. */
  void start() {
    node.disk.open(this);
    memory = newMemory();
    state = ShardState.initial(EpochLog.past(node.disk.recovered()));
    Position last = EpochLog.learn(node.disk.recovered(), memory.epochs());
    memory.knownSince(EpochLog.knownSince(node.disk.recovered()));
    node.disk.batches().forEach(batch -> memory.restore(batch, memoryMs()));
    if (!last.isNone()) {
      memory.settle(last);
    }
    durability = new Durability(memory.tail().head());
    for (SimulatedNode other : world.nodes) {
      other
          .process()
          .filter(one -> one != this && !world.network.isCut(one, this))
          .ifPresent(one -> heardMs.put(one, world.clock.nowMs()));
    }
    company.look();
    enter(this::tick);
  }

  ShardMemory newMemory() {
    return new ShardMemory(tier, 0, REMEMBERED, 64, 1 << 20);
  }

  void close() {
    actor.letGo();
    if (memory != null) {
      memory.close();
    }
    tier.close();
  }

  ShardMemory memory() {
    return memory;
  }

  void replace(ShardMemory next) {
    if (next != memory) {
      memory.close();
      memory = next;
    }
  }

  Durability durability() {
    return durability;
  }

  Company company() {
    return company;
  }

  ShardState state() {
    return state;
  }

  Future<Void> decided() {
    return decided.future();
  }

  /** By which the age of what is in memory is told, as by {@code ShardMemory.nowMs}. */
  long memoryMs() {
    return agedMs + world.clock.nowMs();
  }

  /** As if that time had gone by for its memory alone: what is in it may be too old to be kept. */
  void age(long ms) {
    agedMs += ms;
  }

  @Override
  public Member self() {
    return self;
  }

  @Override
  public List<Member> members() {
    List<Member> members = new ArrayList<>();
    members.add(self);
    world.seenBy(this).forEach(other -> members.add(other.self));
    return members;
  }

  @Override
  public int shards() {
    return 1;
  }

  @Override
  public void onChange(Consumer<List<Member>> listener) {}

  Set<String> present() {
    Set<String> present = new HashSet<>();
    members().forEach(member -> present.add(member.id()));
    return present;
  }

  private void tick() {
    memory.tail().dropOlderThan(memoryMs() - MAX_AGE_MS);
    noteTheTime();
    Set<String> back = company.look();
    members().forEach(member -> node.disk.names.add(member.name()));
    actor.handle(new ShardEvent.Returned(back));
    if (company.hasLost()) {
      actor.handle(new ShardEvent.OthersLost());
    }
    look();
    if (state.known().mayForgetOldLogs()) {
      node.disk.learnAll();
    }
    followers.forEach((viewer, one) -> push(viewer, one, empty(one.sent)));
    later(TICK_MS, this::tick);
  }

  void look() {
    String rightful = world.rightful(this).orElseThrow().id;
    boolean isSelf = rightful.equals(id);
    actor.handle(new ShardEvent.Looked(Optional.of(rightful), isSelf, company.mayTake()));
  }

  private void noteTheTime() {
    if (company.stoodStill()) {
      actor.handle(new ShardEvent.Paused());
    }
  }

  /** As {@code ShardOwner.enter}. */
  void enter(ShardState next) {
    boolean wasDeciding = state instanceof TakingOver;
    state = next;
    world.oracle.checkBounds(next);
    if (next instanceof TakingOver && !wasDeciding) {
      decided = Promise.promise();
    } else if (wasDeciding && !(next instanceof TakingOver)) {
      decided.tryComplete();
    }
  }

  /** As {@code ShardOwner.begin}. */
  void begin(long epoch, Position follows) {
    memory.begin(epoch, follows);
    nextOffset = 1;
    durability.moveTo(memory.tail().head());
    world.oracle.onOwning(this);
  }

  // what comes over the bus

  Future<Sealed> onSeal(StoringProcess by) {
    noteTheTime();
    return actor.onSeal(by.id, node.disk.isReplaced(by.node.name, by.log));
  }

  Future<Void> onBegun(long epoch, StoringProcess owner, long heard) {
    noteTheTime();
    if (heard > 0 || !node.disk.isReplaced(owner.node.name, owner.log)) {
      node.disk.learn(owner.node.name, owner.log);
    }
    actor.handle(new ShardEvent.OtherBegan(epoch, owner.id, heard, heard > 0));
    return Future.succeededFuture();
  }

  Future<Void> onOffer(String holder, long epoch, boolean isLeaving) {
    noteTheTime();
    return actor.onOffer(holder, epoch, isLeaving, present());
  }

  Future<Page> onFetch(Position since, String next) {
    noteTheTime();
    if (state instanceof TakingOver) {
      return Future.failedFuture("is being taken over");
    }
    Resume start = TailPage.start(memory, since);
    if (!next.isEmpty()) {
      Position at = Position.parse(next);
      start =
          memory.holdsAfter(at) ? new Resume(at, true) : new Resume(memory.tail().floor(), false);
    }
    Position upTo = state instanceof Owning ? memory.tail().head() : durability.last();
    return Future.succeededFuture(TailPage.read(memory, start, upTo, PAGE_BYTES));
  }

  Future<Page> onTopics() {
    noteTheTime();
    boolean isComplete = !memory.latest().hasForgotten();
    return Future.succeededFuture(
        new Page(isComplete, memory.knownSince(), "", memory.latest().some(0, 1 << 20).records()));
  }

  Future<Viewer.Answer> onFollow(Viewer viewer, long session, Position since, long newestEpoch) {
    noteTheTime();
    if (!decided.future().isComplete()) {
      return decided.future().compose(done -> onFollow(viewer, session, since, newestEpoch));
    }
    if (state instanceof Owning owning && newestEpoch > owning.epoch()) {
      actor.handle(new ShardEvent.SeenNewer(newestEpoch));
    }
    if (!(state instanceof Owning owning) || newestEpoch > owning.epoch()) {
      return Future.failedFuture("not the owner");
    }
    Follower before = followers.get(viewer);
    if (before != null && before.session > session) {
      return Future.failedFuture("a newer session");
    }
    Resume resume = memory.resume(since);
    Follower follower = new Follower(session, resume.from());
    followers.put(viewer, follower);
    later(0, () -> catchUp(viewer, follower));
    return Future.succeededFuture(
        new Viewer.Answer(new Followed(resume.from(), resume.complete()), world.clock.nowMs()));
  }

  private void catchUp(Viewer viewer, Follower follower) {
    while (followers.get(viewer) == follower && !follower.sent.equals(memory.tail().head())) {
      if (!memory.holdsAfter(follower.sent)) {
        followers.remove(viewer);
        push(viewer, new Follower(follower.session, Position.none(0)), empty(Position.none(0)));
        return;
      }
      Batch due = memory.after(follower.sent, PAGE_BYTES);
      if (due.records().isEmpty()) {
        return;
      }
      push(viewer, follower, due);
    }
  }

  private void push(Viewer viewer, Follower follower, Batch batch) {
    Position after = follower.sent;
    Position head = memory.tail().head();
    if (!batch.records().isEmpty()) {
      follower.sent = batch.position(batch.records().size() - 1);
    }
    world.network.send(this, viewer, () -> viewer.onPush(follower.session, after, head, batch));
  }

  private static Batch empty(Position at) {
    return new Batch(0, at.epoch(), at.offset(), List.of());
  }

  void dropFollowers() {
    Map<Viewer, Follower> all = new LinkedHashMap<>(followers);
    followers.clear();
    all.forEach(
        (viewer, follower) ->
            push(viewer, new Follower(follower.session, Position.none(0)), empty(follower.sent)));
  }

  /** As {@code ShardOwner.onPersist}: shown and logged at once, acknowledged from the disk. */
  Future<Void> onPersist(Record record) {
    noteTheTime();
    if (!(state instanceof Owning owning)) {
      return Future.failedFuture("not the owner");
    }
    if (node.disk.hasFailed()) {
      return Future.failedFuture("the Log has failed");
    }
    List<Record> fresh = memory.takeNew(List.of(record));
    if (fresh.isEmpty()) {
      return durability.newest();
    }
    Batch placed = new Batch(0, owning.epoch(), nextOffset++, fresh);
    Position before = memory.tail().head();
    memory.append(placed, memoryMs());
    world.oracle.onPlaced(this, placed);
    new LinkedHashMap<>(followers)
        .forEach(
            (viewer, follower) -> {
              if (follower.sent.equals(before)) {
                push(viewer, follower, placed);
              } else {
                catchUp(viewer, follower);
              }
            });
    return durability
        .track(placed, node.disk.append(placed))
        .onFailure(failure -> actor.handle(new ShardEvent.LogFailed()));
  }

  /** Hands over in order, and ends when what was placed is on disk. */
  void stop() {
    actor
        .leave()
        .onComplete(
            left ->
                enter(
                    () -> {
                      actor.handle(new ShardEvent.Stops());
                      node.disk.settled().onComplete(done -> enter(node::stopped));
                    }));
  }
}
