package io.galop.broadcast.feed;

import io.galop.broadcast.hub.BroadcastMeters;
import io.galop.bus.FeedLane;
import io.galop.config.broadcast.BroadcastConfig;
import io.galop.record.Topic;
import io.galop.record.TopicFilter;
import io.galop.vertx.Loop;
import io.vertx.core.Vertx;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says to the nodes that have dialled this one what its viewers watch, where it is a relay that
 * wants no more. On the feed loop.
 */
final class Watching {
  private static final Logger LOG = LoggerFactory.getLogger(Watching.class);

  /** In which filters are gathered, since viewers come many at a time. */
  private static final long GATHER_MS = 10;

  /** How long a filter is wanted that nobody watches. */
  private static final long HOLD_SECONDS = 30;

  /** All filters go in one frame, of which a node takes twice as much. */
  private static final int MOST_BYTES = 128 * 1024;

  private final Vertx vertx;
  private final Loop loop;
  private final FeedLane lane;
  private final boolean isOn;
  private final Taps taps;
  private final Runnable onCovered;
  private final Interest interest;
  private final ShardCover[] covers;
  private final AtomicLong filters;
  private final AtomicLong everything;
  private boolean isDue;

  /**
   * @param onCovered some of what has come to be wanted is here already
   */
  Watching(
      Vertx vertx,
      FeedLane lane,
      BroadcastConfig config,
      int shards,
      Taps taps,
      BroadcastMeters meters,
      Runnable onCovered) {
    this.vertx = vertx;
    this.loop = Loop.current(vertx);
    this.lane = lane;
    this.isOn = config.isWatched();
    this.taps = taps;
    this.onCovered = onCovered;
    this.interest =
        new Interest(
            config.interestMaxFilters(), MOST_BYTES, TimeUnit.SECONDS.toNanos(HOLD_SECONDS));
    this.covers =
        IntStream.range(0, shards)
            .mapToObj(n -> isOn ? ShardCover.watched(n, shards) : ShardCover.everything(n))
            .toArray(ShardCover[]::new);
    this.filters = meters.number("wanted.filters", "Filters that a relay wants the records of");
    this.everything =
        meters.number("wanted.everything", "1: a relay wants all, as it has many filters; 0: not");
  }

  ShardCover cover(int shard) {
    return covers[shard];
  }

  /** In which shard a topic is. */
  int shardOf(String topic) {
    return Topic.shard(topic, covers.length);
  }

  /** The first viewer of a Hub watches a filter, or the last one does no more. */
  void change(String text, boolean isWatched) {
    loop.check();
    TopicFilter filter = TopicFilter.parse(text, Integer.MAX_VALUE);
    if (isWatched) {
      interest.watch(filter);
      if (!isDue) {
        isDue = true;
        vertx.setTimer(GATHER_MS, timer -> look());
      }
    } else {
      interest.unwatch(filter, System.nanoTime());
    }
  }

  /** Says what has changed. To be called often, and before a shard is followed. */
  void look() {
    loop.check();
    isDue = false;
    if (isOn) {
      boolean was = interest.isEverything();
      interest.next(System.nanoTime(), !taps.isEmpty()).ifPresent(this::tell);
      filters.set(interest.size());
      everything.set(interest.isEverything() ? 1 : 0);
      if (was != interest.isEverything()) {
        String what = was ? "those records only that are watched" : "everything";
        LOG.warn("this relay wants {} from now on: {} filters", what, interest.size());
      }
    }
  }

  /** First to the nodes, so that what is asked of them afterwards counts on it. */
  private void tell(Interest.Change change) {
    change.want().ifPresent(lane::want);
    boolean isCovered = false;
    for (ShardCover cover : covers) {
      change.dropped().forEach(cover::drop);
      for (TopicFilter filter : change.added()) {
        isCovered |= cover.want(filter, change.version());
      }
    }
    if (isCovered) {
      onCovered.run();
    }
  }
}
