package io.galop.persist.postgres;

import io.galop.persist.sql.SqlLink;
import io.galop.persist.sql.TableRows;
import io.vertx.core.Future;
import java.util.List;

/** The tables, and how they come to be. */
record PostgresSchema(SqlLink link) {
  private static final long VERSION = 1;

  private static final String SERVER =
      "SELECT current_setting('server_encoding'), current_setting('transaction_read_only')";

  private static final String HAS_VERSION =
      "SELECT count(*) FROM pg_class WHERE oid = to_regclass('galop_schema')";

  private static final String LACKS_A_TABLE =
      "SELECT count(*) FROM (VALUES (to_regclass('galop_schema')), (to_regclass('galop_records')),"
          + " (to_regclass('galop_cursor'))) AS t (name) WHERE name IS NULL";

  private static final String VERSIONS = "SELECT version FROM galop_schema WHERE one = 1";

  /**
   * In one transaction, and one node after the other: two that create the same table at once would
   * get in each other's way. Where the records were dropped, cursors say how far a table is filled
   * that is no more. {@code C} compares byte by byte.
   */
  private static final String CREATE =
      """
      DO $galop$ BEGIN
      PERFORM pg_advisory_xact_lock(7308604897001);
      IF to_regclass('galop_records') IS NULL AND to_regclass('galop_cursor') IS NOT NULL THEN
        DELETE FROM galop_cursor;
      END IF;
      CREATE TABLE IF NOT EXISTS galop_records (
        seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        id VARCHAR(255) COLLATE "C" NOT NULL,
        topic VARCHAR(400) COLLATE "C" NOT NULL,
        time_us BIGINT NOT NULL,
        data TEXT NOT NULL,
        shard INT NOT NULL,
        epoch BIGINT NOT NULL,
        "offset" BIGINT NOT NULL,
        stored_us BIGINT NOT NULL);
      CREATE UNIQUE INDEX IF NOT EXISTS galop_by_topic_and_id ON galop_records (topic, id);
      CREATE INDEX IF NOT EXISTS galop_by_topic ON galop_records (topic, time_us, id);
      CREATE INDEX IF NOT EXISTS galop_by_time ON galop_records (time_us, id, topic);
      CREATE OR REPLACE VIEW galop_view AS SELECT id, topic, time_us,
        timestamp '1970-01-01' + time_us * interval '1 microsecond' AS time_utc,
        data, shard, epoch, "offset", stored_us FROM galop_records;
      CREATE TABLE IF NOT EXISTS galop_cursor (
        log BIGINT PRIMARY KEY,
        segment BIGINT NOT NULL,
        "offset" BIGINT NOT NULL,
        moved_us BIGINT NOT NULL);
      CREATE TABLE IF NOT EXISTS galop_schema (one INT PRIMARY KEY, version INT NOT NULL);
      INSERT INTO galop_schema VALUES (1, %d) ON CONFLICT DO NOTHING;
      END $galop$\
      """
          .formatted(VERSION);

  /**
   * Makes the tables that are not there. Several nodes may do it at once.
   *
   * @return fails if a newer Galop has made them, or if the database can never hold records
   */
  Future<Void> make() {
    return link.ask(SERVER, List.of())
        .compose(rows -> check(TableRows.text(rows.get(0)[0]), TableRows.text(rows.get(0)[1])))
        .compose(v -> link.ask(HAS_VERSION, List.of()))
        .compose(rows -> isNone(rows) ? Future.succeededFuture() : check())
        .compose(v -> link.ask(LACKS_A_TABLE, List.of()))
        .compose(rows -> isNone(rows) ? Future.succeededFuture() : create());
  }

  private static boolean isNone(List<Object[]> count) {
    return (Long) count.get(0)[0] == 0;
  }

  private Future<Void> create() {
    return link.write(CREATE, List.of()).compose(done -> check());
  }

  private Future<Void> check() {
    return link.ask(VERSIONS, List.of())
        .compose(rows -> check(rows.isEmpty() ? 0 : (Long) rows.get(0)[0]));
  }

  private static Future<Void> check(String encoding, String isReadOnly) {
    if (!encoding.equals("UTF8")) {
      return Future.failedFuture(
          "the database has the encoding "
              + encoding
              + ", which does not hold every text; create it with ENCODING 'UTF8'");
    }
    return isReadOnly.equals("on")
        ? Future.failedFuture(
            "the server takes no writes: it is a standby, or default_transaction_read_only is set;"
                + " give the host of the primary")
        : Future.succeededFuture();
  }

  private static Future<Void> check(long version) {
    return version == VERSION
        ? Future.succeededFuture()
        : Future.failedFuture(
            "the tables have schema version %d, this Galop knows %d; start the newer one"
                .formatted(version, VERSION));
  }
}
