package io.galop.ops;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class SharedReadingTest {
  private final Vertx vertx = Vertx.vertx();
  private final Context loop = vertx.getOrCreateContext();
  private final AtomicBoolean isBroken = new AtomicBoolean();
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT) {
        @Override
        public String scrape() {
          String text = super.scrape();
          if (isBroken.getAndSet(false)) {
            throw new IllegalStateException("a meter is broken");
          }
          return text;
        }
      };
  private final CountDownLatch slow = new CountDownLatch(1);
  private final WorkerExecutor thread = vertx.createSharedWorkerExecutor("reading-test", 1);
  private final SharedReading<String> reading =
      new SharedReading<>(() -> thread.executeBlocking(registry::scrape, false));

  @BeforeEach
  void oneMeterTakesLong() {
    Gauge.builder("slow", this::awaitSlow).register(registry);
  }

  private int awaitSlow() {
    try {
      return slow.await(60, SECONDS) ? 7 : 0;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @AfterEach
  void close() throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get(60, SECONDS);
  }

  /** Runs on the event loop, and waits until it has. */
  private <T> T onLoop(Supplier<T> work) throws Exception {
    CompletableFuture<T> result = new CompletableFuture<>();
    loop.runOnContext(v -> result.complete(work.get()));
    return result.get(60, SECONDS);
  }

  @Test
  void theEventLoopGoesOnMeanwhile() throws Exception {
    Future<String> first = onLoop(reading::get);
    assertFalse(onLoop(first::isComplete));
    slow.countDown();
    String text = first.toCompletionStage().toCompletableFuture().get(60, SECONDS);
    assertTrue(text.contains("slow 7.0"), text);
  }

  @Test
  void allWhoAskMeanwhileShareTheNextOne() throws Exception {
    Future<String> first = onLoop(reading::get);
    Future<String> second = onLoop(reading::get);
    assertNotSame(first, second);
    assertSame(second, onLoop(reading::get));
    registry.counter("asked").increment();
    slow.countDown();
    String text = second.toCompletionStage().toCompletableFuture().get(60, SECONDS);
    assertTrue(text.contains("asked_total 1.0"), text);
    assertTrue(first.isComplete());
    assertNotSame(second, onLoop(reading::get));
  }

  @Test
  void oneThatFailsDoesNotFailTheNext() throws Exception {
    isBroken.set(true);
    Future<String> first = onLoop(reading::get);
    Future<String> second = onLoop(reading::get);
    slow.countDown();
    String text = second.toCompletionStage().toCompletableFuture().get(60, SECONDS);
    assertTrue(text.contains("slow 7.0"), text);
    assertTrue(first.failed());
  }

  /** It ended on its own thread just when somebody had seen that it is under way. */
  @Test
  void aReadingThatEndsWhileSomebodyAsksIsNotToldForEver() {
    Promise<String> first = Promise.promise();
    Promise<String> second = Promise.promise();
    Future<String> ending = endingOnceSeen(first.future(), () -> first.complete("first"));
    Queue<Future<String>> readings =
        new ArrayDeque<>(List.of(ending, second.future(), Future.succeededFuture("third")));
    SharedReading<String> shared = new SharedReading<>(readings::remove);
    shared.get();
    Future<String> asked = shared.get();
    assertFalse(asked.isComplete());
    second.complete("second");
    assertEquals("second", asked.result());
    assertEquals("third", shared.get().result());
  }

  /** A future that is complete as soon as somebody was told that it is not. */
  @SuppressWarnings("unchecked")
  private static <T> Future<T> endingOnceSeen(Future<T> future, Runnable end) {
    AtomicBoolean isSeen = new AtomicBoolean();
    return (Future<T>)
        Proxy.newProxyInstance(
            Future.class.getClassLoader(),
            new Class<?>[] {Future.class},
            (proxy, method, arguments) -> {
              Object answer = method.invoke(future, arguments);
              if (method.getName().equals("isComplete") && !isSeen.getAndSet(true)) {
                end.run();
              }
              return answer;
            });
  }
}
