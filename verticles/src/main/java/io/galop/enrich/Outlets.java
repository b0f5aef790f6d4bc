package io.galop.enrich;

import io.galop.bus.ShardLane;
import io.galop.record.Record;
import io.galop.record.Topic;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The ways from one shard here to all shards of the next stage. */
final class Outlets {
  private final Outlet[] outlets;

  Outlets(ShardLane lane, int shards) {
    outlets = new Outlet[shards];
    for (int shard = 0; shard < shards; shard++) {
      outlets[shard] = new Outlet(shard, lane);
    }
  }

  /**
   * Hands records on to the owners of their topics, in order.
   *
   * @return when all are stored; fails as the {@link ShardLane} does, and only when the outcome of
   *     each is known
   */
  Future<Void> send(List<Record> records) {
    if (records.isEmpty()) {
      return Future.succeededFuture();
    }
    Map<Integer, List<Record>> byShard = byShard(records);
    List<Future<Void>> sent = new ArrayList<>(byShard.size());
    byShard.forEach((shard, some) -> sent.add(outlets[shard].send(some)));
    return sent.size() == 1 ? sent.get(0) : Future.join(sent).mapEmpty();
  }

  private Map<Integer, List<Record>> byShard(List<Record> records) {
    Map<Integer, List<Record>> byShard = new LinkedHashMap<>();
    for (Record record : records) {
      int shard = Topic.shard(record.topic(), outlets.length);
      byShard.computeIfAbsent(shard, s -> new ArrayList<>()).add(record);
    }
    return byShard;
  }
}
