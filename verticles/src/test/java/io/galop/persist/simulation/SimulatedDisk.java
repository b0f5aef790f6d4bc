package io.galop.persist.simulation;

import io.galop.persist.log.RecoveredShard;
import io.galop.persist.log.file.EpochEnd;
import io.galop.record.Batch;
import io.galop.record.Position;
import io.galop.record.Record;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The Log of a node as far as it matters here: what was written survives a crash from the last
 * fsync that succeeded, and of what came behind it as much as chance will have. The product's Log
 * has threads and files; LogDamageTest and its like test that it keeps this.
 */
final class SimulatedDisk {
  private final World world;
  private final List<Entry> entries = new ArrayList<>();
  private final List<Promise<Void>> waiting = new ArrayList<>();

  /** The file of storing nodes; written at once. */
  final Set<String> names = new TreeSet<>();

  /** Which Log this is: an empty disk has another. */
  long log = 1;

  /** The file of Logs: name → the one that is known; written at once. */
  private final Map<String, Long> logs = new HashMap<>();

  /** What the others told of last; the process remembers it. */
  private final Map<String, Long> newestLogs = new HashMap<>();

  /** Ids of the records that an fsync has made durable. */
  final Set<String> durableIds = new HashSet<>();

  private Endpoint process;
  private int synced;
  private boolean isSyncing;
  private boolean failsNext;
  private boolean hasFailed;
  private boolean isSlow;

  /** The start of an epoch, or records. */
  private record Entry(long epoch, Position last, Batch records) {}

  SimulatedDisk(World world) {
    this.world = world;
  }

  /** A process starts on it; writing works again. */
  void open(Endpoint by) {
    process = by;
    newestLogs.clear();
    hasFailed = false;
    failsNext = false;
    isSyncing = false;
  }

  void failNext() {
    failsNext = true;
  }

  /** Nothing goes wrong with it any more. */
  void mend() {
    failsNext = false;
    isSlow = false;
  }

  void slow(boolean slow) {
    isSlow = slow;
  }

  boolean hasFailed() {
    return hasFailed;
  }

  /** As {@code StoringLogs}. */
  boolean isReplaced(String name, long other) {
    newestLogs.put(name, other);
    return world.mutant != Mutant.LOGS_NOT_KEPT && logs.getOrDefault(name, other) != other;
  }

  void learn(String name, long other) {
    newestLogs.put(name, other);
    logs.put(name, other);
  }

  /** Which Logs were replaced does not matter to a node that has heard of every epoch. */
  void learnAll() {
    logs.putAll(newestLogs);
  }

  Future<Void> beginEpoch(int shard, long epoch, Position last) {
    return write(new Entry(epoch, last, null));
  }

  Future<Void> append(Batch records) {
    return write(new Entry(records.epoch(), null, records));
  }

  private Future<Void> write(Entry entry) {
    if (hasFailed) {
      return Future.failedFuture("the Log has failed");
    }
    entries.add(entry);
    Promise<Void> done = Promise.promise();
    waiting.add(done);
    sync();
    return world.mutant == Mutant.ANSWER_BEFORE_FSYNC ? Future.succeededFuture() : done.future();
  }

  /** Completes when all that was written is on the disk, or cannot be. */
  Future<Void> settled() {
    return waiting.isEmpty()
        ? Future.succeededFuture()
        : waiting.get(waiting.size() - 1).future().otherwiseEmpty();
  }

  private void sync() {
    if (isSyncing || waiting.isEmpty()) {
      return;
    }
    isSyncing = true;
    Endpoint by = process;
    int upTo = entries.size();
    List<Promise<Void>> covered = List.copyOf(waiting);
    long ms = 1 + world.random.nextInt(isSlow ? 2_000 : 8);
    world.clock.after(
        ms,
        () -> {
          if (by == process && by.isUp()) { // else it went down in the middle
            synced(upTo, covered);
          }
        });
  }

  private void synced(int upTo, List<Promise<Void>> covered) {
    isSyncing = false;
    if (failsNext && world.mutant == Mutant.FSYNC_FAILURE_IGNORED) {
      failsNext = false;
      entries.subList(synced, upTo).clear(); // the pages are marked clean, and never written
      waiting.removeAll(covered);
      process.enter(() -> covered.forEach(Promise::tryComplete));
    } else if (failsNext) {
      failsNext = false;
      hasFailed = true;
      List<Promise<Void>> all = List.copyOf(waiting);
      waiting.clear();
      process.enter(() -> all.forEach(one -> one.tryFail("fsync failed")));
    } else {
      keep(upTo);
      waiting.removeAll(covered);
      process.enter(() -> covered.forEach(Promise::tryComplete));
      sync();
    }
  }

  private void keep(int upTo) {
    for (Entry entry : entries.subList(synced, upTo)) {
      if (entry.records() != null) {
        entry.records().records().forEach(record -> durableIds.add(record.id()));
      }
    }
    synced = upTo;
  }

  /** The process ends without a word: what was not synced is there in part, or torn, or not. */
  void crash() {
    int kept = synced + world.random.nextInt(entries.size() - synced + 1);
    entries.subList(kept, entries.size()).clear();
    if (hasFailed) {
      entries.subList(synced, kept).stream()
          .filter(entry -> entry.records() != null)
          .forEach(entry -> world.oracle.onReturned(ids(entry.records().records())));
    }
    keep(kept);
    waiting.clear();
  }

  /** The disk is empty; a new one. */
  void lose() {
    world.oracle.onDiskLost(durableIds);
    entries.clear();
    names.clear();
    logs.clear();
    log++;
    durableIds.clear();
    synced = 0;
    waiting.clear();
  }

  /** As the product's Log recovers: the newest epochs and how far each became durable. */
  RecoveredShard recovered() {
    TreeMap<Long, Long> ends = new TreeMap<>();
    for (Entry entry : entries) {
      if (entry.records() == null) {
        if (!entry.last().isNone()) {
          ends.merge(entry.last().epoch(), entry.last().offset(), Math::max);
        }
        ends.merge(entry.epoch(), 0L, Math::max);
      } else {
        Batch batch = entry.records();
        ends.merge(batch.epoch(), batch.firstOffset() + batch.records().size() - 1, Math::max);
      }
    }
    List<EpochEnd> newestFirst = new ArrayList<>();
    for (Map.Entry<Long, Long> end : ends.descendingMap().entrySet()) {
      newestFirst.add(new EpochEnd(end.getKey(), end.getValue()));
    }
    return new RecoveredShard(0, newestFirst);
  }

  /** All Batches, oldest first. */
  List<Batch> batches() {
    List<Batch> all = new ArrayList<>();
    for (Entry entry : entries) {
      if (entry.records() != null) {
        all.add(entry.records());
      }
    }
    return all;
  }

  static List<String> ids(List<Record> records) {
    return records.stream().map(Record::id).toList();
  }
}
