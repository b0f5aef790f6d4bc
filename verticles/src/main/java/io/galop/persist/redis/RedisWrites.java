package io.galop.persist.redis;

import io.galop.persist.log.file.LogPosition;
import io.galop.persist.store.StoreBatch;
import io.galop.record.Placed;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Builds what is sent to store records: three commands a shard, each with all of its records. */
record RedisWrites(RedisKeys keys) {

  /** The commands of a shard. */
  record Group(RedisCommand records, RedisCommand stored, RedisCommand time) {}

  /**
   * The commands for a batch.
   *
   * <p>Replies: of every third, from the first, the number of records that were new; of the last
   * the run of the Log's mark, which is gone if the server was emptied before.
   */
  List<RedisCommand> of(StoreBatch parcel, long nowMs) {
    Map<Integer, Group> groups = new LinkedHashMap<>();
    byte[] now = Long.toString(nowMs).getBytes(StandardCharsets.US_ASCII);
    for (Placed placed : parcel.records()) {
      byte[] name = RedisMember.of(placed.record());
      Group group = groups.computeIfAbsent(placed.position().shard(), this::group);
      group.records().arg(name).arg(RedisValue.of(placed));
      group.stored().arg(now).arg(name);
      group.time().arg(placed.record().timeUs()).arg(name);
    }
    List<RedisCommand> commands = new ArrayList<>(3 * groups.size() + 1);
    for (Group group : groups.values()) {
      commands.addAll(List.of(group.records(), group.stored(), group.time()));
    }
    commands.add(run(parcel.log()));
    return commands;
  }

  /** How many records were new, by the replies to a batch. */
  static int added(List<RedisReply> replies) {
    long added = 0;
    for (int i = 0; i < replies.size() - 1; i += 3) {
      added += replies.get(i).number();
    }
    return (int) added;
  }

  Group group(int shard) {
    return new Group(
        new RedisCommand("HSET", keys.records(shard)),
        new RedisCommand("ZADD", keys.stored(shard)).arg("NX"),
        new RedisCommand("ZADD", keys.time(shard)));
  }

  RedisCommand run(long log) {
    return new RedisCommand("HGET", keys.log(log)).arg("run");
  }

  /** Whatever was left of an earlier mark goes, with its cursor. */
  List<RedisCommand> mark(long log, String run) {
    return List.of(
        new RedisCommand("DEL", keys.log(log)),
        new RedisCommand("HSET", keys.log(log)).arg("run").arg(run));
  }

  RedisCommand cursor(long log, LogPosition upTo) {
    return new RedisCommand("HSET", keys.log(log))
        .arg("segment")
        .arg(upTo.segment())
        .arg("offset")
        .arg(upTo.offset());
  }

  RedisCommand readCursor(long log) {
    return new RedisCommand("HMGET", keys.log(log)).arg("run").arg("segment").arg("offset");
  }

  List<RedisCommand> delete(int shard, List<byte[]> names) {
    return List.of(
        new RedisCommand("HDEL", keys.records(shard)).args(names),
        new RedisCommand("ZREM", keys.time(shard)).args(names),
        new RedisCommand("ZREM", keys.stored(shard)).args(names));
  }
}
