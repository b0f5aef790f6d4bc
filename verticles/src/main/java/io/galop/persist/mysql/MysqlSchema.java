package io.galop.persist.mysql;

import io.galop.persist.sql.SqlLink;
import io.galop.persist.sql.TableRows;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The tables, and how they come to be. */
record MysqlSchema(SqlLink link) {
  private static final Logger LOG = LoggerFactory.getLogger(MysqlSchema.class);
  private static final int VERSION = 2;

  /** That compares byte by byte and does not pass over spaces at the end; the names differ. */
  private static final String COLLATION =
      "SELECT collation_name FROM information_schema.collations WHERE collation_name IN"
          + " ('utf8mb4_nopad_bin', 'utf8mb4_0900_bin') LIMIT 1";

  private static final String WITHOUT = "utf8mb4_bin";
  private static final String VERSIONS =
      "CREATE TABLE IF NOT EXISTS galop_schema ("
          + "one TINYINT NOT NULL PRIMARY KEY, version INT NOT NULL) ENGINE=InnoDB";
  private static final String CURSORS =
      """
      CREATE TABLE IF NOT EXISTS galop_cursor (
        log BIGINT NOT NULL PRIMARY KEY,
        segment BIGINT NOT NULL,
        `offset` BIGINT NOT NULL,
        moved_us BIGINT NOT NULL) ENGINE=InnoDB\
      """;

  private static final String THERE =
      "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE()"
          + " AND table_name IN ('galop_records', 'galop_cursor')";

  private static final String LOOSE =
      "SELECT column_name, collation_name FROM information_schema.columns WHERE table_schema ="
          + " DATABASE() AND table_name = 'galop_records' AND column_name IN ('id', 'topic')"
          + " AND collation_name NOT LIKE '%\\_bin' LIMIT 1";

  /** Version 1 had one record for each id; since version 2 each topic has ids of its own. */
  private static final String TO_2 =
      "ALTER TABLE galop_records DROP KEY galop_by_id, DROP KEY galop_by_time,"
          + " ADD UNIQUE KEY galop_by_topic_and_id (topic, id),"
          + " ADD KEY galop_by_time (time_us, id, topic)";

  private static final String OLD_KEY =
      "SELECT 1 FROM information_schema.statistics WHERE table_schema = DATABASE()"
          + " AND table_name = 'galop_records' AND index_name = 'galop_by_id' LIMIT 1";

  /** The row format is named, as keys of that length need it and servers may have another. */
  private static final String RECORDS =
      """
      CREATE TABLE IF NOT EXISTS galop_records (
        seq BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
        id VARCHAR(255) NOT NULL,
        topic VARCHAR(400) NOT NULL,
        time_us BIGINT NOT NULL,
        time_utc DATETIME(6) GENERATED ALWAYS AS
          (TIMESTAMPADD(MICROSECOND, time_us, TIMESTAMP'1970-01-01 00:00:00')) VIRTUAL,
        data MEDIUMTEXT NOT NULL,
        shard INT NOT NULL,
        epoch BIGINT NOT NULL,
        `offset` BIGINT NOT NULL,
        stored_us BIGINT NOT NULL,
        UNIQUE KEY galop_by_topic_and_id (topic, id),
        KEY galop_by_topic (topic, time_us, id),
        KEY galop_by_time (time_us, id, topic))
        ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE \
      """;

  /**
   * Brings the tables up to date. Several nodes may do it at once.
   *
   * @return fails if a newer Galop has made them
   */
  Future<Void> migrate() {
    return link.write(VERSIONS, List.of())
        .compose(v -> link.ask("SELECT version FROM galop_schema WHERE one = 1", List.of()))
        .compose(rows -> rows.isEmpty() ? create() : check((Long) rows.get(0)[0]))
        .compose(done -> link.ask(LOOSE, List.of()))
        .compose(rows -> rows.isEmpty() ? Future.succeededFuture() : tooLoose(rows.get(0)));
  }

  /** Of records that are the same to it, the table would have one, and the others were lost. */
  private static Future<Void> tooLoose(Object[] column) {
    return Future.failedFuture(
        ("the column %s of galop_records has the collation %s, to which different names are the"
                + " same; give id and topic utf8mb4_nopad_bin, in MySQL 8 utf8mb4_0900_bin")
            .formatted(TableRows.text(column[0]), TableRows.text(column[1])));
  }

  private Future<Void> check(long version) {
    if (version < VERSION) {
      return change();
    }
    return version == VERSION
        ? complete()
        : Future.failedFuture(
            "the tables have schema version %d, this Galop knows %d; start the newer one"
                .formatted(version, VERSION));
  }

  /** What somebody has dropped is made again. */
  private Future<Void> complete() {
    return link.ask(THERE, List.of())
        .compose(
            rows -> {
              Set<String> there = new HashSet<>();
              rows.forEach(row -> there.add(TableRows.text(row[0])));
              if (there.size() == 2) {
                return Future.succeededFuture();
              }
              LOG.warn("a table of Galop has gone from the database; it is made again");
              return there.contains("galop_records") ? create() : startOver();
            });
  }

  /** Cursors say how far a table is filled that is no more. */
  private Future<Void> startOver() {
    return all(List.of(CURSORS, "DELETE FROM galop_cursor")).compose(done -> create());
  }

  private Future<Void> create() {
    return link.ask(COLLATION, List.of())
        .compose(
            rows -> {
              String collation = rows.isEmpty() ? WITHOUT : TableRows.text(rows.get(0)[0]);
              return all(List.of(RECORDS + collation, CURSORS));
            })
        .compose(v -> keepVersion());
  }

  private Future<Void> keepVersion() {
    return link.write(
            "INSERT INTO galop_schema (one, version) VALUES (1, ?) ON DUPLICATE KEY UPDATE"
                + " version = VALUES(version)",
            List.of((long) VERSION))
        .mapEmpty();
  }

  /** The database goes on when this node waits no longer: it is then found done, or waited for. */
  private Future<Void> change() {
    return link.ask(OLD_KEY, List.of())
        .compose(
            rows -> {
              if (rows.isEmpty()) {
                return Future.succeededFuture();
              }
              LOG.info("migrating galop_records to ids per topic, once: {}", TO_2);
              return link.write(TO_2, List.of()).mapEmpty();
            })
        .recover(failure -> Future.failedFuture(notChanged(failure)))
        .compose(done -> keepVersion());
  }

  private static Exception notChanged(Throwable failure) {
    String told =
        "galop_records must be changed once, so that ids belong to topics. If the database does not"
            + " let Galop do it (it needs ALTER), have this done there: "
            + TO_2
            + "; "
            + failure.getMessage();
    return new IllegalStateException(told, failure);
  }

  private Future<Void> all(List<String> statements) {
    Future<Void> done = Future.succeededFuture();
    for (String statement : new ArrayList<>(statements)) {
      done = done.compose(v -> link.write(statement, List.of())).mapEmpty();
    }
    return done;
  }
}
