package io.galop.persist.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.persist.HistoryConfig;
import io.galop.persist.history.AnswerRoom.Line;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which answers go on, set their pages aside, wait, or are ended. One page is 100 bytes here. */
@Timeout(60)
class AnswerBudgetTest {
  private static final int HALF = 250;

  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final AtomicLong nanos = new AtomicLong();
  private final HistoryConfig config =
      new HistoryConfig(10_000, 250_000, 4, 2 * HALF, 1, 256, 0, 2_000, 0);
  private final AnswerBudget budget = new AnswerBudget(config, meters, nanos::get);
  private final List<String> told = new ArrayList<>();
  private Vertx vertx;
  private Context loop;

  @BeforeEach
  void start() {
    vertx = Vertx.vertx();
    loop = vertx.getOrCreateContext();
  }

  @AfterEach
  void stop() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  /** An answer that says what it is told. */
  private final class Answer implements AnswerHolder {
    private final String name;
    private final AnswerBudget.Claim claim;

    Answer(String name, Line line, long pages, long place) {
      this.name = name;
      this.claim = budget.claim(this, line, pages, place);
    }

    @Override
    public void begin() {
      told.add(name + " begins");
    }

    @Override
    public void refuse(String why) {
      told.add(name + " refused");
      claim.end();
    }

    @Override
    public void setPagesAside() {
      told.add(name + " sets aside");
    }

    @Override
    public void goOn() {
      told.add(name + " goes on");
    }

    @Override
    public void cutOff() {
      told.add(name + " cut off");
    }
  }

  private <T> T onLoop(Callable<T> work) {
    CompletableFuture<T> done = new CompletableFuture<>();
    loop.runOnContext(
        now -> {
          try {
            done.complete(work.call());
          } catch (Exception e) {
            done.completeExceptionally(e);
          }
        });
    return done.join();
  }

  private void onLoop(Runnable work) {
    onLoop(
        () -> {
          work.run();
          return true;
        });
  }

  private Answer take(String name, Line line, long pages, long place) {
    return onLoop(
        () -> {
          Answer answer = new Answer(name, line, pages, place);
          answer.claim.take();
          return answer;
        });
  }

  private Answer take(String name) {
    return take(name, Line.LARGE, 100, 10);
  }

  /** What has been told since the last look, when all that is due has been done. */
  private String told() {
    for (int turns = 0; turns < 3; turns++) {
      onLoop(() -> {});
    }
    return onLoop(
        () -> {
          String all = String.join(", ", told);
          told.clear();
          return all;
        });
  }

  private double held() {
    return meters.get("galop.history.answers.held").gauge().value();
  }

  private double count(String what) {
    return meters.get("galop.history.answers." + what).counter().count();
  }

  @Test
  void whatIsHeldIsGivenBackOnce() {
    Answer a = take("a");
    Answer b = take("b");
    assertEquals("a begins, b begins", told());
    assertEquals(220, held());
    onLoop(() -> a.claim.holdPages(30));
    assertEquals(150, held());
    onLoop(a.claim::end);
    onLoop(a.claim::end);
    assertEquals(110, held());
    onLoop(() -> a.claim.holdPages(99)); // a page that comes late
    onLoop(b.claim::end);
    assertEquals(0, held());
  }

  @Test
  void anAnswerThatGoesOnKeepsItsPagesAndOthersWait() {
    Answer a = take("a");
    take("b");
    Answer c = take("c");
    assertEquals("a begins, b begins", told());
    assertEquals(1, count("waited"));
    onLoop(a.claim::end);
    assertEquals("c begins", told());
    onLoop(c.claim::end);
    assertEquals(110, held());
  }

  @Test
  void anAnswerWhoseClientIsBehindSetsItsPagesAsideForOthers() {
    Answer a = take("a");
    Answer b = take("b");
    onLoop(a.claim::pause);
    onLoop(b.claim::pause);
    assertEquals("a begins, b begins", told()); // nobody needs them
    assertTrue(onLoop(() -> b.claim.resume(50)));
    Answer c = take("c");
    assertEquals("a sets aside, c begins", told());
    assertEquals(230, held());
    assertFalse(onLoop(() -> a.claim.resume(100)));
    assertEquals("", told());
    onLoop(c.claim::pause);
    assertEquals("c sets aside, a goes on", told());
    assertEquals(2, count("set.aside"));
    List.of(a, b, c).forEach(answer -> onLoop(answer.claim::end));
    assertEquals(0, held());
  }

  @Test
  void pagesAreNotTakenFromAnAnswerThatHasGoneOnMeanwhile() {
    Answer a = take("a");
    Answer b = take("b");
    told();
    onLoop(
        () -> {
          a.claim.pause();
          Answer c = new Answer("c", Line.LARGE, 100, 10);
          c.claim.take(); // asks a for its pages, which hears of it in the next turn
          assertTrue(a.claim.resume(100));
        });
    assertEquals("", told());
    onLoop(b.claim::pause);
    assertEquals("b sets aside, c begins", told());
  }

  @Test
  void smallAnswersDoNotWaitForAllLargeOnes() {
    Answer first = take("first", Line.LARGE, 250, 10);
    take("large", Line.LARGE, 250, 10);
    take("huge", Line.LARGE, 250, 10);
    take("small", Line.SMALL, 250, 10);
    told();
    onLoop(first.claim::end);
    String next = told();
    assertTrue(next.equals("small begins") || next.equals("large begins"), next);
    Answer second = take("late", Line.SMALL, 1, 10);
    assertEquals("", told());
    onLoop(second.claim::end);
    assertEquals("", told());
  }

  @Test
  void whoWaitsForLongIsRefused() {
    take("a", Line.LARGE, 250, 10);
    take("b", Line.SMALL, 250, 10);
    assertEquals("a begins", told());
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(16));
    awaitTold("b refused");
    assertEquals(1, count("refused"));
    assertEquals(260, held());
  }

  private void awaitTold(String what) {
    String all = told();
    while (!all.equals(what)) {
      String more = told();
      all += all.isEmpty() || more.isEmpty() ? more : ", " + more;
      assertTrue(what.startsWith(all), all);
    }
  }

  @Test
  void tooManyDoNotWait() {
    take("a", Line.LARGE, 250, 10);
    for (int i = 0; i < 256; i++) {
      take("waits");
    }
    assertEquals("a begins", told());
    take("b");
    assertEquals("b refused", told());
  }

  @Test
  void whoTakesNothingForLongIsCutOffWhenItsPlaceIsWanted() {
    Answer deaf = take("deaf", Line.LARGE, 10, 200);
    onLoop(deaf.claim::pause);
    nanos.addAndGet(TimeUnit.MINUTES.toNanos(10));
    assertEquals("deaf begins", told()); // nobody wants it
    onLoop(() -> deaf.claim.resume(10));
    onLoop(deaf.claim::pause);
    Answer next = take("next", Line.LARGE, 10, 200);
    assertEquals("", told());
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(14));
    assertEquals("", told()); // it has been deaf for 14 s
    onLoop(deaf.claim::taken);
    onLoop(next.claim::end);
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(39));
    Answer third = take("third", Line.LARGE, 10, 200);
    assertEquals("", told());
    onLoop(third.claim::end);
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(2));
    take("other", Line.LARGE, 10, 200);
    awaitTold("deaf cut off, other begins");
    assertEquals(1, count("cut"));
    assertEquals(210, held());
  }

  @Test
  void whoGoesWhileItWaitsHoldsNothing() {
    Answer a = take("a", Line.LARGE, 250, 10);
    Answer b = take("b");
    onLoop(b.claim::end);
    onLoop(a.claim::end);
    assertEquals("a begins", told());
    assertEquals(0, held());
  }

  /** What came of the pages stays with the answer, and counts until it has left. */
  @Test
  void rowsHoldWhatTheyAre() {
    Answer a = take("a");
    onLoop(() -> a.claim.holdBody(70));
    assertEquals(70, held());
    onLoop(a.claim::pause);
    assertTrue(onLoop(() -> a.claim.resume(0)));
    onLoop(a.claim::end);
    assertEquals("a begins", told());
    assertEquals(0, held());
  }
}
