package io.galop.persist;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.persist.ColdConfig;
import io.galop.jvm.Moment;
import io.galop.node.Readiness;
import io.galop.persist.cold.SqliteStore;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.galop.record.Record;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RetentionGuardTest {
  private static final long HOUR = TimeUnit.HOURS.toMillis(1);
  private static final long YEAR = 365 * 24 * HOUR;
  private static final int KEPT_HOURS = 48;
  private static final long KEPT = KEPT_HOURS * HOUR;

  @TempDir Path directory;
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final Readiness readiness = new Readiness();
  private long wallMs = System.currentTimeMillis();
  private long steadyMs = 5_000;

  @BeforeEach
  void log() throws Exception {
    Files.createDirectories(directory.resolve("log"));
  }

  private RetentionGuard open() {
    return RetentionGuard.open(
        directory, directory.resolve("log"), readiness, meters, () -> new Moment(wallMs, steadyMs));
  }

  private void run(RetentionGuard guard, long ms) {
    for (long gone = 0; gone < ms; gone += TimeUnit.MINUTES.toMillis(10)) {
      wallMs += TimeUnit.MINUTES.toMillis(10);
      steadyMs += TimeUnit.MINUTES.toMillis(10);
      guard.tend();
    }
  }

  private double jumps() {
    return meters.get("galop.persist.retention.jumps").counter().count();
  }

  private double behindHours() {
    return meters.get("galop.persist.retention.behind").gauge().value() / 3_600;
  }

  private String warning() {
    return readiness.warnings().getOrDefault(RetentionGuard.PART, "");
  }

  private static void store(SqliteStore store, String id) throws Exception {
    Record record = new Record(id, "t", 1, "{}".getBytes(StandardCharsets.UTF_8));
    store.store(List.of(new Placed(new Position(0, 1, 1), record)), 1, Optional.empty());
  }

  private static long count(Path file) throws Exception {
    try (var connection = java.sql.DriverManager.getConnection("jdbc:sqlite:" + file);
        var rows = connection.createStatement().executeQuery("SELECT count(*) FROM records")) {
      return rows.getLong(1);
    }
  }

  @Test
  void aStoreKeepsWhatAClockThatWentAheadWouldDelete() throws Exception {
    RetentionGuard guard = open();
    Path file = directory.resolve("cold.sqlite");
    ColdConfig config = new ColdConfig(true, 1, KEPT_HOURS, 0, 1 << 20, 0, 2, 16, List.of());
    try (SqliteStore store = SqliteStore.open(file, config)) {
      store(store, "young"); // by the machine's clock, which is not ahead
      wallMs += YEAR;
      store.trim(guard::nowMs);
      assertEquals(1, count(file));
      run(guard, KEPT - HOUR);
      store.trim(guard::nowMs);
      assertEquals(1, count(file));
      run(guard, 2 * HOUR);
      store.trim(guard::nowMs);
      assertEquals(0, count(file), "deletion goes on");
    }
  }

  @Test
  void aHealthyNodeDeletesAsItsClockSays() {
    RetentionGuard guard = open();
    run(guard, 100 * HOUR);
    assertEquals(wallMs, guard.nowMs(KEPT));
    assertEquals("", warning());
    assertEquals(0, jumps());
  }

  @Test
  void tellsWhatHappenedAndWhatToDoUntilItIsOver() {
    RetentionGuard guard = open();
    guard.nowMs(KEPT);
    run(guard, HOUR);
    wallMs += YEAR;
    guard.tend();
    assertTrue(warning().startsWith("the clock of this node went ahead by 8760 h"), warning());
    assertTrue(warning().contains("set it right"), warning());
    assertEquals(1, jumps());
    assertEquals(YEAR / HOUR, behindHours(), 0.1);
    wallMs -= YEAR;
    guard.tend();
    assertEquals("", warning());
    assertEquals(0, behindHours(), 0.1);
    assertEquals(1, jumps());
  }

  @Test
  void warnsForADayAndNotOfARestart() {
    RetentionGuard guard = open();
    guard.nowMs(KEPT);
    run(guard, HOUR);
    guard.close();
    wallMs += 12 * HOUR;
    guard = open();
    guard.nowMs(KEPT);
    guard.tend();
    assertEquals("", warning());
    assertEquals(1, jumps());
    guard.close();
    wallMs += 30 * HOUR;
    guard = open();
    guard.nowMs(KEPT);
    guard.tend();
    assertFalse(warning().isEmpty());
    run(guard, 25 * HOUR);
    assertEquals("", warning());
    assertTrue(behindHours() > 30, "but deletes later");
  }

  @Test
  void theNextRunKnowsOfTheJump() {
    RetentionGuard guard = open();
    wallMs += YEAR;
    guard.tend();
    steadyMs = -40_000;
    guard = open();
    assertEquals(wallMs - YEAR, guard.nowMs(KEPT));
    run(guard, KEPT);
    assertEquals(wallMs, guard.nowMs(KEPT));
  }

  @Test
  void aRunThatEndsSaysWhen() {
    RetentionGuard guard = open();
    guard.tend();
    wallMs += 59_000;
    steadyMs += 59_000;
    guard.close();
    wallMs += 9 * HOUR / 60 + 30_000;
    assertEquals(wallMs, open().nowMs(KEPT), "a restart of nine and a half minutes");
  }

  @Test
  void aRunThatWasKilledIsAMinuteBehindAtMost() throws Exception {
    RetentionGuard guard = open();
    guard.tend();
    String first = Files.readString(directory.resolve(RetentionGuard.FILE));
    wallMs += 59_000;
    steadyMs += 59_000;
    guard.tend();
    assertEquals(first, Files.readString(directory.resolve(RetentionGuard.FILE)));
    wallMs += 1_000;
    steadyMs += 1_000;
    guard.tend();
    assertFalse(first.equals(Files.readString(directory.resolve(RetentionGuard.FILE))));
  }

  @Test
  void withoutAFileTheYoungestFileOfTheLogSaysHowLateItWas() throws Exception {
    Path old = Files.createFile(directory.resolve("log/1.log"));
    Path young = Files.createFile(directory.resolve("log/2.log"));
    Files.setLastModifiedTime(old, FileTime.fromMillis(wallMs - 3 * YEAR));
    Files.setLastModifiedTime(young, FileTime.fromMillis(wallMs - YEAR));
    assertEquals(wallMs - YEAR, open().nowMs(KEPT));
    Files.writeString(directory.resolve(RetentionGuard.FILE), "damaged");
    assertEquals(wallMs - YEAR, open().nowMs(KEPT));
  }

  @Test
  void aNewNodeBelievesItsClock() {
    assertEquals(wallMs, open().nowMs(KEPT));
    assertEquals(0, jumps());
  }
}
