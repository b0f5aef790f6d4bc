package io.galop.bus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.cluster.LocalCluster;
import io.galop.config.ClusterConfig;
import io.galop.config.ConfigLoader;
import io.galop.config.Role;
import io.galop.record.Position;
import io.galop.vertx.Loop;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.MessageConsumer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a node asks itself: not over the event bus, and else as over it. */
@Timeout(180)
class DirectTest {
  private static final int MANY = 100_000;

  private final AtomicInteger onTheBus = new AtomicInteger();
  private Vertx vertx;
  private Bus bus;

  @BeforeEach
  void start() {
    vertx = Vertx.vertx();
    bus = bus(60_000);
    vertx
        .eventBus()
        .addOutboundInterceptor(
            message -> {
              onTheBus.incrementAndGet();
              message.next();
            });
  }

  @AfterEach
  void stop() {
    vertx.close().await();
  }

  private Bus bus(long attemptTimeoutMs) {
    List<String> set = List.of("cluster.attemptTimeoutMs=" + attemptTimeoutMs);
    ClusterConfig config = ConfigLoader.load(Optional.empty(), Map.of(), set, Map.of()).cluster();
    return Bus.open(vertx, new LocalCluster("n", Set.of(Role.values()), 1), config);
  }

  private static Ask ask(int number) {
    return new Ask(0, Position.none(0), "", number);
  }

  private static Page page(int number) {
    return new Page(true, Position.none(0), "" + number, List.of(), List.of());
  }

  private static <T> T on(Context context, Callable<T> task) throws Exception {
    Promise<T> done = Promise.promise();
    context.runOnContext(
        now -> {
          try {
            done.complete(task.call());
          } catch (Exception e) {
            done.fail(e);
          }
        });
    return get(done.future());
  }

  private static <T> T get(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  private static Refusal refusal(Future<?> answer) {
    Throwable cause = assertThrows(ExecutionException.class, () -> get(answer)).getCause();
    return assertInstanceOf(Refusal.class, cause);
  }

  /** An event loop of its own for the handler, and the caller's: the same, or another. */
  private Context handlers(Context callers, boolean isSame) {
    return isSame
        ? callers
        : Stream.generate(this::loop)
            .filter(other -> Loop.of(other).netty() != Loop.of(callers).netty())
            .findFirst()
            .orElseThrow();
  }

  private Context loop() {
    Promise<Context> deployed = Promise.promise();
    vertx.deployVerticle(
        context -> {
          deployed.complete(context);
          return Future.succeededFuture();
        });
    return deployed.future().await();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void requestsAndAnswersKeepTheirOrderAndTheirLoops(boolean isSame) throws Exception {
    Context asker = loop();
    Context handler = handlers(asker, isSame);
    List<Integer> taken = new ArrayList<>();
    List<String> answered = new ArrayList<>();
    CountDownLatch all = new CountDownLatch(1_000);
    on(
        handler,
        () ->
            bus.feed()
                .onFetch(
                    0,
                    ask -> {
                      Loop.of(handler).check();
                      taken.add(ask.maxBytes());
                      return Future.succeededFuture(page(ask.maxBytes()));
                    }));
    on(
        asker,
        () -> {
          for (int i = 0; i < 1_000; i++) {
            bus.feed()
                .fetch(ask(i))
                .onComplete(
                    (page, failure) -> {
                      Loop.of(asker).check();
                      answered.add(page.next());
                      all.countDown();
                    });
          }
          assertTrue(taken.isEmpty() || !isSame, "nothing is taken inside of the request");
          return null;
        });
    assertTrue(all.await(60, TimeUnit.SECONDS));
    assertEquals(IntStream.range(0, 1_000).boxed().toList(), taken);
    assertEquals(IntStream.range(0, 1_000).mapToObj(i -> "" + i).toList(), answered);
    assertEquals(0, onTheBus.get());
  }

  /** Each answer asks again: with calls of one another the stack would be full. */
  @Test
  void answersThatAskAgainTakeNoStack() throws Exception {
    Context loop = loop();
    Promise<Void> done = Promise.promise();
    on(loop, () -> bus.feed().onFetch(0, ask -> Future.succeededFuture(page(0))));
    on(
        loop,
        () -> {
          again(MANY, done);
          return null;
        });
    get(done.future());
  }

  private void again(int left, Promise<Void> done) {
    bus.feed()
        .fetch(ask(left))
        .onSuccess(
            page -> {
              if (left == 0) {
                done.complete();
              } else {
                again(left - 1, done);
              }
            })
        .onFailure(done::tryFail);
  }

  /** Other events of the loop have their turn while two of its stages talk for ever. */
  @Test
  void otherEventsHaveTheirTurn() throws Exception {
    Context loop = loop();
    Promise<Void> done = Promise.promise();
    on(loop, () -> bus.feed().onFetch(0, ask -> Future.succeededFuture(page(0))));
    on(
        loop,
        () -> {
          again(Integer.MAX_VALUE, done);
          return null;
        });
    Promise<Void> turn = Promise.promise();
    vertx.setTimer(1, due -> loop.runOnContext(now -> turn.complete()));
    get(turn.future());
  }

  @Test
  void whatIsNotAnsweredFailsWhenItsTimeIsOver() throws Exception {
    Bus hasty = bus(300);
    hasty.feed().onFetch(0, ask -> Promise.<Page>promise().future());
    Refusal late = refusal(hasty.feed().fetch(ask(0)));
    assertSame(Refusal.Why.NOT_READY, late.why());
    assertTrue(late.getMessage().contains("has not answered within 300 ms"), late.getMessage());
  }

  @Test
  void aRefusalIsTheAnswerAndSoIsWhatAHandlerThrows() throws Exception {
    Refusal busy = new Refusal(Refusal.Why.BUSY, "later");
    MessageConsumer<?> first = bus.feed().onFetch(0, ask -> Future.failedFuture(busy));
    Refusal refused = refusal(bus.feed().fetch(ask(0)));
    assertSame(Refusal.Why.BUSY, refused.why());
    first.unregister().await();
    bus.feed()
        .onFetch(
            0,
            ask -> {
              throw new IllegalStateException("broken");
            });
    Refusal broken = refusal(bus.feed().fetch(ask(0)));
    assertSame(Refusal.Why.BAD_REQUEST, broken.why());
    assertEquals("broken", broken.getMessage());
  }

  /** What an asker does with an answer is no matter of who gives it, nor of the next asker. */
  @Test
  void anAskerThatFailsKeepsNobodyFromTheirAnswers() throws Exception {
    Context loop = loop();
    Promise<Page> both = Promise.promise();
    Promise<Page> second = Promise.promise();
    on(loop, () -> bus.feed().onFetch(0, ask -> both.future()));
    on(
        loop,
        () -> {
          bus.feed()
              .fetch(ask(1))
              .onSuccess(
                  page -> {
                    throw new IllegalStateException("an asker that fails, on purpose");
                  });
          bus.feed().fetch(ask(2)).onComplete(second);
          return null;
        });
    loop.runOnContext(now -> loop.runOnContext(later -> both.complete(page(7))));
    assertEquals("7", get(second.future()).next());
  }

  @Test
  void whoHasGoneIsNotAsked() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    MessageConsumer<?> consumer =
        bus.feed()
            .onFetch(
                0,
                ask -> {
                  asked.incrementAndGet();
                  return Future.succeededFuture(page(0));
                });
    get(bus.feed().fetch(ask(0)));
    consumer.unregister().await();
    assertSame(Refusal.Why.NOT_READY, refusal(bus.feed().fetch(ask(0))).why());
    assertEquals(1, asked.get());
  }
}
