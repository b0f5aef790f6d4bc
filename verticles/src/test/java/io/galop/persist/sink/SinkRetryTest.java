package io.galop.persist.sink;

import static io.galop.persist.sink.SinkFixture.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.Logged;
import io.galop.config.SamplingConfig;
import io.galop.config.SinkConfig;
import io.galop.config.SinkConfig.Driver;
import io.galop.persist.log.LogPosition;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** When a sink begins again, and how soon. */
@Timeout(120)
class SinkRetryTest {
  @TempDir Path directory;

  private static SinkConfig config(long timeoutMs, long maxPauseMs) {
    return new SinkConfig(
        Driver.SYNC, 40, 4_096, 0, 4, 1 << 20, timeoutMs, maxPauseMs, 3, 1 << 20, 0);
  }

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
          public Future<Integer> write(Parcel parcel) {
            return Future.failedFuture("its disk is full");
          }
        };
    try (SinkFixture fixture = new SinkFixture(directory)) {
      fixture.append("t", 1, 10);
      try (Sink sink =
          fixture.start("full", full, config(2_000, 10_000), SamplingConfig.every(1))) {
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
        Sink sink = fixture.start("slow", store, config(1_000, 200), SamplingConfig.every(1))) {
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
          public Future<Integer> write(Parcel parcel) {
            return parcel.records().size() > 6
                ? Promise.<Integer>promise().future()
                : super.write(parcel);
          }
        };
    try (SinkFixture fixture = new SinkFixture(directory)) {
      fixture.append("t", 1, 200);
      try (Sink sink = fixture.start("slow", slow, config(200, 100), SamplingConfig.every(1))) {
        until(() -> sink.lagBytes() == 0);
        assertEquals(200, slow.records.size());
      }
    }
  }

  @Test
  void anErrorOfADriverEndsAnAttemptAndNotTheSink() throws Exception {
    MemoryStore broken =
        new MemoryStore() {
          @Override
          public Future<Integer> write(Parcel parcel) {
            if (opens.get() == 1) {
              throw new NoClassDefFoundError("driver/Gone");
            }
            return super.write(parcel);
          }
        };
    try (SinkFixture fixture = new SinkFixture(directory);
        Sink sink = fixture.start("broken", broken, config(1_000, 100), SamplingConfig.every(1))) {
      fixture.append("t", 1, 10);
      until(() -> sink.lagBytes() == 0);
      assertEquals(10, broken.records.size());
      assertEquals(1, fixture.count("retries"));
    }
  }

  @Test
  void thatNothingCanBeDeletedIsSaidOnceAndCountedEachTime() throws Exception {
    AtomicBoolean isMended = new AtomicBoolean();
    MemoryStore store =
        new MemoryStore() {
          @Override
          public Future<Boolean> trim() {
            return isMended.get()
                ? super.trim()
                : Future.failedFuture("DELETE command denied\nto user galop");
          }
        };
    try (Logged logged = new Logged(Deletions.class);
        SinkFixture fixture = new SinkFixture(directory);
        Sink sink = fixture.start("full", store, config(1_000, 100), SamplingConfig.every(1))) {
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

  /** As for want of memory, where the report has none either. */
  @Test
  void anErrorThatCannotEvenBeToldEndsAnAttemptAndNotTheSink() throws Exception {
    MemoryStore broken =
        new MemoryStore() {
          @Override
          public Future<Integer> write(Parcel parcel) {
            if (opens.get() <= 2) {
              throw new Untold();
            }
            return super.write(parcel);
          }
        };
    try (SinkFixture fixture = new SinkFixture(directory);
        Sink sink = fixture.start("broken", broken, config(1_000, 100), SamplingConfig.every(1))) {
      fixture.append("t", 1, 10);
      until(() -> sink.lagBytes() == 0);
      assertEquals(10, broken.records.size());
      assertEquals(2, fixture.count("retries"));
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
