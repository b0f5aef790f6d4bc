package io.galop.persist.sink;

import static io.galop.persist.sink.SinkFixture.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.Logged;
import io.galop.persist.log.file.LogPosition;
import io.galop.persist.store.StoreBatch;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A Log that was set back misses nothing in the store, however soon it has grown again. */
@Tag("slow")
@Timeout(180)
class SetBackTest {
  private static final List<String> TOPICS = List.of("a", "b", "c", "d", "e", "f");
  private static final String SET_BACK = "an older copy of the Log was restored";

  @TempDir Path directory;

  /** An earlier run, and what its Log has in the end. */
  private LogPosition wrote(int records) throws Exception {
    try (SinkFixture before = new SinkFixture(directory)) {
      for (String topic : TOPICS) {
        before.append(topic, 1, records);
      }
      return before.log.durable();
    }
  }

  private static Optional<LogPosition> behind(LogPosition end, long bytes) {
    return Optional.of(new LogPosition(end.segment(), end.offset() + bytes));
  }

  private static void appendBeyond(SinkFixture fixture, LogPosition lost) throws Exception {
    fixture.append("t", 1, 100);
    assertTrue(fixture.log.durable().compareTo(lost) > 0);
  }

  @Test
  void whileTheStoreIsAwayTheLogGrowsBeyondWhatItHad() throws Exception {
    MemoryStore store = new MemoryStore();
    store.cursor = behind(wrote(10), 3_000);
    LogPosition lost = store.cursor.orElseThrow();
    store.down = true;
    try (Logged logged = new Logged(SinkRun.class);
        SinkFixture fixture = new SinkFixture(directory);
        Sink sink = fixture.start(store)) {
      until(() -> store.opens.get() > 0);
      appendBeyond(fixture, lost);
      store.down = false;
      until(() -> store.hasAllOf(fixture.log));
      assertEquals(160, store.records.size());
      assertEquals(1, logged.with(SET_BACK).size());
      until(() -> sink.lagBytes() == 0);
    }
  }

  /** A store with a full disk from the moment on that it is on hold. */
  private static MemoryStore full(boolean isForCursors) {
    return new MemoryStore() {
      @Override
      public Future<Integer> write(StoreBatch parcel) {
        return hold ? Future.failedFuture("its disk is full") : super.write(parcel);
      }

      @Override
      public Future<Void> saveCursor(long log, LogPosition upTo) {
        return hold && isForCursors
            ? Future.failedFuture("its disk is full")
            : super.saveCursor(log, upTo);
      }
    };
  }

  /** Whether a start comes between or not. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void attemptsThatFailAfterItWasNoticedDoNotForgetIt(boolean isForCursors) throws Exception {
    MemoryStore store = full(isForCursors);
    store.cursor = behind(wrote(10), 3_000);
    LogPosition lost = store.cursor.orElseThrow();
    store.hold = true;
    for (int run = 0; run < 2; run++) {
      try (SinkFixture fixture = new SinkFixture(directory);
          Sink sink = fixture.start(store)) {
        until(() -> fixture.count("retries") >= 1);
        fixture.append("t", 1 + 100 * run, 100);
        assertTrue(fixture.log.durable().compareTo(lost) > 0);
        until(() -> fixture.count("retries") >= 4);
        assertEquals(isForCursors, store.cursor.equals(Optional.of(lost)));
        store.hold = run == 0;
        until(() -> store.hold || store.hasAllOf(fixture.log) && sink.lagBytes() == 0);
      }
    }
    assertStoredOnce(store, 260);
  }

  @Test
  void startsWithoutTheStoreDoNotForgetIt() throws Exception {
    MemoryStore store = new MemoryStore();
    store.cursor = behind(wrote(10), 3_000);
    LogPosition lost = store.cursor.orElseThrow();
    store.down = true;
    for (int run = 0; run < 3; run++) {
      try (SinkFixture fixture = new SinkFixture(directory);
          Sink sink = fixture.start(store)) {
        fixture.append("t", 1 + 100 * run, 100);
        assertTrue(fixture.log.durable().compareTo(lost) > 0);
        until(() -> fixture.count("retries") > 0);
      }
    }
    store.down = false;
    assertStoredOnce(store, 360);
  }

  @Test
  void aRunThatDoesNotKnowTheStoreDoesNotForgetItEither() throws Exception {
    MemoryStore store = new MemoryStore();
    wrote(10);
    assertStoredOnce(store, 60);
    store.cursor = behind(store.cursor.orElseThrow(), 3_000);
    try (SinkFixture without = new SinkFixture(directory)) {
      appendBeyond(without, store.cursor.orElseThrow());
    }
    assertStoredOnce(store, 160);
  }

  /** All of the Log is stored, and a later run has nothing to do. */
  private void assertStoredOnce(MemoryStore store, int records) throws Exception {
    for (int run = 0; run < 2; run++) {
      int before = store.writes.get();
      try (Logged logged = new Logged(SinkRun.class);
          SinkFixture fixture = new SinkFixture(directory);
          Sink sink = fixture.start(store)) {
        until(() -> store.hasAllOf(fixture.log) && sink.lagBytes() == 0);
        assertEquals(records, store.records.size());
        if (run == 1) {
          assertEquals(List.of(), logged.with(SET_BACK));
          assertEquals(before, store.writes.get());
        }
      }
    }
  }

  /** Less than the tables of its shards, which a Log writes when it is opened. */
  @Test
  void aByteIsEnough() throws Exception {
    MemoryStore store = new MemoryStore();
    store.cursor = behind(wrote(10), 1);
    try (SinkFixture fixture = new SinkFixture(directory);
        Sink sink = fixture.start(store)) {
      until(() -> store.hasAllOf(fixture.log));
      assertEquals(60, store.records.size());
      until(() -> sink.lagBytes() == 0);
    }
  }

  @Test
  void noRestartIsTakenForIt() throws Exception {
    MemoryStore store = new MemoryStore();
    try (Logged logged = new Logged(SinkRun.class)) {
      for (int run = 0; run < 6; run++) {
        try (SinkFixture fixture = new SinkFixture(directory);
            Sink sink = fixture.start(store)) {
          fixture.append("t", 1 + 500 * run, run % 2 * 500 + 1);
          until(() -> store.hasAllOf(fixture.log) && sink.lagBytes() == 0);
          store.down = true;
          fixture.append("u", 1 + run, 1);
          until(() -> fixture.count("retries") > 0);
          store.down = false;
          until(() -> store.hasAllOf(fixture.log));
          assertEquals(0, fixture.count("rewinds"));
        }
      }
      assertEquals(List.of(), logged.with(SET_BACK));
    }
  }

  @Test
  void whatThisRunHasStoredIsBelieved() {
    SetBack setBack = new SetBack(new LogPosition(3, 5_000));
    LogPosition lost = new LogPosition(4, 100);
    LogPosition stored = new LogPosition(3, 9_000);
    assertTrue(setBack.isShownBy(lost, LogPosition.START));
    setBack.onRead(new LogPosition(4, 200));
    assertTrue(setBack.isShownBy(lost, stored), "read up to there, and not stored");
    assertFalse(setBack.isShownBy(stored, stored));
    assertFalse(setBack.isShownBy(new LogPosition(4, 150), stored), "the answer was lost");
    assertFalse(setBack.isShownBy(lost, lost), "it is as far again");
    assertTrue(setBack.isShownBy(new LogPosition(4, 201), lost));
  }
}
