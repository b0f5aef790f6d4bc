package io.galop.broadcast.feed;

import io.galop.broadcast.ring.Entry;
import io.galop.config.broadcast.FreshnessConfig;
import io.galop.node.LiveConfig;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/**
 * Has a node go by other rules of freshness: all topics are looked at again, those that are watched
 * and then those whose latest record is known, a piece in each turn of the feed loop. Whoever
 * watches a topic is told in which way it has changed, as always.
 */
final class FreshnessChange {
  private static final int TOPICS_A_TURN = 10_000;

  private final Loop loop;
  private final Freshness freshness;
  private final ShardFeed[] shards;
  private final Consumer<List<Entry>> told;

  /**
   * @param told gets the words, which it shows to all
   */
  FreshnessChange(Loop loop, Freshness freshness, ShardFeed[] shards, Consumer<List<Entry>> told) {
    this.loop = loop;
    this.freshness = freshness;
    this.shards = shards;
    this.told = told;
  }

  /** Takes changes from now on. */
  void offer(LiveConfig settings) {
    settings.offerLater(
        "broadcast.freshness", next -> loop.call(() -> change(next.broadcast().freshness())));
  }

  private Future<Void> change(List<FreshnessConfig> configured) {
    List<String> watched = freshness.change(configured);
    Deque<Runnable> pieces = new ArrayDeque<>();
    for (int from = 0; from < watched.size(); from += TOPICS_A_TURN) {
      List<String> some = watched.subList(from, Math.min(watched.size(), from + TOPICS_A_TURN));
      pieces.add(() -> tell(freshness.watchAnew(some, System.nanoTime())));
    }
    for (ShardFeed shard : shards) {
      pieces.add(() -> known(shard.view().latest().all(), pieces));
    }
    Promise<Void> done = Promise.promise();
    turn(pieces, done);
    return done.future();
  }

  private void known(List<Entry> latest, Deque<Runnable> pieces) {
    for (int from = 0; from < latest.size(); from += TOPICS_A_TURN) {
      List<Entry> some = latest.subList(from, Math.min(latest.size(), from + TOPICS_A_TURN));
      pieces.add(() -> tell(freshness.known(some, System.nanoTime())));
    }
  }

  private void tell(List<Entry> words) {
    if (!words.isEmpty()) {
      told.accept(words);
    }
  }

  private void turn(Deque<Runnable> pieces, Promise<Void> done) {
    Runnable piece = pieces.poll();
    if (piece == null) {
      done.complete();
      return;
    }
    try {
      piece.run();
    } catch (RuntimeException e) {
      done.fail(e);
      return;
    }
    loop.later(() -> turn(pieces, done));
  }
}
