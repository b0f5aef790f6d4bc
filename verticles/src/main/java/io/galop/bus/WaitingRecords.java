package io.galop.bus;

import io.galop.record.Record;
import io.galop.record.RecordCodec;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * What a {@link ShardStream} has no room for yet, in order. Records that wait are joined, so that
 * Batches grow with the load. Its senders bound it: they know what they have sent and not been
 * answered.
 */
final class WaitingRecords {
  private final int maxRecords;
  private final long maxBytes;
  private final Deque<Part> parts = new ArrayDeque<>();

  /** What was sent at once, and who is told what became of it. */
  record Part(List<Record> records, long bytes, Promise<Void> taken) {}

  /**
   * @param maxRecords of a Batch that is joined; what was sent at once is never divided
   * @param maxBytes of such a Batch
   */
  WaitingRecords(int maxRecords, long maxBytes) {
    this.maxRecords = maxRecords;
    this.maxBytes = maxBytes;
  }

  Future<Void> add(List<Record> records) {
    long bytes = 0;
    for (Record record : records) {
      bytes += RecordCodec.approximateBytes(record);
    }
    Part part = new Part(List.copyOf(records), bytes, Promise.promise());
    parts.addLast(part);
    return part.taken().future();
  }

  boolean isEmpty() {
    return parts.isEmpty();
  }

  /** The parts of the next Batch: at least one, if there is one. */
  List<Part> next() {
    List<Part> next = new ArrayList<>();
    int records = 0;
    long bytes = 0;
    while (!parts.isEmpty()) {
      Part part = parts.peekFirst();
      records += part.records().size();
      bytes += part.bytes();
      if (!next.isEmpty() && (records > maxRecords || bytes > maxBytes)) {
        break;
      }
      next.add(parts.removeFirst());
    }
    return next;
  }

  /** All that waits; afterwards nothing does. */
  List<Part> removeAll() {
    List<Part> all = List.copyOf(parts);
    parts.clear();
    return all;
  }

  static List<Record> join(List<Part> parts) {
    if (parts.size() == 1) {
      return parts.get(0).records();
    }
    List<Record> records = new ArrayList<>();
    parts.forEach(part -> records.addAll(part.records()));
    return records;
  }
}
