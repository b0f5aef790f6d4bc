package io.galop.persist.sink;

import static io.galop.persist.sink.SinkFixture.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.Logged;
import io.galop.config.persist.SamplingConfig;
import io.galop.config.persist.SinkConfig;
import io.galop.config.persist.SinkConfig.Driver;
import io.galop.persist.cold.SqliteStore;
import io.galop.persist.log.file.LogPosition;
import io.galop.persist.store.BlockingStoreAdapter;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How far a store is: in order, and right when the store or the Log is set back. */
@Timeout(180)
class SinkCursorTest {
  @TempDir Path directory;

  @Test
  void theCursorMovesInOrderAlthoughBatchesAreAnsweredInAnother() throws Exception {
    MemoryStore store = new MemoryStore();
    store.hold = true;
    try (SinkFixture fixture = new SinkFixture(directory);
        Sink sink = fixture.start(store)) {
      fixture.append("t", 1, 400);
      until(() -> store.held.size() == 4);
      assertEquals(4, sink.state().inFlight(), "no more than sink.inFlight are under way");
      long all = sink.lagBytes();
      store.answer(store.held.get(3));
      store.answer(store.held.get(1));
      until(() -> store.held.size() == 6);
      assertEquals(all, sink.lagBytes(), "the first is still open");
      store.hold = false;
      store.held.forEach(one -> one.answer().tryComplete(store.keep(one.parcel())));
      until(() -> sink.lagBytes() == 0);
      until(() -> store.hasAllOf(fixture.log));
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
  void aStoreThatWasSetBackGetsAgainWhatItLost() throws Exception {
    MemoryStore store = new MemoryStore();
    try (SinkFixture fixture = new SinkFixture(directory);
        Sink sink = fixture.start(store)) {
      fixture.append("t", 1, 300);
      until(() -> store.hasAllOf(fixture.log));
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
    try (SinkFixture fixture = new SinkFixture(directory);
        Logged logged = new Logged(SinkRun.class)) {
      fixture.append("t", 1, 10);
      try (Sink sink = fixture.start(store)) {
        until(() -> store.records.size() == 10);
        assertEquals(1, logged.with("restored, and is stored again from its beginning").size());
        fixture.append("t", 11, 5);
        until(() -> store.hasAllOf(fixture.log));
        assertEquals(15, store.records.size());
        until(() -> sink.lagBytes() == 0);
      }
    }
  }

  @Test
  void startsOverWithALogThatTheStoreDoesNotKnow() throws Exception {
    ColdFile cold = ColdFile.in(directory);
    try (SinkFixture fixture = new SinkFixture(directory);
        SqliteStore sqlite = cold.open()) {
      sqlite.saveCursor(12_345, new LogPosition(99, 1_000));
      try (Sink sink =
          fixture.start(new BlockingStoreAdapter("whole", sqlite, Driver.SYNC, 1, 1, 1))) {
        fixture.append("t", 1, 10);
        until(() -> sink.lagBytes() == 0);
        assertEquals(10, cold.number("SELECT count(*) FROM records"));
      }
    }
  }
}
