package io.galop.persist.sink;

import static io.galop.persist.sink.SinkFixture.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.Logged;
import io.galop.persist.log.LogPosition;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A Log that was set back misses nothing in the store, however soon it has grown again. */
@Timeout(120)
class SetBackTest {
  private static final List<String> TOPICS = List.of("a", "b", "c", "d", "e", "f");
  private static final String SET_BACK = "set back";

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
    try (Logged logged = new Logged(Session.class);
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

  @Test
  void attemptsThatFailAfterItWasNoticedDoNotForgetIt() throws Exception {
    MemoryStore store =
        new MemoryStore() {
          @Override
          public Future<Integer> write(Parcel parcel) {
            return hold ? Future.failedFuture("its disk is full") : super.write(parcel);
          }
        };
    store.cursor = behind(wrote(10), 3_000);
    LogPosition lost = store.cursor.orElseThrow();
    store.hold = true;
    try (SinkFixture fixture = new SinkFixture(directory);
        Sink sink = fixture.start(store)) {
      until(() -> fixture.count("retries") >= 1);
      appendBeyond(fixture, lost);
      until(() -> fixture.count("retries") >= 4);
      assertEquals(lost, store.cursor.orElseThrow());
      store.hold = false;
      until(() -> store.hasAllOf(fixture.log));
      assertEquals(160, store.records.size());
      until(() -> sink.lagBytes() == 0);
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
    try (Logged logged = new Logged(Session.class)) {
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
