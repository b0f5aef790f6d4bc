package io.galop.persist.cold;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.bus.Readiness;
import io.galop.config.ColdConfig;
import io.galop.config.LogConfig;
import io.galop.persist.log.Log;
import io.galop.persist.log.LogPosition;
import io.galop.record.Batch;
import io.galop.record.Placed;
import io.galop.record.Record;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ColdSinkTest {
  private static final LogConfig LOG = new LogConfig(65_536, 8_192, 0, 24, 1L << 30, 0);
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  @TempDir Path directory;

  private Log log() {
    return Log.open(directory.resolve("log"), LOG, 4, meters, new Readiness());
  }

  private static ColdConfig config(int every) {
    return new ColdConfig(true, every, 0, 0, 4_096, 0, 1, 16);
  }

  private SqliteStore store() throws ColdException {
    return SqliteStore.open(file(), config(1));
  }

  private Path file() {
    return directory.resolve("cold.sqlite");
  }

  private static void append(Log log, String topic, long offset, int count) throws Exception {
    List<Record> records = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] data = ("{\"n\":" + (offset + i) + "}").getBytes(StandardCharsets.UTF_8);
      records.add(new Record(topic + "-" + (offset + i), topic, offset + i, data));
    }
    Future<Void> done = log.append(new Batch(1, 7, offset, records));
    done.toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
  }

  private long rows() throws SQLException {
    return number("SELECT count(*) FROM records");
  }

  private long number(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file());
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      return row.next() ? row.getLong(1) : 0;
    }
  }

  private static void waitUntil(BooleanSupplier condition) throws InterruptedException {
    while (!condition.getAsBoolean()) {
      Thread.sleep(5);
    }
  }

  @Test
  void storesEachRecordOnceOverRestartsAndLostAnswers() throws Exception {
    long next = 1;
    for (int run = 0; run < 4; run++) {
      try (Log log = log();
          SqliteStore store = store()) {
        append(log, "t", next, 500);
        next += 500;
        Flaky flaky = new Flaky(store);
        try (ColdSink sink = ColdSink.start(log, flaky, config(1), meters)) {
          waitUntil(() -> flaky.calls.get() == Flaky.CALLS);
          assertTrue(sink.lagBytes() > 0, "stopped on the way");
        }
      }
    }
    try (Log log = log();
        SqliteStore store = store();
        ColdSink sink = ColdSink.start(log, store, config(1), meters)) {
      waitUntil(() -> sink.lagBytes() == 0);
      assertEquals(2_000, rows());
      assertEquals(2_000, number("SELECT count(DISTINCT id) FROM records"));
      assertEquals(
          0, number("SELECT count(*) FROM records WHERE json_extract(data,'$.n') <> \"offset\""));
    }
  }

  @Test
  void waitsForAStoreThatFailsAndKeepsTheLogMeanwhile() throws Exception {
    try (Log log = log();
        SqliteStore store = store()) {
      Broken broken = new Broken(store);
      try (ColdSink sink = ColdSink.start(log, broken, config(1), meters)) {
        log.startRetention();
        for (int i = 0; i < 20; i++) {
          append(log, "t", i * 50 + 1, 50);
        }
        waitUntil(() -> meters.get("galop.persist.cold.failures").counter().count() > 0);
        assertEquals(0, rows());
        assertTrue(sink.lagBytes() > 50_000);
        assertTrue(meters.get("galop.persist.cold.lag.seconds").gauge().value() > 0);
        broken.works.set(true);
        waitUntil(() -> sink.lagBytes() == 0);
        assertEquals(1_000, rows());
      }
    }
  }

  @Test
  void restsWhileThereIsNothingToStore() throws Exception {
    try (Log log = log();
        SqliteStore store = store()) {
      AtomicInteger trims = new AtomicInteger();
      ColdStore counted =
          new Broken(store) {
            @Override
            public boolean trim() {
              trims.incrementAndGet();
              return false;
            }
          };
      try (ColdSink sink = ColdSink.start(log, counted, config(1), meters)) {
        waitUntil(() -> trims.get() >= 3);
        assertEquals(0, sink.lagBytes());
        long startedNs = System.nanoTime();
        int before = trims.get();
        waitUntil(() -> trims.get() >= before + 2);
        assertTrue(System.nanoTime() - startedNs > 200_000_000L, "it does not spin");
      }
    }
  }

  @Test
  void keepsOneInSoManyAndAllOfGalopsOwn() throws Exception {
    try (Log log = log();
        SqliteStore store = store();
        ColdSink sink = ColdSink.start(log, store, config(10), meters)) {
      append(log, "t", 1, 1_000);
      append(log, "$dead/t", 1_001, 20);
      waitUntil(() -> sink.lagBytes() == 0);
      assertEquals(20, number("SELECT count(*) FROM records WHERE topic = '$dead/t'"));
      long kept = number("SELECT count(*) FROM records WHERE topic = 't'");
      assertTrue(kept > 50 && kept < 150, "kept " + kept);
    }
  }

  @Test
  void startsOverWithALogThatTheStoreDoesNotKnow() throws Exception {
    try (SqliteStore store = store()) {
      store.store(List.of(), 12_345, new LogPosition(99, 1_000));
      try (Log log = log();
          ColdSink sink = ColdSink.start(log, store, config(1), meters)) {
        append(log, "t", 1, 10);
        waitUntil(() -> sink.lagBytes() == 0);
        assertEquals(10, rows());
      }
    }
  }

  /** Stores, but loses every third answer, and breaks on the way. */
  private static final class Flaky extends Broken {
    private static final int CALLS = 7;
    private final AtomicInteger calls = new AtomicInteger();

    Flaky(ColdStore store) {
      super(store);
      works.set(true);
    }

    @Override
    public int store(List<Placed> records, long log, LogPosition next) throws ColdException {
      int added = super.store(records, log, next);
      works.set(calls.get() + 1 < CALLS);
      if (calls.incrementAndGet() % 3 == 0) {
        throw new ColdException("the answer was lost", new SQLException("test"));
      }
      return added;
    }
  }

  /** Fails until it works. */
  private static class Broken implements ColdStore {
    final AtomicBoolean works = new AtomicBoolean();
    private final ColdStore store;

    Broken(ColdStore store) {
      this.store = store;
    }

    @Override
    public LogPosition cursor(long log) throws ColdException {
      return store.cursor(log);
    }

    @Override
    public int store(List<Placed> records, long log, LogPosition next) throws ColdException {
      if (!works.get()) {
        throw new ColdException("the store is down", new SQLException("test"));
      }
      return store.store(records, log, next);
    }

    @Override
    public boolean trim() throws ColdException {
      return store.trim();
    }

    @Override
    public Future<ColdPage> query(ColdQuery query) {
      return store.query(query);
    }

    @Override
    public void close() {
      store.close();
    }
  }
}
