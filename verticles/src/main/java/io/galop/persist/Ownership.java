package io.galop.persist;

import io.galop.bus.Begun;
import io.galop.bus.Offer;
import io.galop.bus.Refusal;
import io.galop.bus.Refusal.Why;
import io.galop.bus.Seal;
import io.galop.bus.Sealed;
import io.galop.cluster.Cluster;
import io.galop.cluster.Member;
import io.galop.config.Role;
import io.galop.node.Node;
import io.galop.persist.ShardOwner.State;
import io.galop.persist.Takeover.Before;
import io.galop.persist.Takeover.Taken;
import io.galop.record.Position;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * When this node takes a shard and when it gives it away. It takes what rendezvous hashing gives
 * it, and goes on with what it has until the new owner asks for it: a planned move leaves no time
 * without an owner. Lives on the shard's event loop.
 */
final class Ownership {
  private static final Logger LOG = LoggerFactory.getLogger(Ownership.class);

  private final Loop loop = Loop.current();
  private final Node node;
  private final PersistStorage storage;
  private final int shard;
  private final ShardOwner owner;
  private final Replica replica;
  private final Company company;
  private final Runnable onOwned;

  /** Nodes that should have owned the shard since this one did, so may have placed records. */
  private final Set<String> otherOwners = new HashSet<>();

  /** Nodes that have handed the shard over because they leave: until then it seems to be theirs. */
  private final Set<String> leaving = new HashSet<>();

  /** The largest epoch of the shard that anybody has told of: the next one here is larger. */
  private long newestEpoch;

  private boolean ended;
  private Future<Void> beginning = Future.succeededFuture();
  private int attempt;

  /**
   * Who sealed its epoch before the one here began, and the largest epoch that it had seen then.
   */
  private Map<String, Long> sealed = Map.of();

  /** The node to which this one gave the shard, which may not have heard so; empty if it has. */
  private String givenTo = "";

  /**
   * Whether this node owned the shard until another took it without its seal: it has records that
   * the other does not know of, and gives them when it is asked.
   */
  private boolean isOverruled;

  /** Whether records were placed here until the process stood still. */
  private boolean ownedBefore;

  /**
   * @param onOwned called whenever this node has taken the shard
   */
  Ownership(
      Node node,
      PersistStorage storage,
      int shard,
      ShardOwner owner,
      Replica replica,
      Company company,
      Runnable onOwned) {
    this.company = company;
    this.node = node;
    this.storage = storage;
    this.shard = shard;
    this.owner = owner;
    this.replica = replica;
    this.onOwned = onOwned;
    owner.onNewerEpoch(this::stepAbove);
  }

  /**
   * Another node has seen an epoch that is larger than the one here: what is placed here would look
   * older there than what it has. So the shard is taken once more, in an epoch that is larger.
   */
  void stepAbove(long epoch) {
    loop.check();
    newestEpoch = Math.max(newestEpoch, epoch);
    if (owner.state() == State.OWNING) {
      LOG.info("shard {} begins a new epoch: another node has seen {} of it", shard, epoch);
      takeOver();
    }
  }

  private long newestEpoch() {
    return Math.max(newestEpoch, storage.memory(shard).epochs().newest());
  }

  /** Looks who should own the shard, and takes it over if it is this node. */
  void check() {
    loop.check();
    Cluster cluster = node.bus().cluster();
    if (!cluster.owns(Role.PERSIST, shard)) {
      cluster.owner(Role.PERSIST, shard).ifPresent(this::onOther);
      return;
    }
    if (!company.mayTake()) {
      return;
    }
    State state = owner.state();
    boolean superseded = state == State.OWNING && !otherOwners.isEmpty();
    if (superseded || state == State.WAITING || state == State.SEALED) {
      takeOver();
    }
  }

  /** Nodes were out of sight and are back: they may have owned the shard. */
  void onBack(Set<String> ids) {
    otherOwners.addAll(ids);
  }

  /** The process stood still, and others may have taken the shard: asks them before going on. */
  void onStandstill() {
    loop.check();
    if (!beginning.isComplete()) {
      beginning.onComplete(begun -> onStandstill());
      return;
    }
    State state = owner.state();
    if (state == State.OWNING || state == State.TAKING_OVER) {
      attempt++;
      ownedBefore |= state == State.OWNING;
      owner.pause(State.WAITING);
    }
  }

  /** Another node should own the shard. If it does not ask for it, it may not know of this one. */
  private void onOther(Member other) {
    if (leaving.contains(other.id())) {
      return;
    }
    otherOwners.add(other.id());
    if (owner.state() == State.OWNING || isOverruled) {
      offer(other, false);
    }
  }

  private Future<Void> offer(Member other, boolean isLeaving) {
    Offer offer = new Offer(shard, node.bus().cluster().self().id(), owner.epoch(), isLeaving);
    return node.bus().handover().offer(other.id(), offer);
  }

  /** Gives the shard to who will own it when this node has gone; goes on where nobody takes it. */
  Future<Void> leave() {
    loop.check();
    ended = true;
    Cluster cluster = node.bus().cluster();
    List<Member> others =
        cluster.members().stream().filter(member -> !member.equals(cluster.self())).toList();
    Optional<Member> next = new Others(cluster, others).owner(Role.PERSIST, shard);
    return next.isEmpty() || owner.state() != State.OWNING
        ? Future.succeededFuture()
        : offer(next.get(), true).otherwiseEmpty();
  }

  /** Another node holds the shard and this one should: takes it, unless it is about to anyway. */
  Future<Void> onOffer(Offer offer) {
    loop.check();
    Set<String> there = new HashSet<>();
    node.bus().cluster().members().forEach(member -> there.add(member.id()));
    if (ended || !there.contains(offer.holder())) {
      return Future.failedFuture(new Refusal(Why.NOT_READY, "not seen, or itself about to leave"));
    }
    State state = owner.state();
    if (offer.isLeaving() && (state == State.WAITING || state == State.SEALED)) {
      leaving.retainAll(there);
      leaving.add(offer.holder());
      takeOver();
    } else if (!offer.isLeaving() && state == State.OWNING && isNews(offer)) {
      LOG.warn("shard {} is also held by node {}, taking it over", shard, offer.holder());
      otherOwners.add(offer.holder());
      check();
    }
    return owner.decided();
  }

  /** An offer may have been on its way while this node asked its sender for the shard. */
  private boolean isNews(Offer offer) {
    Long seen = sealed.get(offer.holder());
    return seen == null || offer.epoch() > seen;
  }

  private void takeOver() {
    int mine = ++attempt;
    boolean owned = owner.state() == State.OWNING || ownedBefore || isOverruled;
    owner.pause(State.TAKING_OVER);
    owner.durability().settled().onSuccess(settled -> takeOver(mine, owned));
  }

  private void takeOver(int mine, boolean owned) {
    loop.check();
    Takeover takeover =
        new Takeover(
            loop,
            node,
            storage,
            shard,
            new Before(owner.durability().last(), owned, unheard(), hasCopyOfAbsent()),
            () -> mine == attempt && owner.state() == State.TAKING_OVER);
    takeover
        .run()
        .map(
            taken -> {
              onTaken(takeover, taken);
              return null;
            })
        .onFailure(
            failure -> {
              LOG.error("shard {} could not be taken over, trying again", shard, failure);
              abandon(takeover);
            });
  }

  private void onTaken(Takeover takeover, Taken taken) {
    if (takeover.isWanted() && company.mayTake()) {
      newestEpoch = Math.max(newestEpoch, takeover.newestEpoch());
      begin(takeover, taken);
    } else {
      abandon(takeover);
    }
  }

  /** Whether this node has the second copy of all that a node placed that is away. */
  private boolean hasCopyOfAbsent() {
    return replica
        .completeCopyOf()
        .filter(id -> node.bus().cluster().members().stream().noneMatch(m -> m.id().equals(id)))
        .isPresent();
  }

  /** Whose records may not be known here: not that of which this node has the second copy. */
  private Set<String> unheard() {
    Set<String> unheard = new HashSet<>(otherOwners);
    replica.completeCopyOf().ifPresent(unheard::remove);
    return Set.copyOf(unheard);
  }

  private void abandon(Takeover takeover) {
    takeover.abandon();
    if (takeover.isWanted()) {
      owner.pause(State.WAITING);
    }
  }

  private void begin(Takeover takeover, Taken taken) {
    loop.check();
    long known = Math.max(taken.last().epoch(), taken.memory().epochs().newest());
    long epoch =
        EpochLog.next(Math.max(newestEpoch(), known), node.bus().cluster().self().epochTag());
    newestEpoch = epoch;
    sealed = takeover.heard();
    storage.replace(shard, taken.memory());
    otherOwners.clear();
    replica.end();
    Position before = taken.certain() ? taken.last() : Position.none(shard);
    Future<Void> told = takeover.tell(epoch);
    beginning =
        EpochLog.begin(storage.log(), epoch, taken.last(), taken.certain(), taken.ours())
            .onFailure(owner::fail)
            .compose(logged -> told)
            .onSuccess(all -> begun(taken, epoch, before));
  }

  private void begun(Taken taken, long epoch, Position before) {
    loop.check();
    if (owner.state() == State.TAKING_OVER && newestEpoch > epoch) {
      owner.pause(State.WAITING); // another node began one meanwhile
      check();
    } else if (owner.state() == State.TAKING_OVER) {
      ownedBefore = false;
      givenTo = "";
      isOverruled = false;
      if (!taken.heardAll()) {
        taken.memory().knownSince(new Position(shard, epoch, 0));
      }
      owner.begin(taken.memory(), epoch, before);
      onOwned.run();
      LOG.debug("shard {} is owned in epoch {}", shard, epoch);
    }
  }

  /**
   * Another node begins an epoch: the next one here is larger. If this node owns the shard, it was
   * not heard when it was asked for it, and stops at once.
   */
  Future<Void> onBegun(Begun begun) {
    loop.check();
    newestEpoch = Math.max(newestEpoch, begun.epoch());
    givenTo = "";
    if (owner.state() == State.OWNING && begun.epoch() > owner.epoch()) {
      LOG.warn("shard {} was taken by node {}, which this one did not hear", shard, begun.owner());
      owner.pause(State.SEALED);
      isOverruled = true;
      otherOwners.add(begun.owner());
      check();
    }
    return Future.succeededFuture();
  }

  /** Another node takes the shard: answers when what was placed here is on disk. */
  Future<Sealed> onSeal(Seal seal) {
    loop.check();
    Cluster cluster = node.bus().cluster();
    if (cluster.members().stream().noneMatch(member -> member.id().equals(seal.newOwner()))) {
      String unseen = "node " + cluster.self().name() + " does not see who asks";
      return Future.failedFuture(new Refusal(Why.NOT_MEMBER, unseen));
    }
    if (owner.state() == State.TAKING_OVER) {
      if (!beginning.isComplete()) {
        return beginning.transform(begun -> onSeal(seal));
      }
      attempt++;
      owner.pause(State.WAITING);
    }
    boolean held = owner.isHeld() || isOverruled || seal.newOwner().equals(givenTo);
    givenTo = held ? seal.newOwner() : "";
    isOverruled = false;
    if (owner.state() == State.OWNING) {
      LOG.info("shard {} goes to node {}", shard, seal.newOwner());
      owner.pause(State.SEALED);
    }
    otherOwners.add(seal.newOwner());
    return owner
        .durability()
        .settled()
        .map(v -> new Sealed(held, owner.durability().last(), newestEpoch()));
  }
}
