package io.galop.enrich;

import io.galop.bus.ShardLane;
import io.galop.record.Batch;
import io.galop.record.Record;
import io.galop.record.RecordCodec;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The way from one shard here to one at the next stage. One Batch at a time is under way, since two
 * could overtake each other when one has to be sent again; what gathers meanwhile goes as the next
 * Batch. So a Log that takes a millisecond to sync does not slow the way down, it makes the Batches
 * larger. What waits here is part of what the shard has pending, which bounds it.
 */
final class Outlet {
  private static final long MAX_BATCH_BYTES = 512 * 1024;

  private final int shard;
  private final ShardLane lane;
  private final Deque<Part> waiting = new ArrayDeque<>();
  private boolean underWay;

  private record Part(List<Record> records, long bytes, Promise<Void> stored) {}

  Outlet(int shard, ShardLane lane) {
    this.shard = shard;
    this.lane = lane;
  }

  /** Hands records on behind all that were given before. */
  Future<Void> send(List<Record> records) {
    long bytes = 0;
    for (Record record : records) {
      bytes += RecordCodec.approximateBytes(record);
    }
    Part part = new Part(records, bytes, Promise.promise());
    waiting.addLast(part);
    sendNext();
    return part.stored().future();
  }

  private void sendNext() {
    if (underWay || waiting.isEmpty()) {
      return;
    }
    underWay = true;
    List<Part> parts = takeParts();
    lane.send(Batch.unplaced(shard, join(parts)))
        .onComplete((taken, failure) -> onAnswer(parts, failure));
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
    underWay = false;
    sendNext();
    for (Part part : parts) {
      part.stored().complete(null, failure);
    }
  }
}
