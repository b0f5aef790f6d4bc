package io.galop.persist.redis;

import io.galop.config.persist.RedisConfig;
import io.galop.persist.log.file.LogPosition;
import io.galop.persist.store.Backup;
import io.galop.persist.store.ColdPage;
import io.galop.persist.store.ColdQuery;
import io.galop.persist.store.EmptiedException;
import io.galop.persist.store.StoreBatch;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Every record of a while in a Redis server. The server keeps nothing on disk: what makes it whole
 * again is the mark of the Log, written when it is filled and asked for at the end of every batch.
 * When that is gone the server was emptied, and is filled again from the Log.
 */
final class RedisStore implements Backup {
  private final RedisLink link;
  private final RedisWrites writes;
  private final RedisMigration migration;
  private final RedisTrim trim;
  private final RedisReads reads;
  private volatile long log;
  private volatile String run = "";

  RedisStore(RedisLink link, RedisConfig config, int shards) {
    RedisKeys keys = new RedisKeys(config.prefix());
    this.link = link;
    this.writes = new RedisWrites(keys);
    this.migration = new RedisMigration(link, writes, shards);
    this.trim = new RedisTrim(link, writes, config, shards);
    this.reads = new RedisReads(link, keys, config.name(), shards);
  }

  @Override
  public Future<Optional<LogPosition>> open(long log) {
    this.log = log;
    return link.reset()
        .compose(v -> migration.run())
        .compose(v -> link.write(List.of(writes.readCursor(log))))
        .compose(replies -> onCursor(log, replies.get(0).list()));
  }

  private Future<Optional<LogPosition>> onCursor(long log, List<RedisReply> cursor) {
    Optional<String> known = cursor.get(0).text();
    if (known.isPresent()) {
      run = known.get();
      return Future.succeededFuture(position(cursor));
    }
    run = UUID.randomUUID().toString();
    return link.write(writes.mark(log, run)).map(done -> Optional.empty());
  }

  private static Optional<LogPosition> position(List<RedisReply> cursor) {
    return cursor
        .get(1)
        .text()
        .map(
            segment ->
                new LogPosition(
                    Long.parseLong(segment), Long.parseLong(cursor.get(2).text().orElse("0"))));
  }

  @Override
  public Future<Integer> write(StoreBatch parcel) {
    String expected = run;
    return link.write(writes.of(parcel, System.currentTimeMillis()))
        .compose(replies -> check(replies, expected))
        .map(RedisStore::added);
  }

  private static int added(List<RedisReply> replies) {
    long added = 0;
    for (int i = 0; i < replies.size() - 1; i += 3) {
      added += replies.get(i).number();
    }
    return (int) added;
  }

  private static Future<List<RedisReply>> check(List<RedisReply> replies, String expected) {
    boolean same = replies.get(replies.size() - 1).text().filter(expected::equals).isPresent();
    return same
        ? Future.succeededFuture(replies)
        : Future.failedFuture(new EmptiedException("the server was emptied and is filled again"));
  }

  @Override
  public Future<Void> saveCursor(long log, LogPosition upTo) {
    return link.write(List.of(writes.run(log)))
        .compose(replies -> check(replies, run))
        .compose(same -> link.write(List.of(writes.cursor(log, upTo))))
        .mapEmpty();
  }

  @Override
  public Future<Boolean> trim() {
    return link.write(List.of(writes.run(log)))
        .compose(replies -> check(replies, run))
        .compose(same -> trim.run(System.currentTimeMillis()));
  }

  @Override
  public Future<ColdPage> query(ColdQuery query) {
    return reads.query(query);
  }

  @Override
  public Future<List<Placed>> range(int shard, Position since, long maxBytes) {
    return reads.range(shard, since, maxBytes);
  }

  @Override
  public void close() {
    link.close();
  }
}
