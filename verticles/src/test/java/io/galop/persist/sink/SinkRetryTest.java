package io.galop.persist.sink;

import static io.galop.persist.sink.SinkFixture.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.Logged;
import io.galop.persist.log.file.LogPosition;
import io.galop.persist.store.StoreBatch;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** When a sink begins again, and how soon. */
@Tag("slow")
@Timeout(180)
class SinkRetryTest {
  @TempDir Path directory;

  @Test
  void aStoreThatConnectsButDoesNotStoreIsGivenMoreAndMoreTime() throws Exception {
    List<Long> openedNs = new CopyOnWriteArrayList<>();
    MemoryStore full =
        new MemoryStore() {
          @Override
          public Future<Optional<LogPosition>> open(long log) {
            openedNs.add(System.nanoTime());
            return super.open(log);
          }

          @Override
          public Future<Integer> write(StoreBatch parcel) {
            return Future.failedFuture("its disk is full");
          }
        };
    try (SinkFixture fixture = new SinkFixture(directory)) {
      fixture.append("t", 1, 10);
      try (Sink sink = fixture.start("full", full, 2_000, 10_000)) {
        until(() -> openedNs.size() == 5);
        assertTrue(sink.lagBytes() > 0);
      }
    }
    long fourthPauseMs = TimeUnit.NANOSECONDS.toMillis(openedNs.get(4) - openedNs.get(3));
    assertTrue(fourthPauseMs >= 400, "the fourth pause took " + fourthPauseMs + " ms");
  }

  @Test
  void aCursorThatIsNeverSavedIsNoticedWhileAllElseGoesOn() throws Exception {
    MemoryStore store =
        new MemoryStore() {
          @Override
          public boolean keepsCursor() {
            return false;
          }

          @Override
          public Future<Void> saveCursor(long log, LogPosition upTo) {
            return opens.get() == 1
                ? Promise.<Void>promise().future()
                : super.saveCursor(log, upTo);
          }
        };
    try (SinkFixture fixture = new SinkFixture(directory);
        Sink sink = fixture.start("slow", store, 1_000, 200)) {
      fixture.append("t", 1, 10);
      until(() -> store.hasAllOf(fixture.log));
      assertEquals(0, sink.lagBytes());
    }
  }

  @Test
  void aStoreThatIsTooSlowForAWholeBatchIsSentSmallerOnes() throws Exception {
    MemoryStore slow =
        new MemoryStore() {
          @Override
          public Future<Integer> write(StoreBatch parcel) {
            return parcel.records().size() > 6
                ? Promise.<Integer>promise().future()
                : super.write(parcel);
          }
        };
    try (SinkFixture fixture = new SinkFixture(directory)) {
      fixture.append("t", 1, 200);
      try (Sink sink = fixture.start("slow", slow, 200, 100)) {
        until(() -> sink.lagBytes() == 0);
        assertEquals(200, slow.records.size());
      }
    }
  }

  /** The second cannot even be told, as for want of memory where the report has none either. */
  @Test
  void anErrorEndsAnAttemptAndNotTheSink() throws Exception {
    List<Error> errors = List.of(new NoClassDefFoundError("driver/Gone"), new Untold());
    MemoryStore broken =
        new MemoryStore() {
          @Override
          public Future<Integer> write(StoreBatch parcel) {
            if (opens.get() <= errors.size()) {
              throw errors.get(opens.get() - 1);
            }
            return super.write(parcel);
          }
        };
    try (SinkFixture fixture = new SinkFixture(directory);
        Sink sink = fixture.start("broken", broken, 1_000, 100)) {
      fixture.append("t", 1, 10);
      until(() -> sink.lagBytes() == 0);
      assertEquals(10, broken.records.size());
      assertEquals(2, fixture.count("retries"));
    }
  }

  @Test
  void thatNothingCanBeDeletedIsSaidOnceAndCountedEachTime() throws Exception {
    AtomicBoolean isMended = new AtomicBoolean();
    MemoryStore store =
        new MemoryStore() {
          @Override
          public Future<Boolean> trim(LongUnaryOperator clock) {
            return isMended.get()
                ? super.trim(clock)
                : Future.failedFuture("DELETE command denied\nto user galop");
          }
        };
    try (Logged logged = new Logged(Deletions.class);
        SinkFixture fixture = new SinkFixture(directory);
        Sink sink = fixture.start("full", store, 1_000, 100)) {
      until(() -> fixture.count("delete.failures") == 2);
      store.down = true;
      fixture.append("t", 1, 10);
      until(() -> fixture.count("retries") > 0);
      store.down = false;
      until(() -> sink.lagBytes() == 0 && fixture.count("delete.failures") >= 4);
      String failing = "WARN old records of full cannot be deleted: DELETE command denied to user";
      assertEquals(List.of(failing + " galop"), logged.with("full"));
      isMended.set(true);
      until(() -> logged.with("full").size() == 2);
      assertEquals(1, logged.with("INFO old records of full are deleted again").size());
      until(() -> store.trims.get() >= 2);
      assertEquals(2, logged.with("full").size());
    }
  }

  private static final class Untold extends Error {
    private static final long serialVersionUID = 1L;

    @Override
    public String getMessage() {
      throw new OutOfMemoryError("not even for what is wrong");
    }
  }
}
