package io.galop.vertx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Results come back to the event loop that asked, and nobody else enters what belongs to it. */
@Timeout(20)
class LoopTest {
  private final Vertx vertx = Vertx.vertx();
  private final CompletableFuture<Thread> own = new CompletableFuture<>();

  /** On which thread what came of it was told, and what that was. */
  private record Told(Thread thread, Object value, Throwable failure) {}

  @AfterEach
  void close() {
    vertx.close().await();
  }

  private Told told(Function<Loop, Future<?>> question) throws Exception {
    CompletableFuture<Told> told = new CompletableFuture<>();
    BiConsumer<Object, Throwable> tell =
        (value, failure) -> told.complete(new Told(Thread.currentThread(), value, failure));
    vertx.runOnContext(
        now -> {
          own.complete(Thread.currentThread());
          question.apply(Loop.current()).onComplete(tell::accept);
        });
    return told.get(10, TimeUnit.SECONDS);
  }

  private static void later(Promise<String> answer) {
    new Thread(() -> answer.complete("from elsewhere")).start();
  }

  @Test
  void anAnswerThatDoesNotComeFailsOnTheLoop() throws Exception {
    Told told = told(loop -> loop.within(50, "its last word", Promise.promise().future()));
    assertEquals(own.get(), told.thread());
    assertInstanceOf(TimeoutException.class, told.failure());
    assertEquals("its last word did not come within 50 ms", told.failure().getMessage());
  }

  @Test
  void anAnswerFromAnotherThreadComesToTheLoop() throws Exception {
    Promise<String> first = Promise.promise();
    Promise<String> second = Promise.promise();
    later(first);
    later(second);
    Told within = told(loop -> loop.within(10_000, "it", first.future()));
    assertEquals("from elsewhere", within.value());
    assertEquals(own.get(), within.thread());
    CompletableFuture<Thread> loops = new CompletableFuture<>();
    Told brought =
        told(
            loop -> {
              loops.complete(Thread.currentThread());
              return loop.bring(second.future());
            });
    assertEquals(loops.get(), brought.thread());
  }

  @Test
  void whoeverIsElsewhereIsTurnedAway() throws Exception {
    CompletableFuture<Loop> loop = new CompletableFuture<>();
    told(
        here -> {
          here.check();
          loop.complete(here);
          return Future.succeededFuture();
        });
    assertThrows(IllegalStateException.class, loop.get()::check);
    assertThrows(IllegalStateException.class, Loop::current);
  }
}
