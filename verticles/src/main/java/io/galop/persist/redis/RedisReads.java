package io.galop.persist.redis;

import io.galop.bus.Refusal;
import io.galop.bus.Refusal.Why;
import io.galop.persist.store.ColdPage;
import io.galop.persist.store.ColdQuery;
import io.galop.persist.store.ContextHop;
import io.galop.record.Topic;
import io.vertx.core.Future;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** Reads records back, for questions about the past. */
final class RedisReads {
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
}
