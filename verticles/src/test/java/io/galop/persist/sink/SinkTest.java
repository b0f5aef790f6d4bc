package io.galop.persist.sink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.ConfigLoader;
import io.galop.config.SamplingConfig;
import io.galop.config.SinkConfig;
import io.galop.config.SinkConfig.Driver;
import io.galop.persist.cold.SqliteStore;
import io.galop.persist.log.LogPosition;
import io.galop.record.Placed;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class SinkTest {
  @TempDir Path directory;

  private static void until(java.util.function.BooleanSupplier condition) throws Exception {
    SinkFixture.until(condition);
  }

  @Test
  void storesEachRecordOnceOverRestartsAndLostAnswers() throws Exception {
    var config = ConfigLoader.defaults().persist().cold();
    long next = 1;
    for (int run = 0; run < 4; run++) {
      try (SinkFixture fixture = new SinkFixture(directory)) {
        fixture.append("t", next, 500);
        next += 500;
        AtomicInteger calls = new AtomicInteger();
        BlockingStore sqlite = SqliteStore.open(directory.resolve("cold.sqlite"), config);
        try (Store store = new OnThreads("lossy", lossy(sqlite, calls), Driver.SYNC, 1, 1, 1);
            Sink sink = fixture.start(store)) {
          until(() -> calls.get() >= 5);
          assertTrue(sink.lagBytes() >= 0);
        }
      }
    }
    try (SinkFixture fixture = new SinkFixture(directory);
        SqliteStore sqlite = SqliteStore.open(directory.resolve("cold.sqlite"), config);
        Sink sink = fixture.start(new OnThreads("whole", sqlite, Driver.SYNC, 1, 1, 1))) {
      until(() -> sink.lagBytes() == 0);
    }
    assertEquals(2_000, number("SELECT count(*) FROM records"));
    assertEquals(2_000, number("SELECT count(DISTINCT id) FROM records"));
    assertEquals(
        0, number("SELECT count(*) FROM records WHERE json_extract(data,'$.n') <> \"offset\""));
  }

  /** Stores, but loses every third answer. */
  private static BlockingStore lossy(BlockingStore store, AtomicInteger calls) {
    return (BlockingStore)
        java.lang.reflect.Proxy.newProxyInstance(
            BlockingStore.class.getClassLoader(),
            new Class<?>[] {BlockingStore.class},
            (proxy, method, arguments) -> {
              Object result = method.invoke(store, arguments);
              if (method.getName().equals("write") && calls.incrementAndGet() % 3 == 0) {
                throw new java.io.IOException("the answer was lost");
              }
              return result;
            });
  }

  private long number(String sql) throws Exception {
    try (var connection =
            java.sql.DriverManager.getConnection(
                "jdbc:sqlite:" + directory.resolve("cold.sqlite"));
        var statement = connection.createStatement();
        var row = statement.executeQuery(sql)) {
      return row.next() ? row.getLong(1) : 0;
    }
  }

  @Test
  void theCursorMovesInOrderAlthoughBatchesAreAnsweredInAnother() throws Exception {
    MemoryStore store = new MemoryStore();
    store.hold = true;
    try (SinkFixture fixture = new SinkFixture(directory);
        Sink sink = fixture.start(store)) {
      fixture.append("t", 1, 400);
      until(() -> store.held.size() == 4);
      assertEquals(4, sink.inFlight(), "no more than sink.inFlight are under way");
      long all = sink.lagBytes();
      store.answer(store.held.get(3));
      store.answer(store.held.get(1));
      until(() -> store.held.size() == 6);
      assertEquals(all, sink.lagBytes(), "the first is still open");
      store.hold = false;
      store.held.forEach(one -> one.answer().tryComplete(store.keep(one.parcel())));
      until(() -> sink.lagBytes() == 0);
      until(() -> store.cursor.filter(fixture.log.durable()::equals).isPresent());
      assertEquals(400, store.records.size());
      assertEquals(400, fixture.count("stored"));
    }
  }

  @Test
  void theCursorMovesByBatchesHoweverMuchWaits() throws Exception {
    MemoryStore store = new MemoryStore();
    store.hold = true;
    SinkConfig config =
        new SinkConfig(Driver.SYNC, 40, 1 << 20, 0, 1, 1 << 20, 20_000, 200, 3, 1 << 20, 1);
    try (SinkFixture fixture = new SinkFixture(directory)) {
      fixture.append("t", 1, 2_000);
      try (Sink sink = fixture.start("slow", store, config, SamplingConfig.every(1))) {
        until(() -> store.held.size() == 1);
        long all = sink.lagBytes();
        for (int i = 0; i < 10; i++) {
          int answered = i;
          store.answer(store.held.get(answered));
          until(() -> store.held.size() == answered + 2);
        }
        until(() -> sink.lagBytes() < all);
        assertTrue(store.records.size() <= 400, "most are not stored");
        store.hold = false;
        store.held.forEach(one -> one.answer().tryComplete(store.keep(one.parcel())));
        until(() -> sink.lagBytes() == 0);
      }
    }
  }

  @Test
  void aStoreThatIsAwayIsWaitedForAndTheLogKeepsTheRest() throws Exception {
    MemoryStore store = new MemoryStore();
    store.down = true;
    SinkConfig config =
        new SinkConfig(Driver.SYNC, 40, 4_096, 0, 4, 1 << 20, 2_000, 200, 3, 1 << 20, 1);
    try (SinkFixture fixture = new SinkFixture(directory);
        Sink sink = fixture.start("away", store, config, SamplingConfig.every(1))) {
      fixture.log.startRetention();
      for (int i = 0; i < 20; i++) {
        fixture.append("t", i * 50 + 1, 50);
      }
      until(() -> fixture.count("retries") > 2);
      assertTrue(sink.lagBytes() > 50_000);
      until(() -> !fixture.readiness.isReady());
      assertTrue(
          fixture.readiness.reasons().get("persist.sink.away").startsWith("the store away is "));
      store.down = false;
      until(() -> sink.lagBytes() == 0);
      assertEquals(1_000, store.records.size());
      until(fixture.readiness::isReady);
      assertEquals(0, sink.lagSeconds());
    }
  }

  @Test
  void aStoreThatDoesNotAnswerIsConnectedToAnewAndGetsTheBatchesAgain() throws Exception {
    MemoryStore store = new MemoryStore();
    store.hold = true;
    SinkConfig config =
        new SinkConfig(Driver.SYNC, 40, 4_096, 0, 4, 1 << 20, 300, 200, 3, 1 << 20, 0);
    try (SinkFixture fixture = new SinkFixture(directory);
        Sink sink = fixture.start("slow", store, config, SamplingConfig.every(1))) {
      fixture.append("t", 1, 400);
      until(() -> store.opens.get() >= 2);
      store.hold = false;
      until(() -> sink.lagBytes() == 0);
      assertEquals(400, store.records.size());
      store.held.forEach(one -> one.answer().tryComplete(0));
      assertEquals(0, sink.inFlight(), "late answers count no more");
    }
  }

  @Test
  void aStoreThatWasSetBackGetsAgainWhatItLost() throws Exception {
    MemoryStore store = new MemoryStore();
    try (SinkFixture fixture = new SinkFixture(directory);
        Sink sink = fixture.start(store)) {
      fixture.append("t", 1, 300);
      until(() -> store.cursor.filter(fixture.log.durable()::equals).isPresent());
      store.down = true;
      fixture.append("t", 301, 10);
      until(() -> fixture.count("retries") > 0);
      store.records.clear();
      store.cursor = Optional.empty();
      store.down = false;
      until(() -> sink.lagBytes() == 0 && store.records.size() == 310);
      assertTrue(fixture.count("rewinds") > 0);
    }
  }

  @Test
  void aLogThatWasSetBackIsStoredAgainFromItsBeginning() throws Exception {
    MemoryStore store = new MemoryStore();
    store.cursor = Optional.of(new LogPosition(99, 1_000));
    try (SinkFixture fixture = new SinkFixture(directory)) {
      fixture.append("t", 1, 10);
      try (Sink sink = fixture.start(store)) {
        until(() -> store.records.size() == 10);
        fixture.append("t", 11, 5);
        until(() -> store.cursor.filter(fixture.log.durable()::equals).isPresent());
        assertEquals(15, store.records.size());
        until(() -> sink.lagBytes() == 0);
      }
    }
  }

  @Test
  void aBadRecordBecomesADeadLetterAndDoesNotHoldUpTheRest() throws Exception {
    MemoryStore store =
        new MemoryStore() {
          @Override
          public Future<Integer> write(Parcel parcel) {
            for (Placed placed : parcel.records()) {
              if (placed.record().id().endsWith("77")) {
                return Future.failedFuture(new BadRecordException("77 is too much", null));
              }
            }
            return super.write(parcel);
          }
        };
    try (SinkFixture fixture = new SinkFixture(directory);
        Sink sink = fixture.start(store)) {
      fixture.append("t", 1, 300);
      until(() -> sink.lagBytes() == 0);
      assertEquals(297, store.records.size());
      List<String> dead = fixture.dead.stream().map(placed -> placed.record().id()).toList();
      assertEquals(List.of("t-77", "t-177", "t-277"), dead);
      assertEquals(3, fixture.count("dead.letters"));
      assertEquals(0, fixture.count("retries"), "the store was well all the time");
    }
  }

  @Test
  void restsWhileThereIsNothingToStore() throws Exception {
    MemoryStore store = new MemoryStore();
    try (SinkFixture fixture = new SinkFixture(directory);
        Sink sink = fixture.start(store)) {
      until(() -> store.trims.get() == 1);
      long startedNs = System.nanoTime();
      until(() -> store.trims.get() == 3);
      assertTrue(System.nanoTime() - startedNs > 1_000_000_000L, "it does not spin");
      assertEquals(0, sink.lagBytes());
      assertEquals(0, store.writes.get());
    }
  }

  @Test
  void startsOverWithALogThatTheStoreDoesNotKnow() throws Exception {
    var config = ConfigLoader.defaults().persist().cold();
    try (SinkFixture fixture = new SinkFixture(directory);
        SqliteStore sqlite = SqliteStore.open(directory.resolve("cold.sqlite"), config)) {
      sqlite.saveCursor(12_345, new LogPosition(99, 1_000));
      try (Sink sink = fixture.start(new OnThreads("whole", sqlite, Driver.SYNC, 1, 1, 1))) {
        fixture.append("t", 1, 10);
        until(() -> sink.lagBytes() == 0);
        assertEquals(10, number("SELECT count(*) FROM records"));
      }
    }
  }

  @Test
  void keepsOneInSoManyByTopicAndAllOfGalopsOwn() throws Exception {
    SamplingConfig sampling =
        ConfigLoader.load(
                Optional.empty(),
                java.util.Map.of(),
                List.of(
                    "persist.cold.stores=[{mysql: {sampling: {every: 10, rules: ["
                        + "{topics: [all/#], every: 1}, {topics: [last/+], latestMs: 3000}]}}}]"),
                java.util.Map.of())
            .persist()
            .cold()
            .stores()
            .get(0)
            .sampling();
    MemoryStore store = new MemoryStore();
    try (SinkFixture fixture = new SinkFixture(directory);
        Sink sink = fixture.start("some", store, SinkFixture.config(Driver.SYNC), sampling)) {
      fixture.append("t", 1, 1_000);
      fixture.append("all/t", 1, 100);
      fixture.append("$dead/t", 1, 20);
      fixture.append("last/t", 1, 18);
      fixture.append("last/t", 1_000, 1);
      until(() -> store.records.containsKey("last/t-17"));
      assertFalse(store.cursor.filter(fixture.log.durable()::equals).isPresent());
      assertEquals(100, ids(store, "all/t").count());
      assertEquals(20, ids(store, "$dead/t").count());
      long kept = ids(store, "t").count();
      assertTrue(kept > 50 && kept < 150, "kept " + kept);
      assertTrue(sink.lagBytes() > 0, "what waits for the end of its interval is not stored");
      until(() -> store.records.containsKey("last/t-1000"));
      List<Integer> last = IntStream.of(2, 5, 8, 11, 14, 17, 18, 1_000).boxed().toList();
      assertEquals(
          last,
          ids(store, "last/t")
              .map(id -> Integer.parseInt(id.substring(id.indexOf('-') + 1)))
              .sorted(Comparator.naturalOrder())
              .toList());
      until(() -> sink.lagBytes() == 0);
    }
  }

  private static java.util.stream.Stream<String> ids(MemoryStore store, String topic) {
    return store.records.values().stream()
        .map(Placed::record)
        .filter(record -> record.topic().equals(topic))
        .map(io.galop.record.Record::id);
  }
}
