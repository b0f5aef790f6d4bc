package io.galop.persist.ownership;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.galop.persist.log.RecoveredShard;
import io.galop.persist.log.file.EpochEnd;
import io.galop.persist.ram.EpochTable;
import io.galop.record.Position;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What a node knows of a shard's epochs when it starts again. */
class EpochLogTest {
  private static final long FIRST = (1L << 32) + 2;
  private static final long NEXT = (2L << 32) + 4;

  private final TreeMap<Long, Long> log = new TreeMap<>();

  private Future<Void> write(int shard, long epoch, Position last) {
    if (!last.isNone()) {
      log.merge(last.epoch(), last.offset(), Math::max);
    }
    log.merge(epoch, 0L, Math::max);
    return Future.succeededFuture();
  }

  private RecoveredShard recovered() {
    List<EpochEnd> newestFirst =
        log.descendingMap().entrySet().stream()
            .map(end -> new EpochEnd(end.getKey(), end.getValue()))
            .toList();
    return new RecoveredShard(0, newestFirst);
  }

  private void place(long epoch, long offset) {
    log.merge(epoch, offset, Math::max);
  }

  @Test
  void whatWasPlacedApartIsOwedAfterARestartUntilAnOwnerHasHeard() {
    EpochLog.begin(this::write, FIRST, Position.none(0), true, true);
    place(FIRST, 3);
    assertEquals(Past.REPORTED, EpochLog.past(recovered()), "nobody was beside it");
    EpochLog.apart(this::write, 0, FIRST);
    assertEquals(new Past.Owed(FIRST, true), EpochLog.past(recovered()));
    EpochLog.heard(this::write, 0, FIRST);
    assertEquals(Past.REPORTED, EpochLog.past(recovered()));
    EpochLog.begin(this::write, NEXT, new Position(0, FIRST, 3), true, true);
    place(NEXT, 1);
    EpochLog.apart(this::write, 0, NEXT);
    assertEquals(new Past.Owed(NEXT, true), EpochLog.past(recovered()));
  }

  /** On a quiet shard: a mark makes no doubt of the owner's epoch, nor a debt of nothing. */
  @Test
  void nothingThatWasPlacedApartIsNoDebtAndNoDoubt() {
    EpochLog.begin(this::write, FIRST, Position.none(0), true, true);
    place(FIRST, 3);
    EpochLog.begin(this::write, NEXT, new Position(0, FIRST, 3), true, true);
    EpochLog.apart(this::write, 0, NEXT);
    EpochTable known = new EpochTable(0);
    assertEquals(new Position(0, NEXT, 0), EpochLog.learn(recovered(), known));
    assertEquals(NEXT, known.newest());
    assertEquals(Position.none(0), EpochLog.knownSince(recovered()));
    assertEquals(Past.REPORTED, EpochLog.past(recovered()));
    EpochLog.apart(this::write, 0, FIRST);
    assertEquals(new Past.Owed(FIRST, true), EpochLog.past(recovered()));
  }

  /** An epoch that was begun and came to nothing reports nothing. */
  @Test
  void anEmptyEpochChangesNothing() {
    EpochLog.begin(this::write, FIRST, Position.none(0), true, true);
    place(FIRST, 3);
    EpochLog.apart(this::write, 0, FIRST);
    EpochLog.begin(this::write, NEXT, new Position(0, FIRST, 3), false, true);
    assertEquals(new Past.Owed(FIRST, true), EpochLog.past(recovered()));
  }

  @Test
  void thatAnOwnerHasHeardIsNoEpoch() {
    EpochLog.begin(this::write, FIRST, Position.none(0), true, true);
    place(FIRST, 3);
    EpochLog.apart(this::write, 0, FIRST);
    EpochLog.heard(this::write, 0, FIRST);
    EpochTable known = new EpochTable(0);
    assertEquals(new Position(0, FIRST, 3), EpochLog.learn(recovered(), known));
    assertEquals(FIRST, known.newest());

    EpochLog.begin(this::write, NEXT, new Position(0, FIRST, 3), true, true);
    EpochTable after = new EpochTable(0);
    assertEquals(new Position(0, NEXT, 0), EpochLog.learn(recovered(), after));
    assertEquals(Optional.of(new Position(0, NEXT, 0)), after.normalize(new Position(0, FIRST, 3)));
    assertEquals(Position.none(0), EpochLog.knownSince(recovered()));
  }

  @Test
  void doubtAboutWhatCameBeforeIsKept() {
    EpochLog.begin(this::write, FIRST, Position.none(0), true, true);
    place(FIRST, 3);
    EpochLog.heard(this::write, 0, FIRST);
    EpochLog.begin(this::write, NEXT, new Position(0, FIRST, 3), false, true);
    EpochTable known = new EpochTable(0);
    EpochLog.learn(recovered(), known);
    assertEquals(
        Optional.of(new Position(0, FIRST, 3)), known.normalize(new Position(0, FIRST, 3)));
    assertEquals(new Position(0, NEXT, 0), EpochLog.knownSince(recovered()));
  }
}
