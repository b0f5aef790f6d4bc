package io.galop.persist.redis;

import io.galop.config.persist.RedisConfig;
import io.galop.persist.log.file.LogPosition;
import io.galop.persist.store.Backup;
import io.galop.persist.store.ColdPage;
import io.galop.persist.store.ColdQuery;
import io.galop.persist.store.StoreBatch;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.function.LongUnaryOperator;

/**
 * Every record of a while in a Redis server. The server keeps nothing on disk: what makes it whole
 * again is the {@link RedisMark} of the Log.
 */
final class RedisStore implements Backup {
  private final RedisLink link;
  private final RedisWrites writes;
  private final RedisTrim trim;
  private final RedisReads reads;
  private final RedisRange range;
  private final RedisMark mark;
  private volatile long log;

  RedisStore(RedisLink link, RedisConfig config, int shards) {
    RedisKeys keys = new RedisKeys(config.prefix());
    this.link = link;
    this.writes = new RedisWrites(keys);
    this.trim = new RedisTrim(link, writes, config, shards);
    this.reads = new RedisReads(link, keys, config.name(), shards);
    this.range = new RedisRange(link, keys);
    this.mark = new RedisMark(link, writes, shards);
  }

  @Override
  public Future<Optional<LogPosition>> open(long log) {
    this.log = log;
    return link.reset().compose(v -> mark.open(log));
  }

  @Override
  public Future<Integer> write(StoreBatch parcel) {
    String expected = mark.run();
    return link.write(writes.of(parcel, System.currentTimeMillis()))
        .compose(replies -> RedisMark.check(replies, expected))
        .map(RedisWrites::added);
  }

  @Override
  public Future<Void> saveCursor(long log, LogPosition upTo) {
    return mark.check(log)
        .compose(same -> link.write(List.of(writes.cursor(log, upTo))))
        .mapEmpty();
  }

  @Override
  public Future<Boolean> trim(LongUnaryOperator clock) {
    return mark.check(log).compose(same -> trim.run(clock));
  }

  @Override
  public Optional<String> warning() {
    return trim.warning();
  }

  @Override
  public Future<ColdPage> query(ColdQuery query) {
    return reads.query(query);
  }

  @Override
  public Future<List<Placed>> range(int shard, Position since, long maxBytes) {
    return range.range(shard, since, maxBytes);
  }

  @Override
  public void close() {
    link.close();
  }
}
