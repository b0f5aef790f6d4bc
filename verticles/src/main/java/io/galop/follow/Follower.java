package io.galop.follow;

import io.galop.bus.FeedLane;
import io.galop.bus.Push;
import io.galop.persist.ram.ShardMemory;
import io.galop.record.Batch;
import io.galop.record.Position;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A broadcast node that follows a shard, as a place in the RAM tier. Several pushes may be under
 * way: from one sender to one address the bus keeps their order, and after a failed one the node
 * refuses those behind it as not continuous. Lives on the shard's event loop.
 */
final class Follower {
  private static final int CHUNK_BYTES = 256 * 1024;

  private final FeedLane feed;
  private final String node;
  private final long session;
  private final NodeCredit credit;
  private final ShardMemory memory;
  private final RecentStamps stamps;
  private final Supplier<Position> head;
  private final Consumer<Follower> onLost;
  private Position sent;
  private int underWay;
  private boolean waiting;
  private boolean gone;

  /**
   * @param head the newest Position that there is, perhaps not yet in the memory
   */
  Follower(
      FeedLane feed,
      String node,
      long session,
      Position from,
      NodeCredit credit,
      ShardMemory memory,
      RecentStamps stamps,
      Supplier<Position> head,
      Consumer<Follower> onLost) {
    this.feed = feed;
    this.node = node;
    this.session = session;
    this.sent = from;
    this.credit = credit;
    this.memory = memory;
    this.stamps = stamps;
    this.head = head;
    this.onLost = onLost;
    credit.onFollow();
  }

  String node() {
    return node;
  }

  long session() {
    return session;
  }

  Position sent() {
    return sent;
  }

  /** A Batch was placed after {@code before}. It goes out as it is if nothing else is due first. */
  void onAppend(Position before, Batch placed, int bytes) {
    if (waiting || gone) {
      return;
    }
    if (!sent.equals(before)) {
      onCredit();
    } else if (credit.isLeft()) {
      push(placed, bytes);
    } else {
      awaitTurn();
    }
  }

  /** Pushes a chunk of what is due and waits for its turn with the rest. */
  void onCredit() {
    waiting = false;
    if (gone || sent.equals(memory.tail().head())) {
      return;
    }
    if (!credit.isLeft()) {
      awaitTurn();
      return;
    }
    if (!memory.holdsAfter(sent)) {
      leaveBehind(memory.tail().floor());
      return;
    }
    Batch due = memory.after(sent, CHUNK_BYTES);
    if (!due.records().isEmpty()) {
      push(stamps.stamped(due), due.approximateBytes());
      awaitTurn();
    }
  }

  private void awaitTurn() {
    if (!gone) {
      waiting = true;
      credit.await(this);
    }
  }

  private void push(Batch batch, int bytes) {
    Position after = sent;
    sent = batch.position(batch.records().size() - 1);
    underWay++;
    credit.take(bytes);
    send(after, batch)
        .onComplete(
            reply -> {
              underWay--;
              lostIfFailed(reply);
              credit.giveBack(bytes);
            });
  }

  private Future<Void> send(Position after, Batch batch) {
    return feed.push(node, new Push(session, after, head.get(), batch));
  }

  private void lostIfFailed(AsyncResult<Void> reply) {
    if (reply.failed() && !gone) {
      onLost.accept(this);
    }
  }

  /** Says that this owner lives, unless something under way says so. */
  void signOfLife() {
    if (underWay == 0) {
      send(sent, empty()).onComplete(this::lostIfFailed);
    }
  }

  /**
   * Ends it, with a push that does not follow on what the node has: so it follows again at once,
   * with its Position, rather than when it misses the signs of life.
   */
  void leaveBehind(Position elsewhere) {
    if (!gone) {
      send(elsewhere, empty());
      onLost.accept(this);
    }
  }

  void onGone() {
    gone = true;
    credit.onDrop(this);
  }

  private Batch empty() {
    return new Batch(sent.shard(), sent.epoch(), sent.offset(), List.of());
  }
}
