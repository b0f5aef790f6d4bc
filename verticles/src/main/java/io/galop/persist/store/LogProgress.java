package io.galop.persist.store;

import io.galop.persist.log.file.LogPosition;
import io.galop.record.Position;
import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How far a Log is in a store that takes one batch after the other and cannot tell by itself what
 * it has: from where the Log has to be read again, and which of its records are there although they
 * stand behind that. Invariant: a record is in the store if and only if it was committed together
 * with a progress that {@link #has} it, or lies before the cursor. For one thread.
 */
public final class LogProgress {
  /** Of a shard; records of an older one lie far before the cursor. */
  private static final int KEPT_EPOCHS = 8;

  private Optional<LogPosition> cursor = Optional.empty();

  /** Shard → epoch → offset of the last record in the order of the Log. */
  private final Map<Integer, TreeMap<Long, Long>> produced = new HashMap<>();

  /** From where the Log has to be read again. */
  public Optional<LogPosition> cursor() {
    return cursor;
  }

  /** One that changes apart from this one. */
  public LogProgress copy() {
    LogProgress copy = new LogProgress();
    copy.cursor = cursor;
    produced.forEach((shard, epochs) -> copy.produced.put(shard, new TreeMap<>(epochs)));
    return copy;
  }

  /** Whether the cursor is behind a place in the Log. */
  public boolean isBeyond(LogPosition upTo) {
    return cursor.isPresent() && upTo.compareTo(cursor.get()) < 0;
  }

  /** From here on the Log is read after the next start; never back. */
  public void moveTo(LogPosition upTo) {
    cursor = isBeyond(upTo) ? cursor : Optional.of(upTo);
  }

  /** Whether the record at a Position is in the store. */
  public boolean has(Position position) {
    TreeMap<Long, Long> epochs = produced.get(position.shard());
    Long last = epochs == null ? null : epochs.get(position.epoch());
    return last != null && position.offset() <= last;
  }

  /** The record at a Position is there too, and those of its epoch before it. */
  public void add(Position position) {
    TreeMap<Long, Long> epochs =
        produced.computeIfAbsent(position.shard(), shard -> new TreeMap<>());
    epochs.merge(position.epoch(), position.offset(), Math::max);
    if (epochs.size() > KEPT_EPOCHS) {
      epochs.pollFirstEntry();
    }
  }

  /** As JSON, for {@link #of}. */
  public JsonObject json() {
    JsonObject shards = new JsonObject();
    produced.forEach(
        (shard, epochs) -> {
          JsonObject ends = new JsonObject();
          epochs.forEach((epoch, offset) -> ends.put(Long.toString(epoch), offset));
          shards.put(Integer.toString(shard), ends);
        });
    JsonObject json = new JsonObject().put("produced", shards);
    cursor.ifPresent(at -> json.put("segment", at.segment()).put("offset", at.offset()));
    return json;
  }

  /** Of what {@link #json} gave. */
  public static LogProgress of(JsonObject json) {
    LogProgress progress = new LogProgress();
    if (json.containsKey("segment")) {
      progress.cursor =
          Optional.of(new LogPosition(json.getLong("segment"), json.getLong("offset")));
    }
    JsonObject shards = json.getJsonObject("produced");
    for (String shard : shards.fieldNames()) {
      JsonObject ends = shards.getJsonObject(shard);
      TreeMap<Long, Long> epochs = new TreeMap<>();
      ends.forEach(end -> epochs.put(Long.parseLong(end.getKey()), ends.getLong(end.getKey())));
      progress.produced.put(Integer.parseInt(shard), epochs);
    }
    return progress;
  }
}
