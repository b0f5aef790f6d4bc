package io.galop.persist.redis;

/**
 * The keys of the backup tier.
 *
 * <pre>
 * galop:shard:7:records  hash   id → the record, see {@link RedisValue}
 * galop:shard:7:stored   zset   id by when it was stored, milliseconds since the epoch
 * galop:shard:7:time     zset   id by event time, microseconds since the epoch
 * galop:log:1a2b…        hash   run, segment, offset: how far a node's Log is here
 * </pre>
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

  String log(long log) {
    return prefix + ":log:" + Long.toHexString(log);
  }
}
