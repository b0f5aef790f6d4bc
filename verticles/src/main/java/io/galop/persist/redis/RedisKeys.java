package io.galop.persist.redis;

/**
 * The keys of the backup tier.
 *
 * <pre>
 * galop:shard:7:records  hash   name → the record, see {@link RedisValue}
 * galop:shard:7:stored   zset   name by when it was stored, milliseconds since the epoch
 * galop:shard:7:time     zset   name by event time, microseconds since the epoch
 * galop:log:1a2b…        hash   run, segment, offset: how far a node's Log is here
 * galop:schema           hash   version: of all this
 * </pre>
 *
 * A name is that of {@link RedisMember}.
 */
record RedisKeys(String prefix) {
  String records(int shard) {
    return prefix + ":shard:" + shard + ":records";
  }

  String stored(int shard) {
    return prefix + ":shard:" + shard + ":stored";
  }

  String time(int shard) {
    return prefix + ":shard:" + shard + ":time";
  }

  String schema() {
    return prefix + ":schema";
  }

  String log(long log) {
    return prefix + ":log:" + Long.toHexString(log);
  }
}
