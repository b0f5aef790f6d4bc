package io.galop.persist.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;

/**
 * What is asked of the server, prepared once for a session.
 *
 * @param insert topic, bucket, time_us, id, time, data, shard, epoch, offset, stored_us, TTL
 * @param addTopic bucket, topic, TTL
 * @param addBucket bucket, TTL
 * @param buckets from, to: the newest first
 * @param topics bucket, the first topic: in their order
 * @param up topic, bucket, from: time and id, to: time; rows at most
 * @param down topic, bucket, from: time, to: time; rows at most
 * @param downFrom topic, bucket, from: time, to: time and id; rows at most
 * @param storedAt topic, bucket, time_us, id
 * @param hasTopic bucket, topic
 * @param some any rows
 */
record CassandraStatements(
    CqlSession session,
    PreparedStatement insert,
    PreparedStatement addTopic,
    PreparedStatement addBucket,
    PreparedStatement buckets,
    PreparedStatement topics,
    PreparedStatement up,
    PreparedStatement down,
    PreparedStatement downFrom,
    PreparedStatement storedAt,
    PreparedStatement hasTopic,
    PreparedStatement some) {

  /** Prepares them; blocks. */
  static CassandraStatements of(CqlSession session, String keyspace) {
    String in = " FROM " + keyspace + '.';
    String into = "INSERT INTO " + keyspace + '.';
    String rows =
        "SELECT id, topic, time_us, data, shard, epoch, \"offset\""
            + in
            + "galop_records WHERE topic = ? AND bucket = ? AND ";
    return new CassandraStatements(
        session,
        session.prepare(
            into
                + "galop_records (topic, bucket, time_us, id, time, data, shard, epoch, \"offset\","
                + " stored_us) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) USING TTL ?"),
        session.prepare(into + "galop_topics (bucket, topic) VALUES (?, ?) USING TTL ?"),
        session.prepare(into + "galop_buckets (one, bucket) VALUES (1, ?) USING TTL ?"),
        session.prepare(
            "SELECT bucket" + in + "galop_buckets WHERE one = 1 AND bucket >= ? AND bucket <= ?"),
        session.prepare("SELECT topic" + in + "galop_topics WHERE bucket = ? AND topic >= ?"),
        session.prepare(
            rows + "(time_us, id) >= (?, ?) AND (time_us) <= (?) ORDER BY time_us, id LIMIT ?"),
        session.prepare(rows + "(time_us) >= (?) AND (time_us) <= (?) LIMIT ?"),
        session.prepare(rows + "(time_us) >= (?) AND (time_us, id) <= (?, ?) LIMIT ?"),
        session.prepare(
            "SELECT stored_us"
                + in
                + "galop_records WHERE topic = ? AND bucket = ? AND time_us = ? AND id = ?"),
        session.prepare("SELECT topic" + in + "galop_topics WHERE bucket = ? AND topic = ?"),
        session.prepare("SELECT stored_us" + in + "galop_records LIMIT 200"));
  }
}
