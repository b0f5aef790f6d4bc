package io.galop.persist.cold;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.galop.config.persist.ColdConfig;
import io.galop.config.persist.RollupConfig;
import io.galop.persist.rollup.Aggregate;
import io.galop.persist.rollup.Rollups;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.galop.record.Record;
import io.galop.record.TopicFilter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the buckets in the embedded store have, and from when on. */
@Timeout(180)
class SqliteRollupsTest {
  private static final long MINUTE_US = 60_000_000;
  private static final long DAY_US = TimeUnit.DAYS.toMicros(1);
  private static final Optional<RollupConfig> TEN_DAYS =
      Optional.of(new RollupConfig(List.of("s/#"), List.of("n"), 60, 10));

  @TempDir Path directory;
  private final AtomicLong nowMs = new AtomicLong();
  private long fromUs;

  private SqliteStore open(Optional<RollupConfig> rollups) throws Exception {
    ColdConfig config = new ColdConfig(true, 1, 1, 0, 1 << 20, 0, 2, 16, rollups, List.of());
    return SqliteStore.open(directory.resolve("cold.sqlite"), config, nowMs::get);
  }

  private static void store(SqliteStore store, long offset, long timeUs) throws Exception {
    byte[] data = ("{\"n\":" + offset + "}").getBytes(StandardCharsets.UTF_8);
    Record record = new Record("i" + offset, "s/a", timeUs, data);
    store.store(List.of(new Placed(new Position(1, 2, offset), record)), 42, Optional.empty());
  }

  /** Of each bucket its minute, count and last value. */
  private List<String> rows(SqliteStore store) throws Exception {
    List<String> rows = new ArrayList<>();
    store
        .rollups()
        .orElseThrow()
        .read(
            TopicFilter.parse("s/+", 99),
            List.of("n"),
            extent -> {
              fromUs = extent.fromUs();
              return new Rollups.Range(fromUs, Long.MAX_VALUE, false);
            },
            (beginUs, topic, field, cell) ->
                rows.add(
                    "%d: %.0f, %.0f"
                        .formatted(
                            beginUs / MINUTE_US,
                            cell.get(Aggregate.COUNT),
                            cell.get(Aggregate.LAST))));
    return rows;
  }

  @Test
  void bucketsOutliveRecordsUntilTheirOwnTime() throws Exception {
    try (SqliteStore store = open(TEN_DAYS)) {
      store(store, 7, MINUTE_US + 9);
      store(store, 8, MINUTE_US + 5);
      store(store, 8, MINUTE_US + 5);
      store(store, 9, 3 * MINUTE_US);
      nowMs.set(TimeUnit.DAYS.toMillis(1));
      assertEquals(false, store.trim());
      assertEquals(List.of("1: 2, 7", "3: 1, 9"), rows(store), "a repetition counts once");
      assertEquals(List.of(), SqliteStoreTest.all(store, "s/a", 9, false));
      nowMs.set(TimeUnit.MICROSECONDS.toMillis(10 * DAY_US + 2 * MINUTE_US));
      store.trim();
      store(store, 10, MINUTE_US);
      assertEquals(List.of("3: 1, 9"), rows(store));
      assertEquals(2 * MINUTE_US, fromUs);
    }
  }

  @Test
  void aClockThatWasAheadKeepsNothingOutLater() throws Exception {
    try (SqliteStore store = open(TEN_DAYS)) {
      store(store, 1, MINUTE_US);
      store(store, 2, 3 * MINUTE_US);
      nowMs.set(TimeUnit.DAYS.toMillis(4_000));
      store.trim();
      nowMs.set(TimeUnit.DAYS.toMillis(1));
      store(store, 3, 3 * MINUTE_US + 1);
      store(store, 4, 4 * MINUTE_US);
      assertEquals(List.of("3: 2, 3", "4: 1, 4"), rows(store));
    }
  }

  @Test
  void theyBeginBehindWhatWasStoredWithoutThem() throws Exception {
    try (SqliteStore store = open(Optional.empty())) {
      store(store, 1, 5 * MINUTE_US + 1);
    }
    for (String field : List.of("n", "m,n")) {
      List<String> fields = List.of(field.split(","));
      Optional<RollupConfig> config = Optional.of(new RollupConfig(List.of("s/#"), fields, 60, 0));
      try (SqliteStore store = open(config)) {
        assertEquals(List.of(), rows(store), "of " + field);
        store(store, 20 + field.length(), 5 * MINUTE_US + 2);
        store(store, 30 + field.length(), 6 * MINUTE_US + MINUTE_US * field.length());
      }
      try (SqliteStore store = open(config)) {
        int minute = 6 + field.length();
        assertEquals(List.of(minute + ": 1, " + (30 + field.length())), rows(store));
      }
    }
    try (SqliteStore store = open(Optional.empty())) {
      store(store, 50, 20 * MINUTE_US);
    }
    try (SqliteStore store = open(TEN_DAYS)) {
      assertEquals(List.of(), rows(store));
      assertEquals(21 * MINUTE_US, fromUs);
    }
  }
}
