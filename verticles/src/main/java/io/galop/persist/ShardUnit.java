package io.galop.persist;

import io.galop.bus.Bus;
import io.galop.bus.Follow;
import io.galop.bus.Followed;
import io.galop.bus.Node;
import io.galop.config.Role;
import io.vertx.core.Future;
import io.vertx.core.eventbus.MessageConsumer;
import java.util.List;

/** Everything of one shard, and its place on the bus. */
final class ShardUnit {
  private final Node node;
  private final int shard;
  private final ShardOwner owner;
  private final Ownership ownership;
  private final FeedAnswers answers;

  ShardUnit(Node node, PersistStorage storage, int shard, ShardOwner owner, Runnable onOwned) {
    this.node = node;
    this.shard = shard;
    this.owner = owner;
    this.ownership = new Ownership(node, storage, shard, owner, onOwned);
    this.answers = new FeedAnswers(owner);
  }

  ShardOwner owner() {
    return owner;
  }

  List<MessageConsumer<?>> listen() {
    Bus bus = node.bus();
    return List.of(
        bus.persist().onSend(shard, owner::onPersist),
        bus.handover().onSeal(shard, ownership::onSeal),
        bus.handover().onOffer(shard, ownership::onOffer),
        bus.feed().onLatest(shard, ask -> owner.decided().compose(v -> answers.onLatest(ask))),
        bus.feed().onFetch(shard, answers::onFetch),
        bus.feed().onFollow(shard, follow -> owner.decided().compose(v -> onFollow(follow))));
  }

  private Future<Followed> onFollow(Follow follow) {
    return owner
        .notOwning()
        .map(Future::<Followed>failedFuture)
        .orElseGet(() -> owner.followers().onFollow(follow));
  }

  /** Whether this node should own the shard but does not. */
  boolean isMissing() {
    return owner.state() != ShardOwner.State.OWNING
        && node.bus().cluster().owns(Role.PERSIST, shard);
  }

  /** Who should own the shard may have changed. */
  void check() {
    ownership.check();
  }

  void tick(long oldestMs) {
    owner.memory().tail().dropOlderThan(oldestMs);
    owner.followers().signsOfLife();
    ownership.check();
  }

  /** Takes nothing more; completes when what was taken is on disk, and with its next owner. */
  Future<Void> stop() {
    return ownership.leave().eventually(this::settle);
  }

  private Future<Void> settle() {
    owner.pause(ShardOwner.State.STOPPING);
    return owner.durability().settled();
  }
}
