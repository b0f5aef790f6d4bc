package io.galop.enrich;

import io.galop.bus.ShardLane;
import io.galop.bus.ShardStream;
import io.galop.record.Record;
import io.galop.record.RecordCodec;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The way from one shard here to one at the next stage. What gathers while the way has no room goes
 * as the next Batch. What waits here is part of what the shard has pending, which bounds it: until
 * it has ended, whatever became of the rest of its Work.
 */
final class Outlet {
  private static final long MAX_BATCH_BYTES = 512 * 1024;

  private final ShardStream stream;
  private final Deque<Part> waiting = new ArrayDeque<>();

  private record Part(List<Record> records, long bytes, Promise<Void> stored) {}

  Outlet(int shard, ShardLane lane) {
    this.stream = lane.open(shard, this::sendWaiting);
  }

  /** Hands records on behind all that were given before. */
  Future<Void> send(List<Record> records) {
    long bytes = 0;
    for (Record record : records) {
      bytes += RecordCodec.approximateBytes(record);
    }
    Part part = new Part(records, bytes, Promise.promise());
    waiting.addLast(part);
    sendWaiting();
    return part.stored().future();
  }

  private void sendWaiting() {
    while (!waiting.isEmpty() && stream.hasRoom()) {
      List<Part> parts = takeParts();
      stream.send(join(parts)).onComplete((taken, failure) -> onAnswer(parts, failure));
    }
  }

  private List<Part> takeParts() {
    List<Part> parts = new ArrayList<>();
    long bytes = 0;
    do {
      Part part = waiting.removeFirst();
      parts.add(part);
      bytes += part.bytes();
    } while (!waiting.isEmpty() && bytes + waiting.peekFirst().bytes() <= MAX_BATCH_BYTES);
    return parts;
  }

  private static List<Record> join(List<Part> parts) {
    if (parts.size() == 1) {
      return parts.get(0).records();
    }
    List<Record> records = new ArrayList<>();
    parts.forEach(part -> records.addAll(part.records()));
    return records;
  }

  private void onAnswer(List<Part> parts, Throwable failure) {
    parts.forEach(part -> part.stored().complete(null, failure));
    if (failure != null) {
      refuseWaiting();
    }
  }

  /** What came later must not be stored before what was refused and may be sent again. */
  private void refuseWaiting() {
    List<Part> behind = List.copyOf(waiting);
    waiting.clear();
    behind.forEach(part -> part.stored().fail(ShardStream.BEHIND));
  }
}
