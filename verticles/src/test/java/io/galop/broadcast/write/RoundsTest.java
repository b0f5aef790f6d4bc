package io.galop.broadcast.write;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.galop.broadcast.write.Rounds.Span;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * A record has the time of the round that followed it, and none that is narrower than the truth.
 */
class RoundsTest {
  /** {@code System.nanoTime} may be anything. */
  private static final long START = Math.subtractExact(Long.MAX_VALUE, 500);

  private final AtomicLong tail = new AtomicLong();
  private final Rounds rounds = new Rounds(tail::get, START);

  private void round(long begin, long end) {
    rounds.begin(START + begin);
    rounds.end(START + end);
  }

  private Span of(long sequence) {
    return rounds.of(sequence, START + 1_000_000_000);
  }

  private static Span span(long first, long last) {
    return new Span(START + first, START + last);
  }

  @Test
  void aRecordIsWrittenInTheRoundThatFollows() {
    tail.set(3);
    round(100, 110);
    tail.set(4);
    round(900, 950);
    assertEquals(span(100, 110), of(0));
    assertEquals(span(100, 110), of(2));
    assertEquals(span(900, 950), of(3));
  }

  @Test
  void aRoundOfWordsTellsNothing() {
    tail.set(1);
    round(100, 110);
    round(200, 210);
    tail.set(2);
    round(300, 310);
    assertEquals(span(100, 110), of(0));
    assertEquals(span(300, 310), of(1));
  }

  @Test
  void whatCameDuringARoundMayHaveGoneWithIt() {
    tail.set(1);
    rounds.begin(START + 100);
    tail.set(2);
    rounds.end(START + 180);
    tail.set(3);
    round(200, 210);
    assertEquals(span(100, 180), of(0));
    assertEquals(span(100, 210), of(1));
    assertEquals(span(200, 210), of(2));
  }

  @Test
  void whatWasWrittenOutOfTurnWasSoBeforeTheRound() {
    tail.set(1);
    round(100, 110);
    tail.set(5);
    rounds.emptiedAhead(); // while 5 is handed out
    tail.set(7);
    round(200, 210);
    assertEquals(span(100, 210), of(1));
    assertEquals(span(100, 210), of(5));
    assertEquals(span(200, 210), of(6));
  }

  @Test
  void beforeTheRoundIsOverItIsByNow() {
    tail.set(1);
    rounds.emptiedAhead();
    assertEquals(span(0, 50), rounds.of(0, START + 50), "out of turn, before any round");
    rounds.begin(START + 100);
    assertEquals(span(0, 120), rounds.of(0, START + 120));
    tail.set(2);
    assertEquals(span(100, 120), rounds.of(1, START + 120));
    rounds.end(START + 130);
    assertEquals(span(0, 130), rounds.of(0, START + 500));
  }

  @Test
  void onlySoManyAreRemembered() {
    int all = 3 * Rounds.MOST;
    for (int n = 0; n < all; n++) {
      tail.set(n + 1);
      round(10L * n, 10L * n + 5);
      assertEquals(span(10L * n, 10L * n + 5), of(n));
    }
    int known = all - Rounds.MOST + 1;
    assertNull(of(known - 1));
    assertNull(of(0));
    for (int n = known; n < all; n++) {
      assertEquals(span(10L * n, 10L * n + 5), of(n));
    }
  }

  @Test
  void twoSpansTogetherReachFromTheFirstToTheLast() {
    assertEquals(span(100, 950), span(300, 950).with(span(100, 400)));
    assertEquals(span(100, 950), span(100, 950).with(span(300, 400)));
    assertEquals(span(150, 400), span(100, 400).notBefore(START + 150));
    assertEquals(span(100, 400), span(100, 400).notBefore(START + 50));
  }
}
