package io.galop.broadcast.hub;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.broadcast.ring.Entry;
import io.galop.record.Position;
import io.galop.record.Record;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which records are news to a registration. */
class SeenPositionsTest {
  private final SeenPositions positions = new SeenPositions();

  private static Entry entry(int shard, int offset) {
    Record record = new Record("id" + offset, "a", 1, "{}".getBytes());
    return Entry.of(new Position(shard, 1, offset), record);
  }

  @Test
  void whatWasSeenIsNoNewsUntilOlderValuesAreShownAgain() {
    positions.seen(Map.of(0, new Position(0, 1, 20), 1, new Position(1, 1, 20)));
    assertFalse(positions.isMeant(entry(0, 20)));
    assertTrue(positions.isMeant(entry(0, 21)));

    positions.shownAgain(new Position(0, 1, 10));
    assertFalse(positions.isMeant(entry(0, 10)));
    assertTrue(positions.isMeant(entry(0, 11)), "or 10 would stay on the screen");
    assertFalse(positions.isMeant(entry(1, 11)), "of another shard");

    positions.shownAgain(new Position(1, 0, 10));
    assertFalse(positions.isMeant(entry(1, 11)), "its owner knows what another epoch goes on with");

    positions.shownAgain(new Position(0, 1, 30));
    assertTrue(positions.isMeant(entry(0, 11)), "what it was not shown yet is news");
  }
}
