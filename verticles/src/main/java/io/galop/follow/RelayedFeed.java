package io.galop.follow;

import io.galop.bus.FeedLane;
import io.galop.bus.Push;
import io.galop.config.GalopConfig;
import io.galop.node.Node;
import io.galop.persist.ram.RamTier;
import io.galop.persist.ram.ShardMemory;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.galop.vertx.Loop;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * The feed of a relay, for the relays that it dials: its newest records, off the heap within {@code
 * broadcast.ring.maxBytes}, and the latest of each topic within the bounds of {@code broadcast}. On
 * the feed loop.
 */
public final class RelayedFeed {
  private final Loop loop;
  private final FeedLane lane;
  private final RamTier tier;
  private final RelayedShard[] shards;

  /** Its memory is gone: what comes now is for nobody. */
  private boolean isClosed;

  private RelayedFeed(Node node, Context feedLoop) {
    GalopConfig config = node.config();
    int count = node.bus().cluster().shards();
    this.loop = Loop.of(feedLoop);
    this.lane = node.bus().feed();
    this.shards = new RelayedShard[count];
    int creditBytes = config.persist().feed().creditBytes();
    Credits credits = new Credits(creditBytes, node.meters(), "galop.link.push.in.flight", 0);
    Counter dropped =
        Counter.builder("galop.link.followers.dropped")
            .baseUnit("followers")
            .description("Relays behind this one, by shard, sent away to return with a Position")
            .register(node.meters());
    this.tier = new RamTier(config.broadcast().ring().maxBytes(), count);
    int topics = Math.max(1, config.broadcast().latestMaxTopics() / count);
    long latestBytes = config.broadcast().latestMaxBytes() / count;
    for (int n = 0; n < count; n++) {
      int shard = n;
      shards[n] =
          new RelayedShard(
              n,
              () -> new ShardMemory(tier, shard, 1, topics, latestBytes),
              memory -> new Followers(lane, credits, dropped, memory),
              System::nanoTime);
    }
    gauge(node, "galop.link.followers", "Relays behind this one, by shard", Followers::size);
    gauge(node, "galop.link.followers.lag", "Records that the last is behind", Followers::lag);
  }

  /** That of a node; empty unless it is a relay that dials others. On the feed loop. */
  public static Optional<RelayedFeed> of(Node node, Context feedLoop) {
    return node.config().feedsRelaysAsRelay()
        ? Optional.of(new RelayedFeed(node, feedLoop))
        : Optional.empty();
  }

  private void gauge(Node node, String name, String what, ToLongFunction<Followers> value) {
    Gauge.builder(
            name,
            shards,
            all -> Arrays.stream(all).map(RelayedShard::followers).mapToLong(value).sum())
        .description(what)
        .strongReference(true)
        .register(node.meters());
  }

  /** Answers relays behind from now on. */
  public Future<?> listen() {
    loop.check();
    List<Future<?>> all = new ArrayList<>();
    for (int shard = 0; shard < shards.length; shard++) {
      all.add(lane.onFollow(shard, shards[shard]::onFollow).completion());
      all.add(lane.onLatest(shard, shards[shard]::onLatest).completion());
    }
    return Future.all(all);
  }

  /**
   * A shard begins anew with its latest records.
   *
   * @param head pushes go on from there
   * @param latest in the order of their Positions; perhaps with some that will be pushed
   * @param complete whether these are of all topics
   */
  public void load(Position head, List<Placed> latest, boolean complete) {
    loop.check();
    if (!isClosed) {
      shards[head.shard()].load(head, latest, complete);
    }
  }

  /** A shard's owner goes on from a Position, without a gap. */
  public void goOn(Position from) {
    loop.check();
    if (!isClosed) {
      shards[from.shard()].goOn(from);
    }
  }

  /** The next push of a shard, without a gap. */
  public void onPush(Push push) {
    loop.check();
    if (!isClosed) {
      shards[push.batch().shard()].onPush(push);
    }
  }

  /** Lets go of its memory, which is off the heap. */
  public void close() {
    loop.check();
    isClosed = true;
    for (RelayedShard shard : shards) {
      shard.close();
    }
    tier.close();
  }
}
