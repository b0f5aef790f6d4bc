package io.galop.persist.ram;

import io.galop.record.Batch;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.galop.record.Record;
import io.galop.record.RecordCodec;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The newest record of each topic of a shard. Beyond its bound the topic that has not changed for
 * longest is forgotten. Belongs to the shard's event loop.
 */
public final class LatestTopics {
  /** What Java adds to keep a record, its texts and its place, about. */
  private static final int OBJECTS_BYTES = 256;

  private final Map<String, Entry> byTopic = new HashMap<>();
  private final List<Entry> slots = new ArrayList<>();
  private final ArrayDeque<Integer> freeSlots = new ArrayDeque<>();

  /** Before the oldest and behind the newest; of no topic. */
  private final Entry order = new Entry(-1, new Record("", "", 0, new byte[0]));

  private final int shard;
  private final int maxTopics;
  private final long maxBytes;
  private long bytes;
  private long evictions;
  private boolean hasForgotten;

  /** A topic's record, its slot for readers that page, and its neighbours by time of change. */
  private static final class Entry {
    private final int slot;
    private Record record;
    private long epoch;
    private long offset;
    private Entry older = this;
    private Entry newer = this;

    private Entry(int slot, Record record) {
      this.slot = slot;
      this.record = record;
    }
  }

  /**
   * Some of the topics.
   *
   * @param next where to go on; -1 if these were the last
   */
  public record Some(List<Placed> records, int next) {}

  /** Knows no topic. */
  public LatestTopics(int shard, int maxTopics, long maxBytes) {
    this.shard = shard;
    this.maxTopics = maxTopics;
    this.maxBytes = maxBytes;
  }

  /** Takes placed records, which are newer than all before. */
  public void put(Batch placed) {
    List<Record> records = placed.records();
    for (int i = 0; i < records.size(); i++) {
      Record record = records.get(i);
      Entry entry = byTopic.get(record.topic());
      if (entry == null) {
        entry = add(record);
      } else {
        unlink(entry);
        bytes -= cost(entry.record);
      }
      entry.record = record;
      bytes += cost(record);
      entry.epoch = placed.epoch();
      entry.offset = placed.firstOffset() + i;
      linkNewest(entry);
      while (bytes > maxBytes && byTopic.size() > 1) {
        evict(order.newer);
      }
    }
  }

  private static int cost(Record record) {
    return OBJECTS_BYTES + RecordCodec.approximateBytes(record);
  }

  /** Takes a record that was placed beside those that are here, if it is the newer of its topic. */
  public void merge(Placed placed) {
    Position position = placed.position();
    Entry entry = byTopic.get(placed.record().topic());
    if (entry == null || position.compareTo(new Position(shard, entry.epoch, entry.offset)) > 0) {
      put(new Batch(shard, position.epoch(), position.offset(), List.of(placed.record())));
    }
  }

  private Entry add(Record record) {
    if (byTopic.size() == maxTopics) {
      evict(order.newer);
    }
    Integer free = freeSlots.poll();
    Entry entry = new Entry(free == null ? slots.size() : free, record);
    if (free == null) {
      slots.add(entry);
    } else {
      slots.set(free, entry);
    }
    byTopic.put(record.topic(), entry);
    return entry;
  }

  private void evict(Entry entry) {
    unlink(entry);
    bytes -= cost(entry.record);
    byTopic.remove(entry.record.topic());
    slots.set(entry.slot, null);
    freeSlots.add(entry.slot);
    hasForgotten = true;
    evictions++;
  }

  private static void unlink(Entry entry) {
    entry.older.newer = entry.newer;
    entry.newer.older = entry.older;
  }

  private void linkNewest(Entry entry) {
    entry.older = order.older;
    entry.newer = order;
    order.older.newer = entry;
    order.older = entry;
  }

  /**
   * The latest records, in no order of meaning. A reader that pages sees each topic that was there
   * at its first page and was not forgotten since, as of its page.
   *
   * @param from 0 to begin, else {@link Some#next}
   * @param maxBytes about how much, but at least one record
   */
  public Some some(int from, int maxBytes) {
    List<Placed> found = new ArrayList<>();
    long bytes = 0;
    int slot = from;
    while (slot < slots.size() && bytes < maxBytes) {
      Entry entry = slots.get(slot++);
      if (entry != null) {
        bytes += RecordCodec.approximateBytes(entry.record);
        found.add(placed(entry));
      }
    }
    return new Some(found, slot < slots.size() ? slot : -1);
  }

  /** The latest record of a topic, if it is here. */
  public Optional<Placed> get(String topic) {
    return Optional.ofNullable(byTopic.get(topic)).map(this::placed);
  }

  private Placed placed(Entry entry) {
    return new Placed(new Position(shard, entry.epoch, entry.offset), entry.record);
  }

  /** There are topics that are not here. */
  public void forgot() {
    hasForgotten = true;
  }

  /** Whether topics of the known past may be missing. */
  public boolean hasForgotten() {
    return hasForgotten;
  }

  /** How many topics are remembered. */
  public int size() {
    return byTopic.size();
  }

  /** About how many bytes of memory the records take. */
  public long bytes() {
    return bytes;
  }

  /** How many topics were forgotten because of the bound. */
  public long evictions() {
    return evictions;
  }
}
