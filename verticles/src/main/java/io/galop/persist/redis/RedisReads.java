package io.galop.persist.redis;

import io.galop.bus.Refusal;
import io.galop.bus.Refusal.Why;
import io.galop.persist.store.ColdKey;
import io.galop.persist.store.ColdPage;
import io.galop.persist.store.ColdQuery;
import io.galop.persist.store.ContextHop;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.galop.record.RecordCodec;
import io.galop.record.Topic;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** Reads records back, for questions about the past and for the next owner of a shard. */
final class RedisReads {
  private static final int CHUNK = 1_000;
  private static final int MOST_QUERIES = 64;
  private final RedisLink link;
  private final RedisKeys keys;
  private final String name;
  private final int shards;
  private final AtomicInteger running = new AtomicInteger();

  RedisReads(RedisLink link, RedisKeys keys, String name, int shards) {
    this.link = link;
    this.keys = keys;
    this.name = name;
    this.shards = shards;
  }

  Future<ColdPage> query(ColdQuery query) {
    if (running.incrementAndGet() > MOST_QUERIES) {
      running.decrementAndGet();
      return Future.failedFuture(new Refusal(Why.BUSY, "too many queries wait for " + name));
    }
    return ContextHop.bring(
        new RedisPage(link, keys, query, shardsOf(query))
            .read()
            .recover(failure -> Future.failedFuture(refusal(failure)))
            .onComplete(done -> running.decrementAndGet()));
  }

  private Refusal refusal(Throwable failure) {
    return new Refusal(
        Why.NOT_READY, "the store " + name + " cannot be read: " + failure.getMessage());
  }

  private List<Integer> shardsOf(ColdQuery query) {
    return query.filter().isExact()
        ? List.of(Topic.shard(query.filter().toString(), shards))
        : IntStream.range(0, shards).boxed().toList();
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
        .map(replies -> new Chunk(ids.size(), placed(ids, replies.get(0).list())));
  }

  static List<Placed> placed(List<byte[]> ids, List<RedisReply> values) {
    List<Placed> records = new ArrayList<>(ids.size());
    for (int i = 0; i < ids.size(); i++) {
      String id = RedisMember.id(ids.get(i));
      values.get(i).bytes().map(value -> RedisValue.read(id, value)).ifPresent(records::add);
    }
    return records;
  }

  private static List<Placed> inOrder(List<Placed> found) {
    found.sort(Comparator.comparing(Placed::position));
    List<Placed> once = new ArrayList<>(found.size());
    java.util.Set<ColdKey> ids = new java.util.HashSet<>();
    for (Placed placed : found) {
      if (ids.add(new ColdKey(0, placed.record().id(), placed.record().topic()))) {
        once.add(placed);
      }
    }
    return once;
  }

  static ColdKey key(Placed placed) {
    return ColdKey.of(placed.record());
  }
}
