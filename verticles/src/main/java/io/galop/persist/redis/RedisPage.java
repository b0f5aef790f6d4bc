package io.galop.persist.redis;

import io.galop.persist.store.ColdKey;
import io.galop.persist.store.ColdPage;
import io.galop.persist.store.ColdQuery;
import io.galop.record.Placed;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * One page of an answer: the next entries of the time index of each shard, then their records. The
 * index orders by time, then by the bytes of the name, as answers are.
 */
final class RedisPage {
  private static final int MOST_OF_ALL = 4_096;
  private static final int LEAST_OF_A_SHARD = 64;
  private final RedisLink link;
  private final RedisKeys keys;
  private final ColdQuery query;
  private final List<Integer> shards;
  private final Comparator<ColdKey> order;
  private final int each;

  /** What the index of a shard says next; {@code isAll} if there is no more. */
  private record Entries(int shard, List<ColdKey> keys, boolean isAll) {}

  RedisPage(RedisLink link, RedisKeys keys, ColdQuery query, List<Integer> shards) {
    this.link = link;
    this.keys = keys;
    this.query = query;
    this.shards = shards;
    Comparator<ColdKey> up = Comparator.naturalOrder();
    this.order = query.newestFirst() ? up.reversed() : up;
    this.each = Math.max(LEAST_OF_A_SHARD, Math.min(query.limit(), MOST_OF_ALL / shards.size()));
  }

  Future<ColdPage> read() {
    List<RedisCommand> ranges = shards.stream().map(shard -> range(shard, 0)).toList();
    return link.read(ranges)
        .compose(
            replies -> {
              List<Future<Entries>> all = new ArrayList<>();
              for (int i = 0; i < shards.size(); i++) {
                all.add(entries(shards.get(i), 0, replies.get(i)));
              }
              return Future.join(all).map(v -> all.stream().map(Future::result).toList());
            })
        .compose(this::records);
  }

  private RedisCommand range(int shard, long skip) {
    boolean down = query.newestFirst();
    long from = query.fromUs();
    long to = query.toUs();
    if (query.after().isPresent()) {
      long afterUs = query.after().get().timeUs();
      from = down ? from : Math.max(from, afterUs);
      to = down ? Math.min(to, afterUs) : to;
    }
    return new RedisCommand(down ? "ZREVRANGEBYSCORE" : "ZRANGEBYSCORE", keys.time(shard))
        .arg(down ? to : from)
        .arg(down ? from : to)
        .arg("WITHSCORES")
        .arg("LIMIT")
        .arg(skip)
        .arg(each);
  }

  /** Entries of the very time where the page before ended may all have been in it. */
  private Future<Entries> entries(int shard, long skip, RedisReply reply) {
    List<RedisReply> idsAndTimes = reply.list();
    List<ColdKey> found = new ArrayList<>();
    for (int i = 0; i + 1 < idsAndTimes.size(); i += 2) {
      long timeUs = (long) Double.parseDouble(idsAndTimes.get(i + 1).text().orElseThrow());
      ColdKey key = RedisMember.key(timeUs, idsAndTimes.get(i).bytes().orElseThrow());
      if (query.after().isEmpty() || order.compare(key, query.after().get()) > 0) {
        found.add(key);
      }
    }
    boolean isAll = idsAndTimes.size() < 2 * each;
    if (found.isEmpty() && !isAll) {
      long next = skip + each;
      return link.read(List.of(range(shard, next)))
          .compose(more -> entries(shard, next, more.get(0)));
    }
    return Future.succeededFuture(new Entries(shard, found, isAll));
  }

  private Future<ColdPage> records(List<Entries> all) {
    Optional<ColdKey> end =
        all.stream()
            .filter(entries -> !entries.isAll())
            .map(entries -> entries.keys().get(entries.keys().size() - 1))
            .min(order);
    List<RedisCommand> gets = new ArrayList<>();
    List<List<byte[]>> asked = new ArrayList<>();
    for (Entries entries : all) {
      List<byte[]> ids =
          entries.keys().stream()
              .filter(key -> end.isEmpty() || order.compare(key, end.get()) <= 0)
              .map(key -> RedisMember.of(key.id(), key.topic()))
              .toList();
      if (!ids.isEmpty()) {
        gets.add(new RedisCommand("HMGET", keys.records(entries.shard())).args(ids));
        asked.add(ids);
      }
    }
    if (gets.isEmpty()) {
      return Future.succeededFuture(new ColdPage(List.of(), end));
    }
    return link.read(gets).map(replies -> page(asked, replies, end));
  }

  private ColdPage page(List<List<byte[]>> asked, List<RedisReply> replies, Optional<ColdKey> end) {
    List<Placed> found = new ArrayList<>();
    for (int i = 0; i < asked.size(); i++) {
      for (Placed placed : RedisValue.readAll(asked.get(i), replies.get(i).list())) {
        if (query.filter().matches(placed.record().topic())) {
          found.add(placed);
        }
      }
    }
    found.sort(Comparator.comparing(placed -> ColdKey.of(placed.record()), order));
    List<Placed> page = new ArrayList<>();
    long bytes = 0;
    for (Placed placed : found) {
      if (page.size() == query.limit() || bytes >= query.maxBytes()) {
        return new ColdPage(page, Optional.of(ColdKey.of(page.get(page.size() - 1).record())));
      }
      page.add(placed);
      bytes += placed.record().data().length;
    }
    return new ColdPage(page, end);
  }
}
