package io.galop.persist;

import static io.galop.persist.sink.SinkFixture.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An event loop that is held up is late at once, and for a moment afterwards. */
@Tag("slow")
@Timeout(180)
class LoopDelayTest {
  private static final int LIMIT_MS = 200;
  private final Vertx vertx = Vertx.vertx();
  private final Context loop = vertx.getOrCreateContext();
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

  private final CountDownLatch held = new CountDownLatch(1);

  @AfterEach
  void close() throws Exception {
    held.countDown();
    vertx.close().toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  @Test
  void aLoopThatIsHeldUpIsLateUntilItHasGoneOn() throws Exception {
    LoopDelay delay = new LoopDelay(LIMIT_MS, meters);
    watch(delay);
    until(() -> !delay.isLate());
    loop.runOnContext(ignored -> await(held));
    until(delay::isLate);
    assertTrue(meters.get("galop.loop.delay.seconds").gauge().value() > LIMIT_MS / 1e3);
    held.countDown();
    until(() -> !delay.isLate());
  }

  /** What it makes up for after the first time must not hide the second. */
  @Test
  void aLoopThatIsHeldUpAgainIsLateAgain() throws Exception {
    LoopDelay delay = new LoopDelay(LIMIT_MS, meters);
    watch(delay);
    CountDownLatch first = new CountDownLatch(1);
    loop.runOnContext(ignored -> await(first));
    TimeUnit.MILLISECONDS.sleep(15 * LIMIT_MS);
    first.countDown();
    until(() -> !delay.isLate());
    loop.runOnContext(ignored -> await(held));
    TimeUnit.MILLISECONDS.sleep(3 * LIMIT_MS);
    assertTrue(delay.isLate());
  }

  @Test
  void withALimitOfNothingNoneIsEverLate() throws Exception {
    LoopDelay delay = new LoopDelay(0, meters);
    watch(delay);
    loop.runOnContext(ignored -> await(held));
    until(() -> meters.get("galop.loop.delay.seconds").gauge().value() > LIMIT_MS / 1e3);
    assertFalse(delay.isLate());
  }

  @Test
  void aLoopThatIsNotWatchedAnyMoreIsNotLate() throws Exception {
    LoopDelay delay = new LoopDelay(LIMIT_MS, meters);
    Runnable end = watch(delay);
    onLoop(end);
    TimeUnit.MILLISECONDS.sleep(2 * LIMIT_MS);
    assertFalse(delay.isLate());
    assertEquals(0, meters.get("galop.loop.delay.seconds").gauge().value());
  }

  private Runnable watch(LoopDelay delay) throws Exception {
    CompletableFuture<Runnable> end = new CompletableFuture<>();
    onLoop(() -> end.complete(delay.watch(vertx)));
    return end.get();
  }

  private void onLoop(Runnable task) throws Exception {
    CompletableFuture<Void> done = new CompletableFuture<>();
    loop.runOnContext(
        ignored -> {
          task.run();
          done.complete(null);
        });
    done.get(60, TimeUnit.SECONDS);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
