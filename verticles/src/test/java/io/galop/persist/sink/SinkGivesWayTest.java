package io.galop.persist.sink;

import static io.galop.persist.sink.SinkFixture.config;
import static io.galop.persist.sink.SinkFixture.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.persist.SamplingConfig;
import io.galop.config.persist.SinkConfig.Driver;
import io.galop.persist.store.StoreBatch;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a store takes while the live feed lacks it. */
@Tag("slow")
@Timeout(180)
class SinkGivesWayTest {
  private static final int BATCHES = 10;
  private static final int PER_BATCH = 40;
  private static final long WORK_MS = 20;
  @TempDir Path directory;

  /** Each batch is work. */
  private static final class SlowStore extends MemoryStore {
    @Override
    public Future<Integer> write(StoreBatch parcel) {
      Promise<Integer> answer = Promise.promise();
      CompletableFuture.delayedExecutor(WORK_MS, TimeUnit.MILLISECONDS)
          .execute(() -> super.write(parcel).onComplete(answer));
      return answer.future();
    }
  }

  private final MemoryStore store = new SlowStore();

  @Test
  void batchesWaitWhileTheLiveFeedIsLateButNotForEver() throws Exception {
    try (SinkFixture fixture = new SinkFixture(directory)) {
      fixture.isLiveLate = true;
      long tookMs = store(fixture);
      // The first, which go out together, do not know yet how long one takes.
      assertTrue(tookMs >= (BATCHES - 5) * 9 * WORK_MS, "ten batches took " + tookMs + " ms");
      assertTrue(fixture.count("gave.way") >= BATCHES);
    }
  }

  @Test
  void nobodyWaitsAnyMoreWhenTheLiveFeedIsInTime() throws Exception {
    try (SinkFixture fixture = new SinkFixture(directory);
        Sink sink = start(fixture)) {
      fixture.isLiveLate = true;
      fixture.append("t", 1, PER_BATCH);
      until(() -> fixture.count("gave.way") >= 1);
      fixture.isLiveLate = false;
      until(() -> sink.lagBytes() == 0);
      double gaveWay = fixture.count("gave.way");
      for (int i = 1; i <= BATCHES; i++) {
        fixture.append("t", 1 + i * PER_BATCH, PER_BATCH);
      }
      until(() -> store.records.size() == (1 + BATCHES) * PER_BATCH);
      assertEquals(gaveWay, fixture.count("gave.way"));
    }
  }

  @Test
  void nobodyWaitsWhileTheFeedIsInTime() throws Exception {
    try (SinkFixture fixture = new SinkFixture(directory)) {
      store(fixture);
      assertEquals(0, fixture.count("gave.way"));
    }
  }

  /** What is neither in the store nor in memory would be in no answer about the past. */
  @Test
  void nobodyWaitsForWhoIsFurtherBehindThanMemoryReaches() throws Exception {
    try (SinkFixture fixture = new SinkFixture(directory)) {
      fixture.isLiveLate = true;
      int all = append(fixture, 2 * SinkFixture.GIVE_WAY_BYTES);
      try (Sink sink = start(fixture)) {
        until(() -> store.writes.get() >= BATCHES);
        assertTrue(sink.lagBytes() > SinkFixture.GIVE_WAY_BYTES);
        assertEquals(0, fixture.count("gave.way"));
        fixture.isLiveLate = false;
        until(() -> store.records.size() == all);
      }
    }
  }

  private static int append(SinkFixture fixture, long bytes) throws Exception {
    int next = 1;
    while (fixture.log.durable().segment() * 65_536L < bytes) {
      fixture.append("t", next, PER_BATCH);
      next += PER_BATCH;
    }
    return next - 1;
  }

  private Sink start(SinkFixture fixture) {
    return fixture.start("test", store, config(Driver.SYNC), SamplingConfig.every(1));
  }

  private long store(SinkFixture fixture) throws Exception {
    for (int i = 0; i < BATCHES; i++) {
      fixture.append("t", 1 + i * PER_BATCH, PER_BATCH);
    }
    long startedNs = System.nanoTime();
    try (Sink sink = start(fixture)) {
      until(() -> store.records.size() == BATCHES * PER_BATCH);
    }
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startedNs);
  }
}
