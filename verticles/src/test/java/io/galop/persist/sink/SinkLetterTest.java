package io.galop.persist.sink;

import static io.galop.persist.sink.SinkFixture.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.Logged;
import io.galop.config.persist.SamplingConfig;
import io.galop.config.persist.SinkConfig.Driver;
import io.galop.node.Readiness;
import io.galop.record.Placed;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of a sink whose dead letters take long or have no place. */
@Tag("slow")
@Timeout(180)
class SinkLetterTest {
  @TempDir Path directory;

  @Test
  void aDeadLetterMayTakeLongerThanTheStore() throws Exception {
    MemoryStore store = MemoryStore.refusing("nothing is good", one -> true);
    Promise<Void> kept = Promise.promise();
    try (SinkFixture fixture = new SinkFixture(directory, letter -> kept.future());
        Sink sink = fixture.start("bad", store, 100, 100)) {
      fixture.append("t", 1, 1);
      until(() -> fixture.dead.size() == 1);
      Thread.sleep(500);
      kept.complete();
      until(() -> sink.lagBytes() == 0);
      assertEquals(1, fixture.dead.size());
      assertEquals(0, fixture.count("retries"));
    }
  }

  @Test
  void aSinkThatIsStoppedWhileItWaitsForALetterBlamesNobody() throws Exception {
    MemoryStore store = MemoryStore.refusing("nothing is good", one -> true);
    Future<Void> never = Promise.<Void>promise().future();
    try (Logged logged = new Logged(Sink.class);
        SinkFixture fixture = new SinkFixture(directory, letter -> never)) {
      try (Sink sink = fixture.start("bad", store, 100, 100)) {
        fixture.append("t", 1, 1);
        until(() -> fixture.dead.size() == 1);
        assertFalse(sink.state().isHeld());
      }
      assertEquals(0, fixture.meters.get("galop.persist.sink.held").gauge().value());
      assertEquals(0, fixture.count("retries"));
      assertEquals(List.of(), logged.with("WARN"));
    }
  }

  @Test
  void aRecordWhoseLetterHasNoPlaceIsNotPassedAndTheNodeSaysSo() throws Exception {
    AtomicBoolean isMended = new AtomicBoolean();
    MemoryStore store =
        MemoryStore.refusing("7 is too much", one -> one.id().equals("t-7") && !isMended.get());
    try (SinkFixture fixture =
            new SinkFixture(directory, letter -> Future.failedFuture("the file is full"));
        Sink sink = fixture.start("bad", store, 1_000, 100)) {
      fixture.append("t", 1, 20);
      until(() -> fixture.dead.size() >= 3);
      assertTrue(sink.lagBytes() > 0);
      assertEquals(1, fixture.meters.get("galop.persist.sink.held").gauge().value());
      assertEquals(
          "the store bad waits: it does not take record t-7 (7 is too much), and the dead letter"
              + " has no place: the file is full",
          fixture.readiness.warnings().get("persist.sink.bad"));
      assertEquals(0, fixture.count("dead.letters"));
      isMended.set(true);
      until(() -> sink.lagBytes() == 0);
      assertEquals(20, store.records.size());
      until(() -> fixture.readiness.warnings().isEmpty());
      assertEquals(0, fixture.meters.get("galop.persist.sink.held").gauge().value());
    }
  }

  /** It says nothing about how much the store takes at once. */
  @Test
  void aLetterThatIsNotKeptInTimeIsToldAsSuchAndIsNotTheStoresSlowness() throws Exception {
    MemoryStore store = MemoryStore.refusing("nothing is good", one -> true);
    AtomicBoolean isKept = new AtomicBoolean();
    DeadLetters late =
        new DeadLetters() {
          @Override
          public Future<Void> send(Placed placed, String from, String why) {
            return isKept.get() ? Future.succeededFuture() : Promise.<Void>promise().future();
          }

          @Override
          public long longestMs() {
            return 300;
          }
        };
    Readiness readiness = new Readiness();
    try (SinkFixture fixture = new SinkFixture(directory);
        Sink sink =
            Sink.start(
                new SinkSetup(
                    "bad",
                    fixture.log,
                    store,
                    SinkFixture.config(Driver.SYNC, 5_000, 100),
                    () -> SamplingConfig.every(1),
                    late,
                    Long.MAX_VALUE,
                    () -> false,
                    SinkFixture.book(),
                    SinkFixture.book(),
                    0,
                    kept -> System.currentTimeMillis()),
                fixture.meters,
                readiness)) {
      fixture.append("t", 1, 1);
      until(() -> fixture.count("retries") >= 2);
      assertEquals(
          "the store bad waits: it does not take record t-1 (nothing is good), and the dead letter"
              + " has no place: it was not kept within 300 ms",
          readiness.warnings().get("persist.sink.bad"));
      assertEquals(40, sink.state().batchSize().records());
      isKept.set(true);
      until(() -> sink.lagBytes() == 0);
      assertEquals(40, sink.state().batchSize().records());
      until(() -> readiness.warnings().isEmpty());
    }
  }
}
