package io.galop.broadcast.feed;

import io.galop.broadcast.ring.Entry;
import io.galop.broadcast.ring.ShownRecords;
import io.galop.bus.Push;
import io.galop.config.broadcast.BroadcastConfig;
import io.galop.record.Batch;
import io.galop.record.Position;
import io.galop.record.Record;
import io.galop.record.TopicFilter;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * What this node has of one shard: the latest records, how far it is, and what it has shown, so
 * that a later attempt to publish the same is not news. On the feed loop.
 */
final class ShardView {
  private final int shard;
  private final LastValueCache latest;
  private final ShardListener listener;
  private final KnownEpochs epochs = new KnownEpochs();
  private ShownRecords shown = new ShownRecords();
  private boolean isLoaded;
  private boolean wasEmpty;

  /** Between a load and the moment when pushes have passed all that was in it. */
  private boolean isAbsorbing;

  /** The last record taken. */
  private Position last;

  /** The newest record taken, or the head when all was loaded. */
  private Position newest;

  /** Up to here a record may have been loaded. */
  private Position loadedUpTo;

  /**
   * The epochs of a shard that follow on each other without a gap in what this node has of it, as
   * its owners said. Of a Position in another epoch only the owner can say whether it goes on from
   * there, whatever its number.
   */
  private static final class KnownEpochs {
    /** Of older ones the owner is asked, which costs it an answer. */
    private static final int MOST = 1024;

    private final TreeSet<Long> numbers = new TreeSet<>();
    private long newest;

    /** There is a gap before this Position, whatever was known. */
    void restart(Position from) {
      numbers.clear();
      reached(from);
    }

    /** What the node has goes on to this Position. */
    void reached(Position position) {
      newest = Math.max(newest, position.epoch());
      if (numbers.add(position.epoch()) && numbers.size() > MOST) {
        numbers.pollFirst();
      }
    }

    /** The node was told of this Position. */
    void heard(Position position) {
      newest = Math.max(newest, position.epoch());
    }
  }

  /**
   * @param shards how many there are
   */
  ShardView(int shard, BroadcastConfig config, int shards, ShardListener listener) {
    this.shard = shard;
    this.latest = LastValueCache.ofShard(config, shards);
    this.listener = listener;
    this.last = Position.none(shard);
    this.newest = last;
    this.loadedUpTo = last;
  }

  /** Whether the latest records are there. */
  boolean isLoaded() {
    return isLoaded;
  }

  /** Whether a load is under way that the pushes have not passed. */
  boolean isAbsorbing() {
    return isAbsorbing;
  }

  /** Whether the shard had no record at all when it was loaded. */
  boolean wasEmpty() {
    return wasEmpty;
  }

  /** The last record taken. */
  Position last() {
    return last;
  }

  /** The largest epoch that the node has ever been told of. */
  long newestEpoch() {
    return epochs.newest;
  }

  /**
   * Whether this node can tell what comes after a Position that is not before what it has; else its
   * owner has to be asked.
   */
  boolean knows(Position position) {
    return position.isNone() || epochs.numbers.contains(position.epoch());
  }

  LastValueCache latest() {
    return latest;
  }

  /**
   * Begins anew with what the owner has.
   *
   * @param heldAfter after which the owner has everything, if that is what is known
   * @param isPart whether it was asked for some topics only
   */
  void load(ShardLoad.Loaded all, Position heldAfter, boolean isPart) {
    ShardLoad.Loaded loaded = all.before(heldAfter);
    latest.clear();
    loaded.entries().forEach(latest::put);
    // Browsers are told to drop what they were shown, so a later attempt of it is news to them.
    shown = new ShownRecords();
    if (!loaded.complete()) {
      latest.forgot();
    }
    wasEmpty = loaded.entries().isEmpty() && loaded.complete() && !isPart;
    last = loaded.head();
    newest = last;
    loadedUpTo = loaded.end();
    isAbsorbing = true;
    epochs.heard(all.head());
    listener.taps().onLoading(loaded);
  }

  /** Takes the latest records of topics that are wanted only now; what is to be pushed comes so. */
  void loadMore(List<TopicFilter> filters, ShardLoad.Loaded loaded) {
    latest.put(filters, loaded, last);
    if (!loaded.complete()) {
      latest.forgot();
    }
  }

  /** The owner spoke of this Position. */
  void heard(Position head) {
    epochs.heard(head);
  }

  /**
   * Whether an owner has begun another epoch before all came that was told ahead in a load: the one
   * that told it may have lost it, and it hid what was before.
   *
   * @param spoken a Position that the owner speaks of
   */
  boolean isLoadLost(Position spoken) {
    return isAbsorbing && last.compareTo(loadedUpTo) < 0 && spoken.epoch() != loadedUpTo.epoch();
  }

  /** The owner goes on from here. */
  void goOnFrom(Position position) {
    last = position;
    reached();
    listener.taps().onGoingOn(position);
  }

  /** Takes the next records, each encoded once; succeeds when every Hub has them. */
  Future<Void> add(Push push) {
    listener.taps().onPush(push);
    Batch batch = push.batch();
    Push.Part part = push.part();
    List<Entry> entries = new ArrayList<>(batch.records().size());
    for (int i = 0; i < batch.records().size(); i++) {
      add(batch.position(i), batch.records().get(i), entries);
    }
    if (part != null) {
      part.records().forEach(placed -> add(placed.position(), placed.record(), entries));
      last = part.upTo();
      reached();
    }
    entries.forEach(entry -> entry.stamp(batch.stamp()));
    return entries.isEmpty() ? Future.succeededFuture() : listener.onRecords(entries);
  }

  /**
   * Pages of latest records may hold records newer than the first page's head. Until the pushes
   * have passed these, records only complete the load and are not shown.
   */
  private void add(Position position, Record record, List<Entry> entries) {
    last = position;
    reached();
    if (position.compareTo(newest) <= 0) {
      listener.onKnown(shard, 1);
      return;
    }
    if (isAbsorbing && position.compareTo(loadedUpTo) > 0) {
      endLoad(loadedUpTo);
    }
    newest = position;
    Entry entry = Entry.of(position, record);
    latest.put(entry);
    long before = shown.add(position, record);
    if (before != ShownRecords.NEVER) {
      entry.repeats(before);
      listener.onRepeated();
    } else if (!isAbsorbing) {
      listener.taps().onRecord(shard, record);
    }
    if (isAbsorbing) {
      listener.onKnown(shard, 1);
    } else {
      entries.add(entry);
    }
  }

  /** What was loaded anew does not go on from what the ring has. */
  private void reached() {
    if (isAbsorbing) {
      epochs.heard(last);
    } else {
      epochs.reached(last);
    }
  }

  /** Ends a load that the pushes have passed; returns whether none is under way. */
  boolean settle() {
    if (isAbsorbing && last.compareTo(loadedUpTo) >= 0) {
      endLoad(last);
    }
    return !isAbsorbing;
  }

  private void endLoad(Position upTo) {
    isAbsorbing = false;
    epochs.restart(upTo);
    epochs.reached(last);
    if (isLoaded) {
      listener.onGap(shard, upTo);
    } else {
      listener.onLoaded(shard, upTo);
      isLoaded = true;
    }
  }
}
