package io.galop.persist.retention;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.jvm.Moment;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ClockTrustTest {
  private static final long SECOND = 1_000;
  private static final long MINUTE = 60 * SECOND;
  private static final long HOUR = 60 * MINUTE;
  private static final long DAY = 24 * HOUR;
  private static final long YEAR = 365 * DAY;
  private static final long KEPT = 48 * HOUR;
  private static final long BEGIN = 1_800_000_000_000L;

  private long wallMs = BEGIN;
  private long steadyMs = -77 * DAY;
  private ClockTrust trust =
      ClockTrust.restored(new Noted(BEGIN, List.of()), new Moment(BEGIN, steadyMs));

  private Moment now() {
    return new Moment(wallMs, steadyMs);
  }

  /** Both clocks go on, with a look at them each step. */
  private void run(long ms, long stepMs) {
    for (long gone = 0; gone < ms; gone += stepMs) {
      wallMs += stepMs;
      steadyMs += stepMs;
      trust = trust.next(now());
    }
  }

  private void jump(long ms) {
    wallMs += ms;
    trust = trust.next(now());
  }

  private void restart(long offMs) {
    Noted noted = Noted.of(trust.noted(now()).text()).orElseThrow();
    wallMs += offMs;
    steadyMs = new Random(wallMs).nextInt(1_000_000) - 500_000;
    trust = ClockTrust.restored(noted, now());
  }

  /** By how much less it is than the machine says. */
  private long behind() {
    return wallMs - trust.nowMs(KEPT, now());
  }

  @Test
  void aHealthyClockIsBelieved() {
    run(3 * DAY, MINUTE);
    assertEquals(0, behind());
    assertEquals(Optional.empty(), trust.newest());
  }

  @Test
  void afterAJumpNothingIsOldThatWasNotOldByRunningTime() {
    run(HOUR, MINUTE);
    long storedMs = wallMs;
    jump(YEAR);
    assertEquals(YEAR, behind());
    run(KEPT - MINUTE, MINUTE);
    assertTrue(trust.nowMs(KEPT, now()) - KEPT < storedMs, "what was stored before is kept");
    run(MINUTE, MINUTE);
    assertEquals(0, behind(), "now it is old by both clocks");
  }

  @Test
  void whatIsKeptForLessWaitsForLess() {
    jump(YEAR);
    run(HOUR, MINUTE);
    assertEquals(wallMs, trust.nowMs(HOUR, now()));
    assertEquals(YEAR, behind());
  }

  @Test
  void aClockThatIsSetRightIsBelievedAtOnce() {
    jump(YEAR);
    run(HOUR, MINUTE);
    jump(-YEAR + 40 * SECOND);
    assertEquals(Optional.empty(), trust.newest());
    run(10 * MINUTE, SECOND);
    assertEquals(0, behind());
  }

  @Test
  void aJumpThatIsTakenBackInPartWaitsAnew() {
    jump(YEAR);
    run(KEPT / 2, MINUTE);
    jump(-DAY);
    run(KEPT / 2, MINUTE);
    assertEquals(YEAR - DAY, behind());
    run(KEPT / 2, MINUTE);
    assertEquals(0, behind());
  }

  @Test
  void stepsAndSlewOfTimeServersAreNoJumps() {
    run(HOUR, MINUTE);
    jump(SECOND);
    assertEquals(SECOND, behind(), "a leap second is followed slowly");
    run(MINUTE, SECOND);
    assertEquals(0, behind());
    for (int i = 0; i < 10 * 3_600; i++) { // a twelfth faster for ten hours, as chrony does
      wallMs += SECOND + SECOND / 12;
      steadyMs += SECOND;
      trust = trust.next(now());
    }
    assertEquals(Optional.empty(), trust.newest());
    assertTrue(behind() < SECOND, "" + behind());
  }

  @Test
  void looksInShortOrderFollowSlewToo() {
    for (int i = 0; i < 3_600_000; i++) {
      steadyMs++;
      wallMs += i % 20 == 0 ? 2 : 1;
      trust = trust.next(now());
    }
    assertEquals(Optional.empty(), trust.newest());
  }

  @Test
  void aClockThatGoesTwiceAsFastIsNotBelieved() {
    for (int i = 0; i < 7_200; i++) {
      wallMs += 2 * SECOND;
      steadyMs += SECOND;
      trust = trust.next(now());
    }
    assertTrue(behind() > 100 * MINUTE, "" + behind());
    assertTrue(trust.rises().size() <= 256, "" + trust.rises().size());
  }

  @Test
  void aRestartIsNoJump() {
    run(HOUR, MINUTE);
    restart(9 * MINUTE);
    assertEquals(0, behind());
    assertEquals(Optional.empty(), trust.newest());
  }

  @Test
  void aStartThatIsLateOrWrongCountsWhenItHasRunForSoLong() {
    run(HOUR, MINUTE);
    restart(3 * DAY);
    assertEquals(3 * DAY, behind());
    run(KEPT - MINUTE, MINUTE);
    assertEquals(3 * DAY, behind());
    run(MINUTE, MINUTE);
    assertEquals(0, behind());
  }

  @Test
  void restartsForgetNoJump() {
    jump(YEAR);
    for (int i = 0; i < 48; i++) {
      assertEquals(YEAR, behind(), "" + i);
      run(HOUR, MINUTE);
      restart(MINUTE);
    }
    assertEquals(0, behind());
  }

  /** Off or asleep for twelve hours each day, for a year: later by a bounded time, not for ever. */
  @Test
  void deletionComesOnAMachineThatIsOffAtNight() {
    for (int day = 0; day < 365; day++) {
      run(12 * HOUR, MINUTE);
      if (day % 2 == 0) {
        restart(12 * HOUR);
      } else {
        jump(12 * HOUR);
      }
      assertTrue(behind() <= KEPT, "day " + day + ": " + behind());
    }
  }

  /** Longer kept than the rises that are remembered reach back. */
  @Test
  void deletionComesAfterMoreRisesThanAreRemembered() {
    long kept = 400 * DAY;
    for (int day = 0; day < 3_000; day++) {
      run(12 * HOUR, HOUR);
      jump(12 * HOUR);
    }
    assertTrue(trust.rises().size() <= 256, "" + trust.rises().size());
    long late = wallMs - trust.nowMs(kept, now());
    assertTrue(
        late > kept - DAY && late < kept + kept / 8, "" + TimeUnit.MILLISECONDS.toDays(late));
  }

  /** Without a battery it begins in 1970 and is right when it has asked. */
  @Test
  void aClockThatIsBehindForShortSaysNothing() {
    for (int boot = 0; boot < 10; boot++) {
      run(HOUR, MINUTE);
      long right = wallMs + MINUTE;
      restart(-wallMs);
      assertEquals(0, behind(), "by a clock that is behind nothing is old");
      run(30 * SECOND, SECOND);
      jump(right - wallMs);
      assertTrue(behind() <= 2 * MINUTE, "" + behind());
      assertEquals(Optional.empty(), trust.newest());
    }
  }

  @Test
  void timesOfBeingBehindAreNotAddedUp() {
    for (int i = 0; i < 5; i++) {
      jump(-YEAR);
      run(6 * MINUTE, SECOND);
      jump(YEAR + SECOND);
      run(SECOND / 2, SECOND / 2);
    }
    assertEquals(Optional.empty(), trust.newest());
  }

  @Test
  void whatWasStoredByAClockThatWasBehindForLongIsNotTakenForOld() {
    jump(-YEAR);
    run(HOUR, MINUTE);
    long storedMs = wallMs;
    jump(YEAR);
    assertTrue(trust.nowMs(KEPT, now()) - KEPT < storedMs);
    run(KEPT, MINUTE);
    assertEquals(0, behind());
  }

  @Test
  void aRestartForgetsNotThatTheClockIsBehind() {
    jump(-YEAR);
    run(6 * MINUTE, SECOND);
    restart(MINUTE);
    run(2 * MINUTE, SECOND);
    assertEquals(Optional.empty(), trust.newest());
    assertTrue(trust.behindSinceMs().isPresent());
    restart(MINUTE);
    run(2 * MINUTE + SECOND, SECOND);
    long storedMs = wallMs;
    jump(YEAR);
    assertTrue(trust.nowMs(KEPT, now()) - KEPT < storedMs, "it was behind for ten minutes");
    run(KEPT, MINUTE);
    assertEquals(0, behind());
  }

  @Test
  void aRestartWithARightClockForgetsThatItWasBehind() {
    jump(-YEAR);
    run(9 * MINUTE, SECOND);
    restart(YEAR - 5 * MINUTE);
    assertEquals(Optional.empty(), trust.newest());
    run(MINUTE, SECOND);
    restart(-YEAR);
    run(9 * MINUTE, SECOND);
    jump(YEAR);
    assertEquals(Optional.empty(), trust.newest(), "nine minutes again");
  }

  @Test
  void noticesAJumpOfAMinuteAndASecond() {
    ClockTrust before = trust;
    jump(MINUTE);
    assertEquals(Optional.empty(), trust.riseSince(before));
    trust = before;
    jump(SECOND);
    assertEquals(61 * SECOND, trust.heightMs(trust.riseSince(before).orElseThrow()));
    before = trust;
    jump(HOUR);
    assertEquals(HOUR, trust.heightMs(trust.riseSince(before).orElseThrow()));
    before = trust;
    jump(-HOUR / 2);
    assertEquals(Optional.empty(), trust.riseSince(before), "back is not ahead");
  }

  @Test
  void readsNothingButWhatIsWhole() {
    jump(YEAR);
    String text = trust.noted(now()).text();
    for (int end = 0; end < text.length() - 1; end++) {
      assertEquals(Optional.empty(), Noted.of(text.substring(0, end)), text.substring(0, end));
    }
    assertEquals(trust.noted(now()), Noted.of(text).orElseThrow());
    assertEquals(Optional.empty(), Noted.of(text.replace("rise ", "rise x")));
    assertEquals(Optional.empty(), Noted.of(text.replace("base", "base ")));
    jump(-2 * YEAR);
    run(MINUTE, SECOND);
    Noted behind = trust.noted(now());
    assertEquals(MINUTE, behind.behindMs().orElseThrow());
    assertEquals(behind, Noted.of(behind.text()).orElseThrow());
    assertEquals(Optional.empty(), Noted.of(behind.text().replace("behind ", "behind x")));
  }

  /** Whatever a wall clock does: what has not run for so long is not deleted. */
  @Test
  void noWallClockMakesAYoungRecordOld() {
    for (int seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      wallMs = BEGIN;
      trust = ClockTrust.restored(new Noted(wallMs, List.of()), now());
      long goneMs = 0;
      long[][] stored = new long[400][]; // by the wall, by running time; of a clock not behind
      int count = 0;
      for (int i = 0; i < 400; i++) {
        if (random.nextInt(20) == 0) {
          jump((long) (random.nextDouble() * YEAR));
        } else if (random.nextInt(20) == 0) {
          restart((long) (random.nextDouble() * YEAR));
        }
        stored[count++] = new long[] {wallMs, goneMs};
        run(HOUR, HOUR / 4);
        goneMs += HOUR;
        long beforeMs = trust.nowMs(KEPT, now()) - KEPT;
        for (int at = 0; at < count; at++) {
          boolean isDeleted = stored[at][0] < beforeMs;
          assertTrue(!isDeleted || goneMs - stored[at][1] >= KEPT - HOUR, "seed " + seed);
        }
      }
    }
  }
}
