package io.galop.persist.redis;

import io.galop.persist.store.ColdKey;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.galop.record.RecordCodec;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Reads the newest records of a shard back, for its next owner. */
final class RedisRange {
  private static final int CHUNK = 1_000;
  private final RedisLink link;
  private final RedisKeys keys;

  RedisRange(RedisLink link, RedisKeys keys) {
    this.link = link;
    this.keys = keys;
  }

  /** From the newest backwards, a chunk at a time. */
  Future<List<Placed>> range(int shard, Position since, long maxBytes) {
    return range(shard, since, maxBytes, 0, new ArrayList<>());
  }

  private Future<List<Placed>> range(
      int shard, Position since, long leftBytes, int from, List<Placed> found) {
    RedisCommand newest =
        new RedisCommand("ZREVRANGE", keys.stored(shard)).arg(from).arg(from + CHUNK - 1);
    return link.read(List.of(newest))
        .compose(replies -> records(shard, replies.get(0).all()))
        .compose(
            chunk -> {
              long left = leftBytes;
              int used = 0;
              for (Placed placed : chunk.records()) {
                if (left > 0 && placed.position().compareTo(since) > 0) {
                  found.add(placed);
                  left -= RecordCodec.approximateBytes(placed.record());
                  used++;
                }
              }
              boolean isLast = chunk.asked() < CHUNK || left <= 0 || used == 0;
              return isLast
                  ? Future.succeededFuture(inOrder(found))
                  : range(shard, since, left, from + CHUNK, found);
            });
  }

  /** What was asked for may be more than there is, as it may be trimmed meanwhile. */
  private record Chunk(int asked, List<Placed> records) {}

  private Future<Chunk> records(int shard, List<byte[]> ids) {
    if (ids.isEmpty()) {
      return Future.succeededFuture(new Chunk(0, List.of()));
    }
    RedisCommand get = new RedisCommand("HMGET", keys.records(shard)).args(ids);
    return link.read(List.of(get))
        .map(replies -> new Chunk(ids.size(), RedisValue.readAll(ids, replies.get(0).list())));
  }

  private static List<Placed> inOrder(List<Placed> found) {
    found.sort(Comparator.comparing(Placed::position));
    List<Placed> once = new ArrayList<>(found.size());
    Set<ColdKey> ids = new HashSet<>();
    for (Placed placed : found) {
      if (ids.add(new ColdKey(0, placed.record().id(), placed.record().topic()))) {
        once.add(placed);
      }
    }
    return once;
  }
}
