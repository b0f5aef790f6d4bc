package io.galop.persist;

import io.galop.bus.Bus;
import io.galop.bus.Follow;
import io.galop.bus.Followed;
import io.galop.bus.Refusal;
import io.galop.bus.Refusal.Why;
import io.galop.config.Role;
import io.galop.node.Node;
import io.galop.persist.ownership.ShardState.Owning;
import io.vertx.core.Future;
import io.vertx.core.eventbus.MessageConsumer;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** Everything of one shard, and its place on the bus. */
final class ShardUnit {
  private final Node node;
  private final PersistStorage storage;
  private final int shard;
  private final ShardOwner owner;
  private final Replica replica;
  private final Ownership ownership;
  private final FeedAnswers answers;

  ShardUnit(
      Node node,
      PersistStorage storage,
      int shard,
      ShardOwner owner,
      Company company,
      Runnable onOwned) {
    this.node = node;
    this.storage = storage;
    this.shard = shard;
    this.owner = owner;
    this.replica = new Replica(storage, owner, shard);
    this.ownership = new Ownership(node, storage, shard, owner, replica, company, onOwned);
    this.answers = new FeedAnswers(owner);
    ShardFacts.share(node, shard, owner);
  }

  ShardOwner owner() {
    return owner;
  }

  /**
   * Takes requests, and is heard.
   *
   * @param noteTheTime is called before each of them
   */
  List<MessageConsumer<?>> listen(Runnable noteTheTime) {
    ShardTap.listen(node, shard, owner, storage, noteTheTime);
    Bus bus = node.bus();
    return List.of(
        bus.persist().onSend(shard, timely(noteTheTime, owner::onPersist)),
        bus.handover().onSeal(shard, timely(noteTheTime, ownership.answers()::onSeal)),
        bus.handover().onBegun(shard, timely(noteTheTime, ownership.answers()::onBegun)),
        bus.handover().onOffer(shard, timely(noteTheTime, ownership.answers()::onOffer)),
        bus.replica().onReplicate(shard, timely(noteTheTime, replica::onReplicate)),
        bus.feed().onLatest(shard, timely(noteTheTime, ask -> owned(() -> answers.onLatest(ask)))),
        bus.handover().onTopics(shard, timely(noteTheTime, answers::onTopics)),
        bus.feed().onFetch(shard, timely(noteTheTime, answers::onFetch)),
        bus.feed().onFollow(shard, timely(noteTheTime, follow -> owned(() -> onFollow(follow)))));
  }

  /** What waits to be dealt with after a standstill may be from before it. */
  private static <Q, A> Function<Q, Future<A>> timely(
      Runnable noteTheTime, Function<Q, Future<A>> handler) {
    return question -> {
      noteTheTime.run();
      return handler.apply(question);
    };
  }

  private <A> Future<A> owned(Supplier<Future<A>> answer) {
    return owner.decided().compose(decided -> answer.get());
  }

  private Future<Followed> onFollow(Follow follow) {
    boolean isBeyond = owner.isBeyond(follow.newestEpoch());
    Optional<Refusal> refusal = owner.notOwning();
    if (refusal.isPresent() || !isBeyond) {
      return Future.failedFuture(
          refusal.orElseGet(
              () -> new Refusal(Why.NOT_READY, "a larger epoch than " + follow.newestEpoch())));
    }
    return owner.followers().onFollow(follow);
  }

  /** Whether this node should own the shard but does not. */
  boolean isMissing() {
    return !(owner.state() instanceof Owning) && node.bus().cluster().owns(Role.PERSIST, shard);
  }

  Ownership ownership() {
    return ownership;
  }

  /** Who should own the shard may have changed. */
  void check() {
    ownership.check();
    owner.replication().check();
  }

  /**
   * Once a second.
   *
   * @param maxAgeMs how long records stay in memory
   */
  void tick(long maxAgeMs) {
    owner.dropOlderThan(maxAgeMs);
    if (owner.state().known().mayForgetOldLogs()) {
      storage.learnLogs(shard);
    }
    owner.followers().signsOfLife();
  }

  /** Takes nothing more; completes when what was taken is on disk, and with its next owner. */
  Future<Void> stop() {
    return ownership.leave().eventually(this::settle);
  }

  private Future<Void> settle() {
    ownership.stop();
    return owner.durability().settled();
  }
}
