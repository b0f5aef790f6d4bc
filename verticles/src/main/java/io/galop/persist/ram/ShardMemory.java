package io.galop.persist.ram;

import io.galop.record.Batch;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.galop.record.RecentIds;
import io.galop.record.Record;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * What a node remembers of a shard: the tail of its records, the latest of each topic, the ids and
 * the epochs. Belongs to the shard's event loop, once it is filled.
 */
public final class ShardMemory implements AutoCloseable {
  private static final int CHUNK_BYTES = 1024 * 1024;

  private final ShardTail tail;
  private final LatestTopics latest;
  private RecentIds ids;
  private final EpochTable epochs;
  private Position knownSince;

  /** Remembers nothing. */
  public ShardMemory(
      RamTier tier, int shard, int rememberedIds, int latestTopics, long latestBytes) {
    this.tail = new ShardTail(tier, shard);
    this.latest = new LatestTopics(shard, latestTopics, latestBytes);
    this.ids = new RecentIds(rememberedIds);
    this.epochs = new EpochTable(shard);
    this.knownSince = Position.none(shard);
  }

  /**
   * Milliseconds by which the age of what is in memory is told, of a clock that nobody sets: one
   * that is set an hour ahead must not drop what viewers would resume from.
   */
  public static long nowMs() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
  }

  /**
   * Knows the ids that another memory knows, whose place it takes: what is kept up to a Position
   * may be sent again. What came after it was never kept, and is new when it comes again.
   */
  public void inheritIds(ShardMemory from, Position last) {
    Position at = last;
    for (Batch lost = from.tail.after(at, CHUNK_BYTES); !lost.records().isEmpty(); ) {
      from.forget(lost.records());
      at = lost.position(lost.records().size() - 1);
      lost = from.tail.after(at, CHUNK_BYTES);
    }
    ids = from.ids;
  }

  public ShardTail tail() {
    return tail;
  }

  public LatestTopics latest() {
    return latest;
  }

  public EpochTable epochs() {
    return epochs;
  }

  /**
   * Everything that was placed after this is known of, if only by its last value; before it others
   * may have placed topics that nobody here has heard of. {@link Position#none}: there is nothing
   * before.
   */
  public Position knownSince() {
    return knownSince;
  }

  /** Says from where on everything is known of. */
  public void knownSince(Position since) {
    knownSince = since;
  }

  /** Whether the latest records are those of all topics that the shard ever had. */
  public boolean knowsAllTopics() {
    return knownSince.isNone() && !latest.hasForgotten();
  }

  /**
   * The records whose id is not remembered for their topic, which it then is: the given list if all
   * are new.
   */
  public List<Record> takeNew(List<Record> records) {
    List<Record> fresh = null;
    for (int i = 0; i < records.size(); i++) {
      boolean known = !ids.add(records.get(i));
      if (known && fresh == null) {
        fresh = new ArrayList<>(records.subList(0, i));
      } else if (!known && fresh != null) {
        fresh.add(records.get(i));
      }
    }
    return fresh == null ? records : fresh;
  }

  /** Forgets ids, whose records turned out not to be kept. */
  public void forget(List<Record> records) {
    records.forEach(ids::forget);
  }

  /** Adds records that were placed just now, right after the head. */
  public void append(Batch placed, long nowMs) {
    tail.append(placed, nowMs);
    latest.put(placed);
  }

  /** Adds records that were placed and durable before; a hole before them is noticed. */
  public void restore(Batch placed, long nowMs) {
    Position head = tail.head();
    Position before = new Position(placed.shard(), placed.epoch(), placed.firstOffset() - 1);
    boolean follows = epochs.normalize(head).filter(before::equals).isPresent();
    append(placed, nowMs);
    if (!follows) {
      tail.raiseFloor(before);
    }
    placed.records().forEach(ids::add);
  }

  /** Learns of a record that another owner placed beside what is here, and that it keeps. */
  public void merge(Placed placed) {
    latest.merge(placed);
    ids.add(placed.record());
  }

  /**
   * Begins an epoch.
   *
   * @param before the last durable Position before it; {@link Position#none} if it is not certain
   */
  public void begin(long epoch, Position before) {
    int shard = tail.head().shard();
    boolean follows = epochs.begin(epoch, before);
    tail.begin(epoch);
    if (!follows) {
      tail.raiseFloor(new Position(shard, epoch, 0));
    }
  }

  /**
   * Takes it that everything placed up to a Position has been restored, or is held nowhere any
   * more.
   */
  public void settle(Position last) {
    Position normal = epochs.normalize(last).orElse(last);
    if (epochs.normalize(tail.head()).filter(normal::equals).isEmpty()) {
      tail.raiseFloor(last);
    } else if (tail.head().epoch() < last.epoch()) {
      tail.begin(last.epoch());
    }
  }

  /** Whether everything after a Position is held. */
  public boolean holdsAfter(Position position) {
    return epochs.normalize(position).filter(this::holdsAfterNormal).isPresent();
  }

  private boolean holdsAfterNormal(Position normal) {
    Position floor = tail.floor();
    return normal.compareTo(epochs.normalize(floor).orElse(floor)) >= 0
        && normal.compareTo(tail.head()) <= 0;
  }

  /**
   * The records after a Position, all of one epoch, up to about {@code maxBytes} but at least one;
   * those that were placed but never became durable before their epoch ended are passed over.
   *
   * @param at of which {@link #holdsAfter} is true
   * @return an empty Batch at the head, and where the memory went while it was being read
   */
  public Batch after(Position at, int maxBytes) {
    Batch found = tail.after(epochs.normalize(at).orElse(at), maxBytes);
    long most = epochs.last(found.epoch()) - found.firstOffset() + 1;
    return most >= found.records().size()
        ? found
        : new Batch(
            found.shard(),
            found.epoch(),
            found.firstOffset(),
            found.records().subList(0, (int) Math.max(0, most)));
  }

  /** Where somebody with a Position goes on; one with none begins at the head. */
  public Resume resume(Position since) {
    if (since.isNone()) {
      return new Resume(tail.head(), true);
    }
    Optional<Position> normal = epochs.normalize(since);
    if (normal.filter(this::holdsAfterNormal).isPresent()) {
      return new Resume(normal.get(), true);
    }
    return normal.filter(at -> at.compareTo(tail.head()) > 0).isPresent()
        ? new Resume(tail.head(), false)
        : new Resume(tail.floor(), false);
  }

  /** Lets go of the RAM tier. */
  @Override
  public void close() {
    tail.close();
  }

  /** The last record of each topic; makes a list of all. */
  public List<Placed> lastRecords() {
    return latest().some(0, Integer.MAX_VALUE).records();
  }
}
