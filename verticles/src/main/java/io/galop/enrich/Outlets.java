package io.galop.enrich;

import io.galop.bus.ShardLane;
import io.galop.bus.ShardStream;
import io.galop.enrich.step.EnrichMeters;
import io.galop.node.Node;
import io.galop.record.DoorStamp;
import io.galop.record.Record;
import io.galop.record.Topic;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * The ways from one shard here to all shards of the next stage. What waits for room in them is part
 * of what the shard has pending, which bounds it: until it has ended, whatever became of the rest
 * of its Work.
 */
final class Outlets {
  private static final Sent NOTHING =
      new Sent(0, 0, Future.succeededFuture(), Future.succeededFuture());

  private static final long MAX_BATCH_BYTES = 512 * 1024;

  private final ShardLane lane;
  private final ShardStream[] streams;
  private final UnaryOperator<List<Record>> fitting;

  /** Who is told that records have come through the steps. */
  private final Consumer<DoorStamp> passed;

  Outlets(ShardLane lane, int shards) {
    this(lane, shards, records -> records, stamp -> {});
  }

  private Outlets(
      ShardLane lane, int shards, UnaryOperator<List<Record>> fitting, Consumer<DoorStamp> passed) {
    this.lane = lane;
    this.fitting = fitting;
    this.passed = passed;
    this.streams = new ShardStream[shards];
  }

  /** To owners with this configuration of the Log; what they do not take becomes a dead letter. */
  static Outlets of(Node node, EnrichMeters meters) {
    int largest = node.config().persist().log().largestRecordBytes();
    return new Outlets(
        node.bus().persist(),
        node.bus().cluster().shards(),
        new Oversize(largest, meters)::fitting,
        node.lateness()::enriched);
  }

  /** Most shards' records only ever go on to the same one. */
  private ShardStream stream(int shard) {
    if (streams[shard] == null) {
      streams[shard] = lane.open(shard, Integer.MAX_VALUE, MAX_BATCH_BYTES);
    }
    return streams[shard];
  }

  /**
   * What becomes of records that were handed on.
   *
   * @param records how many were
   * @param letters how many of them are dead letters of records that no owner takes
   * @param stored when all are stored; fails as {@link ShardStream#send} does, as soon as some of
   *     them do: before anything that was sent later
   * @param ended when none of them is under way any more; after a failure owners that do not answer
   *     may still have others of them to take
   */
  record Sent(int records, int letters, Future<Void> stored, Future<Void> ended) {}

  /**
   * Hands records on to the owners of their topics, in order.
   *
   * @param stamp when a door read one of them
   */
  Sent send(List<Record> records, DoorStamp stamp) {
    passed.accept(stamp);
    if (records.isEmpty()) {
      return NOTHING;
    }
    List<Record> fitted = fitting.apply(records);
    Map<Integer, List<Record>> byShard = byShard(fitted);
    List<Future<Void>> sent = new ArrayList<>(byShard.size());
    byShard.forEach((shard, some) -> sent.add(stream(shard).send(some, stamp)));
    Future<Void> stored = sent.size() == 1 ? sent.get(0) : Future.all(sent).mapEmpty();
    return new Sent(
        byShard.values().stream().mapToInt(List::size).sum(),
        replaced(records, fitted),
        stored,
        sent.size() == 1 ? stored : Future.join(sent).mapEmpty());
  }

  private static int replaced(List<Record> records, List<Record> fitted) {
    int replaced = 0;
    for (int i = 0; fitted != records && i < fitted.size(); i++) {
      replaced += fitted.get(i) == records.get(i) ? 0 : 1;
    }
    return replaced;
  }

  private Map<Integer, List<Record>> byShard(List<Record> records) {
    Map<Integer, List<Record>> byShard = new LinkedHashMap<>();
    for (Record record : records) {
      int shard = Topic.shard(record.topic(), streams.length);
      byShard.computeIfAbsent(shard, s -> new ArrayList<>()).add(record);
    }
    return byShard;
  }
}
