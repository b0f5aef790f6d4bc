package io.galop.persist.redis;

import io.galop.record.Placed;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings records of schema version 1, which were named by their ids alone, to {@link RedisMember}.
 * They are not thrown away and filled again: this may be all that is left of a node's Log. Several
 * nodes may do it at once, and it may be interrupted anywhere.
 */
record RedisMigration(RedisLink link, RedisWrites writes, int shards) {
  static final int VERSION = 2;
  private static final Logger LOG = LoggerFactory.getLogger(RedisMigration.class);
  private static final String FIELD = "version";
  private static final int AT_ONCE = 500;

  Future<Void> run() {
    RedisCommand version = new RedisCommand("HGET", writes.keys().schema()).arg(FIELD);
    return link.write(List.of(version))
        .compose(
            replies -> {
              int found = replies.get(0).text().map(Integer::parseInt).orElse(1);
              return found < VERSION ? all() : check(found);
            });
  }

  private static Future<Void> check(int version) {
    return version == VERSION
        ? Future.succeededFuture()
        : Future.failedFuture(
            "the records have schema version %d, this Galop knows %d; start the newer one"
                .formatted(version, VERSION));
  }

  private Future<Void> all() {
    Future<Void> done = Future.succeededFuture();
    for (int shard = 0; shard < shards; shard++) {
      int next = shard;
      done = done.compose(before -> shard(next, "0"));
    }
    RedisCommand version = new RedisCommand("HSET", writes.keys().schema()).arg(FIELD).arg(VERSION);
    return done.compose(before -> link.write(List.of(version))).mapEmpty();
  }

  private Future<Void> shard(int shard, String cursor) {
    RedisCommand scan =
        new RedisCommand("HSCAN", writes.keys().records(shard))
            .arg(cursor)
            .arg("COUNT")
            .arg(AT_ONCE);
    return link.write(List.of(scan))
        .compose(
            replies -> {
              List<RedisReply> page = replies.get(0).list();
              String next = page.get(0).text().orElse("0");
              Future<Void> moved = move(shard, page.get(1).all());
              return next.equals("0") ? moved : moved.compose(done -> shard(shard, next));
            });
  }

  private Future<Void> move(int shard, List<byte[]> namesAndValues) {
    List<byte[]> old = new ArrayList<>();
    List<byte[]> values = new ArrayList<>();
    for (int i = 0; i + 1 < namesAndValues.size(); i += 2) {
      if (!RedisMember.hasTopic(namesAndValues.get(i))) {
        old.add(namesAndValues.get(i));
        values.add(namesAndValues.get(i + 1));
      }
    }
    if (old.isEmpty()) {
      return Future.succeededFuture();
    }
    LOG.info(
        "migrating {} records of shard {} in the backup tier to ids per topic", old.size(), shard);
    RedisCommand scores = new RedisCommand("ZMSCORE", writes.keys().stored(shard)).args(old);
    return link.write(List.of(scores))
        .compose(replies -> link.write(rename(shard, old, values, replies.get(0).list())))
        .mapEmpty();
  }

  private List<RedisCommand> rename(
      int shard, List<byte[]> old, List<byte[]> values, List<RedisReply> storedMs) {
    RedisWrites.Group group = writes.group(shard);
    for (int i = 0; i < old.size(); i++) {
      String id = new String(old.get(i), StandardCharsets.UTF_8);
      Placed placed = RedisValue.read(id, values.get(i));
      byte[] name = RedisMember.of(placed.record());
      group.records().arg(name).arg(values.get(i));
      group.stored().arg(storedMs.get(i).text().orElse("0")).arg(name);
      group.time().arg(placed.record().timeUs()).arg(name);
    }
    List<RedisCommand> commands =
        new ArrayList<>(List.of(group.records(), group.stored(), group.time()));
    commands.addAll(writes.delete(shard, old));
    return commands;
  }
}
