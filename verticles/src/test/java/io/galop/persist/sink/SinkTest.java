package io.galop.persist.sink;

import static io.galop.persist.sink.SinkFixture.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.persist.SamplingConfig;
import io.galop.config.persist.SinkConfig;
import io.galop.config.persist.SinkConfig.Driver;
import io.galop.persist.store.BlockingStore;
import io.galop.persist.store.BlockingStoreAdapter;
import io.galop.persist.store.Store;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A sink stores each record once, whatever its store does. */
@Tag("slow")
@Timeout(180)
class SinkTest {
  @TempDir Path directory;

  @Test
  void storesEachRecordOnceOverRestartsAndLostAnswers() throws Exception {
    ColdFile cold = ColdFile.in(directory);
    long next = 1;
    for (int run = 0; run < 4; run++) {
      try (SinkFixture fixture = new SinkFixture(directory)) {
        fixture.append("t", next, 500);
        next += 500;
        AtomicInteger calls = new AtomicInteger();
        BlockingStore sqlite = cold.open();
        try (Store store =
                new BlockingStoreAdapter("lossy", lossy(sqlite, calls), Driver.SYNC, 1, 1, 1);
            Sink sink = fixture.start(store)) {
          until(() -> calls.get() >= 5);
          assertTrue(sink.lagBytes() >= 0);
        }
      }
    }
    try (SinkFixture fixture = new SinkFixture(directory);
        BlockingStore sqlite = cold.open();
        Sink sink =
            fixture.start(new BlockingStoreAdapter("whole", sqlite, Driver.SYNC, 1, 1, 1))) {
      until(() -> sink.lagBytes() == 0);
    }
    assertEquals(2_000, cold.number("SELECT count(*) FROM records"));
    assertEquals(2_000, cold.number("SELECT count(DISTINCT id) FROM records"));
    assertEquals(
        0,
        cold.number("SELECT count(*) FROM records WHERE json_extract(data,'$.n') <> \"offset\""));
  }

  /** Stores, but loses every third answer. */
  private static BlockingStore lossy(BlockingStore store, AtomicInteger calls) {
    return (BlockingStore)
        Proxy.newProxyInstance(
            BlockingStore.class.getClassLoader(),
            new Class<?>[] {BlockingStore.class},
            (proxy, method, arguments) -> {
              Object result = method.invoke(store, arguments);
              if (method.getName().equals("write") && calls.incrementAndGet() % 3 == 0) {
                throw new IOException("the answer was lost");
              }
              return result;
            });
  }

  @Test
  void aStoreThatIsAwayIsWaitedForAndTheLogKeepsTheRest() throws Exception {
    MemoryStore store = new MemoryStore();
    store.down = true;
    SinkConfig config =
        new SinkConfig(Driver.SYNC, 40, 4_096, 0, 4, 1 << 20, 2_000, 200, 3, 1 << 20, 1);
    try (SinkFixture fixture = new SinkFixture(directory);
        Sink sink = fixture.start("away", store, config, SamplingConfig.every(1))) {
      fixture.log.startRetention(kept -> System.currentTimeMillis());
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
      assertEquals(0, sink.state().lagSeconds());
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
      assertEquals(0, sink.state().inFlight(), "late answers count no more");
    }
  }

  @Test
  void aBadRecordBecomesADeadLetterAndDoesNotHoldUpTheRest() throws Exception {
    MemoryStore store = MemoryStore.refusing("77 is too much", one -> one.id().endsWith("77"));
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

  /**
   * Each turn of its loop asks for the rules at most twice; a turn for each record would be 300.
   */
  @Test
  void recordsThatComeSinglyAreReadTogether() throws Exception {
    MemoryStore store = new MemoryStore();
    SamplingConfig all = SamplingConfig.every(1);
    AtomicInteger asked = new AtomicInteger();
    SinkConfig config =
        new SinkConfig(Driver.SYNC, 5_000, 1 << 20, 200, 4, 1 << 20, 2_000, 200, 3, 1 << 20, 0);
    try (SinkFixture fixture = new SinkFixture(directory);
        Sink sink =
            fixture.start(
                "calm",
                store,
                config,
                () -> {
                  asked.incrementAndGet();
                  return all;
                })) {
      fixture.append("t", 1, 1);
      until(() -> sink.lagBytes() == 0);
      int before = asked.get();
      long startedNs = System.nanoTime();
      for (int i = 2; i <= 300; i++) {
        fixture.append("t", i, 1);
      }
      long turns = (asked.get() - before) / 2;
      long tookMs = (System.nanoTime() - startedNs) / 1_000_000;
      assertTrue(turns <= 20 + tookMs / 7, turns + " turns in " + tookMs + " ms");
      until(() -> sink.lagBytes() == 0);
      assertEquals(300, store.records.size());
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
}
