package io.galop.ingest.presence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class PresenceStateTest {
  private static final long AFTER = 10;
  private final PresenceState state = new PresenceState(0);

  private String said() {
    assertTrue(state.isToBeSaid());
    String said = new String(state.say(), StandardCharsets.UTF_8);
    state.settled(true);
    return said;
  }

  private void count(long viewers, boolean isPartial, long now) {
    state.count(viewers, isPartial, now, AFTER);
  }

  @Test
  void saysWhatHasChanged() {
    assertFalse(state.isToBeSaid(), "nothing is known");
    count(0, false, 5);
    assertEquals("{\"viewers\":0,\"occupied\":true,\"partial\":false}", said());
    count(0, false, 9);
    assertFalse(state.isToBeSaid());
    count(0, false, 10);
    assertEquals("{\"viewers\":0,\"occupied\":false,\"partial\":false}", said());
    count(3, false, 11);
    assertEquals("{\"viewers\":3,\"occupied\":true,\"partial\":false}", said());
    count(0, false, 12);
    assertEquals("{\"viewers\":0,\"occupied\":true,\"partial\":false}", said());
    count(0, false, 21);
    assertEquals("{\"viewers\":0,\"occupied\":false,\"partial\":false}", said());
  }

  /** A part that is missing neither vacates a topic nor occupies it, and is told. */
  @Test
  void aDoubtIsToldAndChangesNothing() {
    count(1, false, 1);
    said();
    count(0, true, 50);
    assertEquals("{\"viewers\":0,\"occupied\":true,\"partial\":true}", said());
    count(0, false, 60);
    assertEquals("{\"viewers\":0,\"occupied\":false,\"partial\":false}", said());
    count(0, true, 61);
    assertEquals("{\"viewers\":0,\"occupied\":false,\"partial\":true}", said());
    count(2, true, 62);
    assertEquals("{\"viewers\":2,\"occupied\":true,\"partial\":true}", said());
  }

  @Test
  void saysAgainWhatWasNotStored() {
    count(1, false, 1);
    state.say();
    count(2, false, 2);
    assertFalse(state.isToBeSaid(), "one after the other");
    state.settled(false);
    assertTrue(state.isToBeSaid());
    state.say();
    state.settled(true);
    assertFalse(state.isToBeSaid());
    state.others(true, 3);
    assertTrue(state.isToBeSaid(), "another may have said something else");
    state.others(false, 4);
    assertFalse(state.isToBeSaid(), "another says it");
  }
}
