package io.galop.broadcast.feed;

import io.galop.bus.Push;
import io.galop.follow.RelayedFeed;
import io.galop.node.FeedTap;
import io.galop.node.Node;
import io.galop.record.Position;
import io.galop.record.Record;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** Who hears a node's feed beside its browsers: verticles, and the relays that a relay dials. */
public final class Taps {
  private final List<FeedTap> taps = new CopyOnWriteArrayList<>();
  private final Optional<RelayedFeed> relayed;

  /** Nobody yet, and no relays ever. */
  Taps() {
    this(Optional.empty());
  }

  private Taps(Optional<RelayedFeed> relayed) {
    this.relayed = relayed;
  }

  /** Nobody yet. On the feed loop. */
  static Taps of(Node node, Context feedLoop) {
    return new Taps(RelayedFeed.of(node, feedLoop));
  }

  /** Answers relays from now on. */
  Future<Void> listen() {
    return relayed
        .<Future<Void>>map(all -> all.listen().mapEmpty())
        .orElseGet(Future::succeededFuture);
  }

  /**
   * Lets somebody hear what comes from now on. From any thread.
   *
   * @return ends it
   */
  public Runnable add(FeedTap tap) {
    taps.add(tap);
    return () -> taps.remove(tap);
  }

  /** Whether no verticle does. */
  boolean isEmpty() {
    return taps.isEmpty();
  }

  void onRecord(int shard, Record record) {
    for (FeedTap tap : taps) {
      tap.onRecord(shard, record);
    }
  }

  void onGap(int shard) {
    taps.forEach(tap -> tap.onGap(shard));
  }

  /** Whether {@link #onLoading} is to have records as they came, not only as they are shown. */
  boolean keepRecords() {
    return relayed.isPresent();
  }

  /** A shard begins anew with these; browsers are shown none before pushes have passed them. */
  void onLoading(ShardLoad.Loaded loaded) {
    relayed.ifPresent(all -> all.load(loaded.head(), loaded.records(), loaded.complete()));
  }

  /** An owner goes on from there without a gap, perhaps another than before. */
  void onGoingOn(Position from) {
    relayed.ifPresent(all -> all.goOn(from));
  }

  /** The next push of a shard, whether it has records or not. */
  void onPush(Push push) {
    relayed.ifPresent(all -> all.onPush(push));
  }

  /** Lets go of what is off the heap. On the feed loop. */
  void close() {
    relayed.ifPresent(RelayedFeed::close);
  }
}
