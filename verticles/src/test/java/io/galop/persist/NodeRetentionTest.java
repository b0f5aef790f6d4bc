package io.galop.persist;

import static io.galop.persist.TestNode.await;
import static io.galop.persist.TestNode.batch;
import static io.galop.persist.TestNode.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.cluster.Cluster;
import io.galop.config.GalopConfig;
import io.galop.config.Role;
import io.galop.jvm.Moment;
import io.galop.persist.retention.Noted;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node deletes by the time that is believed, in its Log and in its stores. */
@Timeout(180)
class NodeRetentionTest {
  private static final long HOUR_MS = TimeUnit.HOURS.toMillis(1);
  private static final long MONTH_MS = 30 * 24 * HOUR_MS;
  private static final int RECORDS = 3_000;
  @TempDir Path directory;
  private Vertx vertx;
  private @Nullable TestNode node;

  @BeforeEach
  void open() {
    vertx = Vertx.vertx();
  }

  @AfterEach
  void close() throws Exception {
    stop();
    await(vertx.close());
  }

  private void stop() throws Exception {
    TestNode started = node;
    node = null;
    if (started != null) {
      started.stop();
    }
  }

  private GalopConfig config() {
    return TestNode.config(
        directory,
        "node.shards=1",
        "ingest.limits.maxDataBytes=4096",
        "persist.log.segmentBytes=65536",
        "persist.log.queueBytes=8192",
        "persist.log.retentionHours=2",
        "persist.cold.retentionHours=2");
  }

  private static Cluster member() {
    return new TestCluster(1).join("n1", "one", Role.PERSIST);
  }

  /** Has a node store records. */
  private void fill(TestNode own) throws Exception {
    node = own;
    own.awaitReady();
    for (int from = 0; from < RECORDS; from += 100) {
      await(own.bus().persist().send(batch(0, "t", from, from + 100)));
    }
    until(
        () ->
            own.meters.get("galop.persist.sink.stored").tag("sink", "embedded").counter().count()
                == RECORDS);
  }

  private int asked(Question question) {
    try (Connection client =
            DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("cold.sqlite"));
        Statement statement = client.createStatement()) {
      statement.execute("PRAGMA busy_timeout = 60000");
      return question.ask(statement);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private interface Question {
    int ask(Statement statement) throws SQLException;
  }

  private int rows() {
    return asked(
        statement -> {
          try (ResultSet row = statement.executeQuery("SELECT count(*) FROM records")) {
            return row.getInt(1);
          }
        });
  }

  private List<Path> segments() throws Exception {
    try (var files = Files.list(directory.resolve("log"))) {
      return files.filter(file -> file.toString().endsWith(".log")).sorted().toList();
    }
  }

  private Noted noted() {
    try {
      return Noted.of(Files.readString(directory.resolve(RetentionGuard.FILE))).orElseThrow();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** By the machine's clock all is young. */
  @Test
  void theLogAndTheStoresDeleteByTheClocksOfTheGuard() throws Exception {
    TestNode own =
        TestNode.start(
            vertx,
            member(),
            config(),
            () -> new Moment(Moment.now().wallMs() + 3 * HOUR_MS, Moment.now().steadyMs()));
    own.awaitReady();
    Path first = segments().get(0);
    fill(own);
    until(() -> rows() == 0);
    until(() -> Files.notExists(first));
  }

  /** By the machine's clock all is old. */
  @Test
  void aNodeThatWasOffDeletesAsItWouldHaveThen() throws Exception {
    long thenMs = System.currentTimeMillis() - MONTH_MS;
    Path file = directory.resolve(RetentionGuard.FILE);
    Files.writeString(file, new Noted(thenMs, List.of()).text());
    TestNode own = TestNode.start(vertx, member(), config());
    fill(own);
    until(() -> own.readiness().warnings().containsKey(RetentionGuard.PART));
    String age = "UPDATE records SET stored_us = CASE WHEN seq = 1 THEN %d ELSE %d END";
    long oldUs = TimeUnit.MILLISECONDS.toMicros(thenMs - 3 * HOUR_MS);
    long youngUs = TimeUnit.MILLISECONDS.toMicros(thenMs - HOUR_MS);
    assertEquals(
        RECORDS, asked(statement -> statement.executeUpdate(age.formatted(oldUs, youngUs))));
    until(() -> rows() < RECORDS);
    assertEquals(RECORDS - 1, rows(), "only what was old then");
    until(() -> noted().rises().size() == 1);
    Noted before = noted();
    stop();
    assertNotEquals(before, noted(), "written at the end");
    assertTrue(own.readiness().warnings().isEmpty());
  }

  /** As {@code galop status} and the health paths show it. */
  @Test
  void warnsOfRecordsOfTheFuture() throws Exception {
    TestNode own = TestNode.start(vertx, member(), config());
    fill(own);
    asked(statement -> statement.executeUpdate("UPDATE records SET stored_us = 4000000000000000"));
    String part = "persist.sink.embedded.settings";
    until(() -> own.readiness().warnings().containsKey(part));
    String said = own.readiness().warnings().get(part);
    assertTrue(said.startsWith("the store embedded keeps old records: the first says"), said);
    asked(statement -> statement.executeUpdate("UPDATE records SET stored_us = 1"));
    until(() -> !own.readiness().warnings().containsKey(part));
  }
}
