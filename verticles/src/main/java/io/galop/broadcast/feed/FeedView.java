package io.galop.broadcast.feed;

import io.galop.broadcast.ring.Ring;
import io.galop.record.Position;
import io.galop.record.TopicFilter;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * What this node has of all shards: whether it goes on without a gap from where a browser was. As
 * of now, since the ring loses its oldest records, and shards are loaded anew. On the feed loop.
 */
final class FeedView {
  private final Ring ring;
  private final ShardFeed[] shards;

  FeedView(Ring ring, ShardFeed[] shards) {
    this.ring = ring;
    this.shards = shards;
  }

  /** In which shards the topics of a filter are. */
  int[] touched(TopicFilter filter) {
    return filter.shards(shards.length);
  }

  /** Whether all that a filter means is loaded, and comes with what is pushed. */
  boolean isHere(TopicFilter filter) {
    return Arrays.stream(touched(filter))
        .allMatch(
            shard -> shards[shard].view().isLoaded() && shards[shard].cover().from(filter) != null);
  }

  /** Whether another node has shown a browser more than this one has taken. */
  boolean isAhead(TopicFilter filter, Since since) {
    return Arrays.stream(touched(filter))
        .anyMatch(shard -> since.of(shard).compareTo(shards[shard].view().last()) > 0);
  }

  /** Whether a browser was shown more than an owner has spoken of: nobody has that any more. */
  boolean isBeyond(TopicFilter filter, Since since) {
    return Arrays.stream(touched(filter))
        .anyMatch(shard -> since.of(shard).compareTo(shards[shard].head()) > 0);
  }

  /** Where a browser is in each shard of its filter. */
  Map<Integer, Position> places(TopicFilter filter, Since since) {
    Map<Integer, Position> places = new HashMap<>();
    for (int shard : touched(filter)) {
      places.put(shard, place(filter, since, shard));
    }
    return places;
  }

  /**
   * Up to where a browser has what its filter means of a shard. It cannot name a Position of a
   * shard that it has seen nothing of. That is no gap if the shard has none of its topics so far,
   * or if the ring has the shard from its very first record on.
   */
  private Position place(TopicFilter filter, Since since, int shard) {
    if (since.names(shard)) {
      return since.of(shard);
    }
    if (shards[shard].view().latest().hasNone(filter)) {
      return shards[shard].view().last();
    }
    return isEverythingHere(shard) ? ring.floor(shard) : Position.none(shard);
  }

  /** Whether the ring has the shard from its very first record on. */
  private boolean isEverythingHere(int shard) {
    return shards[shard].view().wasEmpty() && ring.floor(shard).equals(ring.start(shard));
  }

  /** Whether the ring goes on from where a browser is. */
  boolean goesOn(TopicFilter filter, Position at) {
    return isKnown(at) && holdsAfter(filter, at);
  }

  /** Whether this node can tell what a Position is followed by; else its owner has to be asked. */
  boolean isKnown(Position at) {
    return shards[at.shard()].view().knows(at);
  }

  /**
   * Whether the ring has all that a filter means after a Position, if its epoch can be relied on.
   */
  boolean holdsAfter(TopicFilter filter, Position at) {
    Position from = shards[at.shard()].cover().from(filter);
    return from != null && at.compareTo(from) >= 0 && at.compareTo(ring.floor(at.shard())) >= 0;
  }

  /** No owner may begin an epoch before one that another has spoken of: see Follow.newestEpoch. */
  void heard(Position spoken) {
    shards[spoken.shard()].view().heard(spoken);
  }

  /** Whether a Position is in the older half of the ring: it may soon be gone from there. */
  boolean isOld(Position at) {
    return at.compareTo(ring.middle(at.shard())) < 0;
  }

  /** Since which Position there has been no gap; what an owner said before one counts no more. */
  Position start(int shard) {
    return ring.start(shard);
  }
}
