package io.galop.link;

import io.galop.bus.Errand;
import io.galop.bus.Push;
import io.galop.bus.Refusal;
import io.galop.cluster.Cluster;
import io.galop.config.Role;
import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;

/**
 * Sends a relay that may ask nothing the shards that this node owns, and no others: each storing
 * node dials such a relay. On the event loop of the link.
 */
final class Bringing {
  private final Cluster cluster;
  private final BringShard[] shards;

  /** Null while nothing is sent. */
  private @Nullable LinkChannel channel;

  private String relayId = "";

  Bringing(Cluster cluster, long timeoutMs, RelayQuestions questions) {
    this.cluster = cluster;
    this.shards = new BringShard[cluster.shards()];
    for (int shard = 0; shard < shards.length; shard++) {
      shards[shard] = new BringShard(shard, timeoutMs, questions::ask, this::send);
    }
  }

  private Future<?> send(Errand errand) {
    LinkChannel open = channel;
    return open == null
        ? Future.failedFuture(new Refusal(Refusal.Why.NOT_READY, "there is no link"))
        : open.call(errand);
  }

  /** A link to a relay stands, which is another one than before if its id is. */
  void begin(LinkChannel open, String id) {
    channel = open;
    if (!relayId.equals(id)) {
      relayId = id;
      for (BringShard shard : shards) {
        shard.forget();
      }
    }
    look();
  }

  /** The link has ended. */
  void end() {
    channel = null;
    look();
  }

  /** Other nodes may own the shards now. */
  void look() {
    String self = cluster.self().id();
    for (int shard = 0; shard < shards.length; shard++) {
      boolean isOwn =
          cluster.owner(Role.PERSIST, shard).filter(owner -> owner.id().equals(self)).isPresent();
      shards[shard].want(isOwn && channel != null);
    }
  }

  /** Hands on what an owner pushes for the relay. */
  Future<Void> onPush(Push push) {
    return shards[push.batch().shard()].onPush(push);
  }
}
