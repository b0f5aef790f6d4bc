package io.galop.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.ledger.ClosedMinute.Line;
import io.galop.ledger.ClosedMinute.Residual;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Minutes of a clock that the test moves. */
class LedgerTest {
  private static final int LOGGED = Border.OWNER.column("logged");
  private static final int WAITING = Border.DOOR.column("waiting");
  private long nowMs = 600_000;
  private final NodeLedger ledger = new NodeLedger(60_000, () -> nowMs);
  private final Book owner = ledger.open(Border.OWNER, "", 4, Runnable::run);
  private final Book log = ledger.openFollowing(Border.OWNER, 4);

  private void nextMinute() {
    nowMs += 60_000;
    ledger.look();
    ledger.look();
  }

  private ClosedMinute last() {
    List<ClosedMinute> all = ledger.minutes();
    return all.get(all.size() - 1);
  }

  private long place(int shard, int records) {
    long minute = owner.turn();
    owner.addAt(minute, shard, Border.IN, records);
    owner.open(minute, shard, records);
    return minute;
  }

  private void log(long minute, int shard, int records, int answered) {
    log.addAt(minute, shard, LOGGED, records);
    owner.open(minute, shard, -answered);
  }

  @Test
  void aMinuteIsToldWhenAllOfItIsAnswered() {
    nextMinute();
    assertFalse(last().isSettled(), "the node started in it");
    long minute = place(1, 10);
    nextMinute();
    assertEquals(1, ledger.minutes().size(), "it waits for the Log");
    place(1, 5);
    log(minute, 1, 10, 10);
    ledger.look();
    assertEquals(2, ledger.minutes().size());
    assertTrue(last().isSettled());
    assertEquals(0, last().residual());
    assertEquals(List.of(10L, 10L), last().lines().get(0).sums());
    assertEquals(660_000, last().startMs());
  }

  @Test
  void aResidualHasItsStageShardMinuteAndDirection() {
    nextMinute();
    log(place(1, 10), 1, 9, 10);
    log(place(3, 5), 3, 7, 5);
    nextMinute();
    assertEquals(3, last().residual());
    Line line = last().lines().get(0);
    assertEquals("owner", line.stage());
    assertEquals(List.of(new Residual(1, 1), new Residual(3, -2)), line.residuals());
    nextMinute();
    assertEquals(0, last().residual());
    assertEquals(List.of(), last().lines());
  }

  @Test
  void whatIsNeverAnsweredIsNoResidual() {
    nextMinute();
    place(2, 3);
    for (int i = 0; i < Book.MINUTES; i++) {
      nextMinute();
    }
    ClosedMinute open = ledger.minutes().get(1);
    assertFalse(open.isSettled());
    assertEquals(0, open.residual());
    assertTrue(open.unsettled().orElseThrow().startsWith("owner: 3 records"), open.toString());
    assertTrue(last().isSettled(), "those after it are told");
  }

  @Test
  void aClockThatGoesBackOrJumpsRaisesNoAlarm() {
    nextMinute();
    long minute = place(0, 4);
    nowMs -= 180_000;
    log(minute, 0, 4, 4);
    log(place(0, 2), 0, 2, 2);
    nowMs += 3_600_000;
    ledger.look();
    ledger.look();
    log(place(0, 2), 0, 2, 2);
    nextMinute();
    assertTrue(ledger.minutes().stream().allMatch(one -> one.residual() == 0));
    assertTrue(last().isSettled());
    assertEquals(List.of(2L, 2L), last().lines().get(0).sums());
  }

  @Test
  void minutesGoOnByTheClockThatWasAheadAndIsRightAgain() {
    nextMinute();
    nowMs += 3_600_000;
    ledger.look();
    log(place(1, 10), 1, 9, 10);
    nowMs -= 3_600_000;
    ledger.look();
    ledger.look();
    assertEquals(1, last().residual());
    assertEquals(660_000 + 3_600_000, last().startMs(), "named by the clock of that time");
    log(place(2, 4), 2, 4, 4);
    assertEquals(660_000, ledger.told().nextMs());
    nextMinute();
    assertEquals(660_000, last().startMs(), "the clock is right again");
    assertEquals(List.of(4L, 4L), last().lines().get(0).sums());
    nextMinute();
    assertEquals(720_000, last().startMs());
    assertEquals(600_000, ledger.told().firstMs());
    assertEquals(
        List.of(600_000L, 660_000L, 720_000L),
        ledger.told().past().stream().map(ClosedMinute::startMs).distinct().toList());
  }

  @Test
  void aClockThatWasAheadAtTheStartHasItsFirstMinuteWhereItWasSetTo() {
    nowMs -= 300_000;
    ledger.look();
    assertEquals(300_000, ledger.told().firstMs());
    nextMinute();
    assertEquals(300_000, last().startMs());
    assertTrue(last().isSettled(), last().toString());
  }

  @Test
  void aClockThatIsBehindByLessThanAMinuteNamesNoMinuteTwice() {
    nextMinute();
    nowMs -= 30_000;
    ledger.look();
    assertEquals(1, ledger.minutes().size());
    nextMinute();
    assertEquals(1, ledger.minutes().size(), "a longer one");
    nextMinute();
    assertEquals(2, ledger.minutes().size());
    assertEquals(660_000, last().startMs());
  }

  @Test
  void whatWaitsAtTheEndOfAMinuteIsOfTheNext() {
    Book door = ledger.open(Border.DOOR, "", 1, Runnable::run);
    nextMinute();
    door.turn();
    door.add(0, Border.IN, 8);
    door.add(0, WAITING, 8);
    nextMinute();
    assertEquals(List.of(8L, 0L, 0L, 0L, 0L, 8L), last().lines().get(0).sums());
    door.add(0, WAITING, -8);
    door.add(0, Border.DOOR.column("accepted"), 8);
    nextMinute();
    assertEquals(List.of(0L, 8L, 0L, 0L, 0L, -8L), last().lines().get(0).sums());
    assertEquals(0, last().residual());
  }

  @Test
  void aThreadThatHangsLeavesTheMinuteOpen() {
    ledger.open(Border.FEED, "", 1, task -> {});
    nextMinute();
    assertEquals(List.of(), ledger.minutes());
  }
}
