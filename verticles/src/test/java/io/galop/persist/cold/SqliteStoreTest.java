package io.galop.persist.cold;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.persist.ColdConfig;
import io.galop.persist.log.file.LogPosition;
import io.galop.persist.sink.StoresDocument;
import io.galop.persist.store.ColdKey;
import io.galop.persist.store.ColdPage;
import io.galop.persist.store.ColdQuery;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.galop.record.Record;
import io.galop.record.TopicFilter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class SqliteStoreTest {
  private static final long LOG = 42;
  @TempDir Path directory;
  private Path file;
  private final AtomicLong nowMs = new AtomicLong(1_000_000_000);

  @BeforeEach
  void name() {
    file = directory.resolve("cold.sqlite");
  }

  private SqliteStore open(int retentionHours, long maxBytes) throws ColdException {
    ColdConfig config =
        new ColdConfig(true, 1, retentionHours, maxBytes, 1 << 20, 0, 2, 16, List.of());
    return SqliteStore.open(file, config, nowMs::get);
  }

  private static Placed placed(String id, String topic, long timeUs, String data) {
    Record record = new Record(id, topic, timeUs, data.getBytes(StandardCharsets.UTF_8));
    return new Placed(new Position(1, 2, 3), record);
  }

  private static List<String> ids(ColdPage page) {
    return page.records().stream().map(placed -> placed.record().id()).toList();
  }

  private static ColdPage page(SqliteStore store, ColdQuery query) throws Exception {
    return store.query(query);
  }

  private static ColdQuery query(String filter, int limit, boolean newestFirst, ColdKey after) {
    return new ColdQuery(
        TopicFilter.parse(filter, 256),
        0,
        Long.MAX_VALUE,
        limit,
        1 << 20,
        newestFirst,
        Optional.ofNullable(after));
  }

  private static List<String> all(SqliteStore store, String filter, int limit, boolean newestFirst)
      throws Exception {
    List<String> found = new ArrayList<>();
    Optional<ColdKey> next = Optional.empty();
    do {
      ColdPage page = page(store, query(filter, limit, newestFirst, next.orElse(null)));
      found.addAll(ids(page));
      next = page.next();
    } while (next.isPresent());
    return found;
  }

  @Test
  void storesAnIdOnceAndTheFirstPayloadWins() throws Exception {
    try (SqliteStore store = open(0, 0)) {
      LogPosition first = new LogPosition(1, 100);
      assertEquals(
          1, store.store(List.of(placed("a", "t", 5, "{\"n\":1}")), LOG, Optional.of(first)));
      assertEquals(
          1,
          store.store(
              List.of(placed("a", "t", 5, "{\"n\":2}"), placed("b", "t", 6, "{}")),
              LOG,
              Optional.of(new LogPosition(2, 64))));
      ColdPage page = page(store, query("t", 10, false, null));
      assertEquals(List.of("a", "b"), ids(page));
      assertArrayEquals(
          "{\"n\":1}".getBytes(StandardCharsets.UTF_8), page.records().get(0).record().data());
      assertEquals(new Position(1, 2, 3), page.records().get(0).position());
    }
    try (SqliteStore store = open(0, 0)) {
      assertEquals(Optional.of(new LogPosition(2, 64)), store.open(LOG));
      assertEquals(Optional.empty(), store.open(LOG + 1), "another Log starts over");
    }
  }

  @Test
  void pagesInOrderOverFewTopicsAndMany() throws Exception {
    try (SqliteStore store = open(0, 0)) {
      List<Placed> records = new ArrayList<>();
      for (int i = 0; i < 2_000; i++) {
        String topic = i % 2 == 0 ? "few/" + i % 6 : "many/" + i + "/x";
        records.add(placed("id" + (10_000 + i), topic, i / 4, "{}"));
      }
      records.add(placed("top", "few", 0, "{}"));
      records.add(placed("own", "$dead", 0, "{}"));
      store.store(records, LOG, Optional.of(new LogPosition(1, 64)));
      List<String> few = all(store, "few/#", 7, false);
      assertEquals(1_001, few.size());
      assertEquals(List.of("id10000", "id10002", "top", "id10004"), few.subList(0, 4));
      List<String> many = all(store, "many/+/x", 333, false);
      assertEquals(1_000, many.size());
      assertEquals(many.stream().sorted().toList(), many);
      List<String> back = all(store, "many/#", 100, true);
      assertEquals(many.stream().sorted(java.util.Comparator.reverseOrder()).toList(), back);
      assertEquals(2_001, all(store, "#", 500, false).size());
      assertEquals(List.of("own"), all(store, "$dead", 500, false));
    }
  }

  @Test
  void answersForATimeAndWithinBytes() throws Exception {
    try (SqliteStore store = open(0, 0)) {
      List<Placed> records = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        records.add(placed("id" + (100 + i), "t", i, "{\"x\":\"" + "y".repeat(92) + "\"}"));
      }
      store.store(records, LOG, Optional.of(new LogPosition(1, 64)));
      TopicFilter filter = TopicFilter.parse("t", 256);
      ColdQuery query = new ColdQuery(filter, 10, 19, 100, 1 << 20, true, Optional.empty());
      assertEquals(10, page(store, query).records().size());
      assertEquals("id119", ids(page(store, query)).get(0));
      ColdQuery small = new ColdQuery(filter, 0, 99, 100, 500, false, Optional.empty());
      assertEquals(5, page(store, small).records().size());
      assertEquals(new ColdKey(4, "id104", "t"), page(store, small).next().orElseThrow());
    }
  }

  @Test
  void deletesWhatIsTooOldBySinceWhenItIsStored() throws Exception {
    try (SqliteStore store = open(2, 0)) {
      store.store(List.of(placed("old", "t", Long.MAX_VALUE / 2, "{}")), LOG, Optional.empty());
      nowMs.addAndGet(TimeUnit.HOURS.toMillis(1));
      store.store(List.of(placed("new", "t", 1, "{}")), LOG, Optional.empty());
      assertFalse(store.trim(kept -> nowMs.get()));
      assertEquals(2, all(store, "t", 10, false).size());
      nowMs.addAndGet(TimeUnit.MINUTES.toMillis(61));
      store.trim(kept -> nowMs.get());
      assertEquals(List.of("new"), all(store, "t", 10, false));
    }
  }

  private Optional<String> warning(SqliteStore store) throws Exception {
    store.trim(kept -> nowMs.get());
    return store.warning();
  }

  @Test
  void warnsWhileItsFirstRecordIsOfTheFuture() throws Exception {
    try (SqliteStore store = open(2, 0)) {
      assertEquals(Optional.empty(), warning(store), "it has none");
      long rightMs = System.currentTimeMillis();
      nowMs.set(rightMs + TimeUnit.DAYS.toMillis(1));
      store.store(List.of(placed("ahead", "t", 1, "{}")), LOG, Optional.empty());
      assertEquals(Optional.empty(), warning(store));
      nowMs.set(rightMs - TimeUnit.HOURS.toMillis(3));
      store.store(List.of(placed("old", "t", 2, "{}")), LOG, Optional.empty());
      nowMs.set(rightMs);
      String said = warning(store).orElseThrow();
      assertTrue(said.startsWith("keeps old records: the first says that it was stored"), said);
      assertEquals(2, all(store, "t", 10, false).size(), "it is in the way");
      give(StoresDocument.block("sql sqlite ahead"));
      nowMs.addAndGet(TimeUnit.MINUTES.toMillis(110));
      assertEquals(Optional.empty(), warning(store));
      assertEquals(2, all(store, "t", 10, false).size(), "none is lost");
      nowMs.addAndGet(TimeUnit.MINUTES.toMillis(15));
      store.trim(kept -> nowMs.get());
      assertEquals(List.of(), all(store, "t", 10, false));
    }
    try (SqliteStore store = open(0, 0)) {
      nowMs.addAndGet(-TimeUnit.DAYS.toMillis(365));
      assertEquals(Optional.empty(), warning(store), "it keeps all in any case");
    }
  }

  private void give(String update) throws Exception {
    try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = other.createStatement()) {
      statement.execute(update);
    }
  }

  @Test
  void deletesTheOldestWhenItIsTooLarge() throws Exception {
    try (SqliteStore store = open(0, 2_000_000)) {
      for (int i = 0; i < 20; i++) {
        List<Placed> records = new ArrayList<>();
        for (int j = 0; j < 1_000; j++) {
          records.add(placed("id-" + i + "-" + j, "t", i, "{\"x\":\"" + "y".repeat(200) + "\"}"));
        }
        store.store(records, LOG, Optional.empty());
        while (store.trim(kept -> nowMs.get())) {
          assertTrue(i > 0, "there is always less to delete");
        }
      }
      List<String> left = all(store, "t", 5_000, false);
      assertFalse(left.contains("id-0-0"), "the oldest is gone");
      assertTrue(left.contains("id-19-999"), "the newest is there");
      assertTrue(
          java.nio.file.Files.size(file) < 4_000_000, "file " + java.nio.file.Files.size(file));
    }
  }

  @Test
  void isReadableForOtherToolsWhileItIsOpen() throws Exception {
    try (SqliteStore store = open(0, 0)) {
      store.store(
          List.of(placed("a", "race/1", 1_395_000_000_123_456L, "{\"odds\":2.5}")),
          LOG,
          Optional.empty());
      try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + file);
          Statement statement = other.createStatement();
          ResultSet row =
              statement.executeQuery(
                  "SELECT id, time_utc, json_extract(data, '$.odds'), typeof(data),"
                      + " \"offset\" FROM records WHERE topic = 'race/1'")) {
        assertTrue(row.next());
        assertEquals("a", row.getString(1));
        assertEquals("2014-03-16T20:00:00.123Z", row.getString(2));
        assertEquals(2.5, row.getDouble(3));
        assertEquals("text", row.getString(4));
        assertEquals(3, row.getInt(5));
      }
    }
  }

  @Test
  void theDocumentedQueryFindsTheRecord() throws Exception {
    try (SqliteStore store = open(0, 0)) {
      Placed placed = placed("a", StoresDocument.TOPIC, 1_395_000_000_123_456L, "{\"odds\":2.5}");
      store.store(List.of(placed), LOG, Optional.empty());
      try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + file);
          Statement statement = other.createStatement();
          ResultSet row = statement.executeQuery(StoresDocument.block("sql sqlite"))) {
        assertTrue(row.next());
        assertEquals("2014-03-16T20:00:00.123Z", row.getString(1));
        assertEquals(2.5, row.getDouble(3));
      }
    }
  }

  @Test
  void refusesAFileOfANewerVersion() throws Exception {
    open(0, 0).close();
    try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = other.createStatement()) {
      statement.execute("PRAGMA user_version = 99");
    }
    ColdException refused = assertThrows(ColdException.class, () -> open(0, 0));
    assertTrue(refused.getMessage().contains("schema version 99"), refused.getMessage());
  }
}
