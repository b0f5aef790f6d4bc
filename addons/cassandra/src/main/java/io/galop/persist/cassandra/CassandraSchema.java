package io.galop.persist.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import io.galop.config.persist.CassandraConfig;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The keyspace and its tables, and how they come to be.
 *
 * <pre>
 * galop_records   a partition for each topic and bucket, in it by time and id
 * galop_topics    the topics of each bucket: what a filter means
 * galop_buckets   the buckets
 * galop_cursor    how far each Log is here
 * galop_schema    version, and the length of a bucket
 * </pre>
 */
final class CassandraSchema {
  static final int VERSION = 1;
  private static final Duration LONGEST_CHANGE = Duration.ofSeconds(60);

  /** Tables of records that have a TTL: files of a stretch of storing time go as a whole. */
  private static final int WINDOWS_OF_RETENTION = 24;

  private final CqlSession session;
  private final CassandraConfig config;

  CassandraSchema(CqlSession session, CassandraConfig config) {
    this.session = session;
    this.config = config;
  }

  /**
   * Makes what is not there; blocks.
   *
   * @throws IllegalStateException if a newer Galop, or one with other buckets, has made the tables
   */
  void make() {
    if (names("SELECT keyspace_name FROM system_schema.keyspaces").isEmpty()) {
      makeKeyspace();
    }
    Set<String> there = names("SELECT table_name FROM system_schema.tables");
    tables(config.retentionHours())
        .forEach(
            (name, columns) -> {
              if (!there.contains(name)) {
                change("CREATE TABLE IF NOT EXISTS %s.%s %s".formatted(keyspace(), name, columns));
              }
            });
    check();
  }

  private String keyspace() {
    return config.keyspace();
  }

  private Set<String> names(String select) {
    Set<String> names = new HashSet<>();
    session
        .execute(SimpleStatement.newInstance(select + " WHERE keyspace_name = ?", keyspace()))
        .forEach(row -> names.add(row.getString(0)));
    return names;
  }

  private void makeKeyspace() {
    try {
      change(
          ("CREATE KEYSPACE IF NOT EXISTS %s WITH replication ="
                  + " {'class': 'NetworkTopologyStrategy', '%s': %d}")
              .formatted(keyspace(), config.localDatacenter(), config.replicationFactor()));
    } catch (UnauthorizedException e) {
      throw new IllegalStateException(
          ("the keyspace %s does not exist, and the user may not make it; create it, or grant"
                  + " CREATE ON ALL KEYSPACES: %s")
              .formatted(keyspace(), e.getMessage()),
          e);
    }
  }

  private void change(String cql) {
    session.execute(SimpleStatement.newInstance(cql).setTimeout(LONGEST_CHANGE));
  }

  /** By name, in the order in which they are made: the version comes last. */
  static Map<String, String> tables(int retentionHours) {
    Map<String, String> tables = new LinkedHashMap<>();
    tables.put(
        "galop_records",
        """
        (topic text, bucket timestamp, time_us bigint, id text, time timestamp, data text,
          shard int, epoch bigint, "offset" bigint, stored_us bigint,
          PRIMARY KEY ((topic, bucket), time_us, id))
          WITH CLUSTERING ORDER BY (time_us DESC, id DESC)\
        """
            + windows(retentionHours));
    tables.put("galop_topics", "(bucket timestamp, topic text, PRIMARY KEY (bucket, topic))");
    tables.put(
        "galop_buckets",
        "(one int, bucket timestamp, PRIMARY KEY (one, bucket))"
            + " WITH CLUSTERING ORDER BY (bucket DESC)");
    tables.put(
        "galop_cursor",
        "(log text PRIMARY KEY, segment bigint, \"offset\" bigint, opened_us bigint)");
    tables.put("galop_schema", "(one int PRIMARY KEY, version int, bucket_hours int)");
    return tables;
  }

  private static String windows(int retentionHours) {
    return retentionHours == 0
        ? ""
        : (" AND compaction = {'class': 'TimeWindowCompactionStrategy',"
                + " 'compaction_window_unit': 'HOURS', 'compaction_window_size': %d}"
                + " AND default_time_to_live = %d AND gc_grace_seconds = 86400")
            .formatted(
                Math.max(1, retentionHours / WINDOWS_OF_RETENTION),
                TimeUnit.HOURS.toSeconds(retentionHours));
  }

  /** Of several nodes that begin at once one says how long buckets are. */
  private void check() {
    Row found =
        row(
            "SELECT version, bucket_hours FROM %s.galop_schema WHERE one = 1"
                .formatted(keyspace()));
    if (found == null) {
      found =
          row(
              ("INSERT INTO %s.galop_schema (one, version, bucket_hours) VALUES (1, %d, %d)"
                      + " IF NOT EXISTS")
                  .formatted(keyspace(), VERSION, config.bucketHours()));
      if (found == null || found.getBoolean("[applied]")) {
        return;
      }
    }
    check(found.getInt("version"), found.getInt("bucket_hours"));
  }

  private @Nullable Row row(String cql) {
    ResultSet rows = session.execute(SimpleStatement.newInstance(cql).setTimeout(LONGEST_CHANGE));
    return rows.one();
  }

  private void check(int version, int bucketHours) {
    if (version != VERSION) {
      throw new IllegalStateException(
          "the tables have schema version %d, this Galop knows %d; start the newer one"
              .formatted(version, VERSION));
    }
    if (bucketHours != config.bucketHours()) {
      throw new IllegalStateException(
          "bucketHours must stay what it was when the tables were made: %d, not %d"
              .formatted(bucketHours, config.bucketHours()));
    }
  }
}
