package io.galop.persist.explain;

import io.galop.persist.ram.Slab;
import io.galop.record.DerivedId;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.galop.record.Record;
import io.galop.record.RecordCodec;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/**
 * Finds the records of an id in slabs of the RAM tier, and those that were made of it, in the order
 * of topic and id. There is no index by id: all slabs are walked once. Blocking, on whatever
 * thread.
 */
final class IdSearch {
  /** Topic and id of a record, in the order of answers. */
  record Key(String topic, String id) implements Comparable<Key> {
    private static final Comparator<Key> ORDER =
        Comparator.comparing(Key::topic).thenComparing(Key::id);

    /** Before all others. */
    static final Key FIRST = new Key("", "");

    static Key of(Record record) {
      return new Key(record.topic(), record.id());
    }

    @Override
    public int compareTo(Key other) {
      return ORDER.compare(this, other);
    }
  }

  /**
   * A record in memory.
   *
   * @param writtenMs by {@code ShardMemory.nowMs}, when the last record of its slab was written: it
   *     was placed or read from the Log by then
   * @param times it has so many Positions of its epoch; of earlier epochs are other attempts
   */
  record Found(Placed placed, long writtenMs, int times) {
    private Found after(Found before) {
      Position last = before.placed.position();
      Position now = placed.position();
      boolean isAgain = last.shard() == now.shard() && last.epoch() == now.epoch();
      return new Found(placed, writtenMs, isAgain ? before.times + 1 : 1);
    }
  }

  private final String id;
  private final byte[] idBytes;
  private final String topic;
  private final String origin;
  private final Key after;
  private final int limit;
  private final TreeMap<Key, Found> found = new TreeMap<>();
  private boolean isWhole = true;

  /**
   * @param topic of the record that is meant; empty for any
   * @param after only what comes behind it is wanted
   * @param limit most records
   */
  IdSearch(String id, String topic, Key after, int limit) {
    this.id = id;
    this.idBytes = id.getBytes(StandardCharsets.UTF_8);
    this.topic = topic;
    this.origin = DerivedId.origin(new Record(DerivedId.raw(id), topic, 0, new byte[0]));
    this.after = after;
    this.limit = limit;
  }

  /**
   * Walks the slabs of a shard; retains one at a time.
   *
   * @param endNanos begins with none of them after this
   */
  void walk(int shard, Slab[] slabs, long endNanos) {
    for (Slab slab : slabs) {
      if (System.nanoTime() - endNanos > 0) {
        isWhole = false;
        return;
      }
      if (slab.retain()) {
        try {
          walk(shard, slab);
        } finally {
          slab.release();
        }
      }
    }
  }

  private void walk(int shard, Slab slab) {
    int end = slab.publishedBytes();
    Buffer bytes = slab.bytes();
    long offset = slab.firstOffset();
    for (int at = 0; at < end; at += RecordCodec.length(bytes, at), offset++) {
      if (RecordCodec.beginsWithId(bytes, at, idBytes)) {
        Position position = new Position(shard, slab.epoch(), offset);
        take(new Found(new Placed(position, RecordCodec.read(bytes, at)), slab.writtenMs(), 1));
      }
    }
  }

  /** Of several attempts to place a record the last one counts. */
  private void take(Found one) {
    Key key = Key.of(one.placed().record());
    if (isMeant(one.placed().record()) && key.compareTo(after) > 0) {
      found.merge(key, one, (before, now) -> now.after(before));
      if (found.size() > limit) {
        found.pollLastEntry();
      }
    }
  }

  private boolean isMeant(Record record) {
    return DerivedId.isOf(record.id(), id)
        && (topic.isEmpty()
            || topic.equals(record.topic())
            || DerivedId.origin(record).equals(origin));
  }

  /** Whether all slabs were walked. */
  boolean isWhole() {
    return isWhole;
  }

  /** What was found, in order. */
  List<Found> found() {
    return new ArrayList<>(found.values());
  }
}
