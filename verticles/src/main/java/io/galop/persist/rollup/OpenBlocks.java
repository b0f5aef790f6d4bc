package io.galop.persist.rollup;

import io.galop.persist.fold.Cell;
import io.galop.persist.fold.FieldPath;
import io.galop.record.Placed;
import io.galop.record.Record;
import io.galop.record.TopicFilter;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The minutes that are in memory: those that the file does not have yet, and those of late, so that
 * they need not be read for each value. Invariant: a block here has all that the file has of its
 * key and what came since, so whoever reads takes it instead. Values are added by the thread of the
 * store, and read by those of questions.
 */
final class OpenBlocks {
  private static final int MOST_TOPICS = 65_536;

  private final RollupRules rules;
  private final TreeMap<Long, Map<BlockKey, MinuteBlock>> hours = new TreeMap<>();
  private final Set<BlockKey> changed = new HashSet<>();
  private final Map<String, Watched> topics =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Watched> eldest) {
          return size() > MOST_TOPICS;
        }
      };
  private long heapBytes;

  /** Reads a block of the file; null if it has none. */
  interface Source {
    @Nullable MinuteBlock block(BlockKey key) throws Exception;
  }

  /** The fields of a topic, and the blocks that its last record was added to. */
  private static final class Watched {
    final List<String> names;
    final List<FieldPath> paths;
    final BlockKey[] keys;
    final @Nullable MinuteBlock[] last;

    Watched(List<String> fields) {
      names = fields;
      paths = FieldPath.of(fields);
      keys = new BlockKey[fields.size()];
      last = new MinuteBlock[fields.size()];
    }
  }

  OpenBlocks(RollupRules rules) {
    this.rules = rules;
  }

  /** Adds the values of a record; what was not in memory comes from the file. */
  synchronized void add(Placed placed, Source file) throws Exception {
    Record record = placed.record();
    Watched topic = topics.computeIfAbsent(record.topic(), name -> new Watched(rules.fields(name)));
    for (int i = 0; i < topic.paths.size(); i++) {
      double value = topic.paths.get(i).number(record.data());
      if (!Double.isNaN(value)) {
        MinuteBlock block = block(topic, i, placed, file);
        heapBytes += block.add(BlockKey.minute(record.timeUs()), value, record.timeUs());
      }
    }
  }

  private MinuteBlock block(Watched topic, int field, Placed placed, Source file) throws Exception {
    Record record = placed.record();
    long hour = BlockKey.hour(record.timeUs());
    long epoch = placed.position().epoch();
    BlockKey key = topic.keys[field];
    MinuteBlock block = topic.last[field];
    if (block == null || key.hour() != hour || key.epoch() != epoch) {
      key = new BlockKey(hour, topic.names.get(field), record.topic(), epoch);
      block = open(key, file);
      topic.keys[field] = key;
      topic.last[field] = block;
    }
    if (block.change()) { // once until it is written, and not for each value
      changed.add(key);
    }
    return block;
  }

  private MinuteBlock open(BlockKey key, Source file) throws Exception {
    Map<BlockKey, MinuteBlock> blocks = hours.computeIfAbsent(key.hour(), hour -> new HashMap<>());
    MinuteBlock known = blocks.get(key);
    if (known != null) {
      return known;
    }
    MinuteBlock stored = file.block(key);
    MinuteBlock block = stored == null ? new MinuteBlock() : stored;
    blocks.put(key, block);
    heapBytes += block.heapBytes();
    return block;
  }

  /** About what they take of the heap. */
  synchronized long heapBytes() {
    return heapBytes;
  }

  /** Each block that the file lacks or has as it was before, as bytes. */
  synchronized Map<BlockKey, byte[]> changes() {
    Map<BlockKey, byte[]> changes = new HashMap<>();
    for (BlockKey key : changed) {
      MinuteBlock block = hours.getOrDefault(key.hour(), Map.of()).get(key);
      if (block != null) {
        changes.put(key, block.toBytes());
      }
    }
    return changes;
  }

  /** The file has everything. Lets go of all if they take more than so much. */
  synchronized void onWritten(long mostHeapBytes) {
    for (BlockKey key : changed) {
      MinuteBlock block = hours.getOrDefault(key.hour(), Map.of()).get(key);
      if (block != null) {
        block.written();
      }
    }
    changed.clear();
    if (heapBytes > mostHeapBytes) {
      clear();
    }
  }

  /** Forgets what the file does not have. */
  synchronized void clear() {
    changed.clear();
    hours.clear();
    topics.clear();
    heapBytes = 0;
  }

  /** The minutes of an hour and a field of topics that a filter means, copied. */
  synchronized Map<BlockKey, @Nullable Cell[]> of(long hour, String field, TopicFilter filter) {
    Map<BlockKey, @Nullable Cell[]> found = new HashMap<>();
    hours
        .getOrDefault(hour, Map.of())
        .forEach(
            (key, block) -> {
              if (key.field().equals(field) && filter.matches(key.topic())) {
                found.put(key, block.copy());
              }
            });
    return found;
  }

  /** How many blocks of an hour there are of topics that a filter means, of whatever field. */
  synchronized long count(long hour, TopicFilter filter) {
    return hours.getOrDefault(hour, Map.of()).keySet().stream()
        .filter(key -> filter.matches(key.topic()))
        .count();
  }

  /** The first hour from one on of which there are blocks, in the order of time or against it. */
  synchronized OptionalLong hour(long from, boolean newestFirst) {
    Long found = newestFirst ? hours.floorKey(from) : hours.ceilingKey(from);
    return found == null ? OptionalLong.empty() : OptionalLong.of(found);
  }
}
