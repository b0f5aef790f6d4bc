package io.galop.ops.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Who is silent, and when it is this node that should go. */
class HearingTest {
  private static final Set<String> NOBODY = Set.of();

  private static void miss(Hearing hearing, String... nodes) {
    for (int i = 0; i < Hearing.SILENT_AT; i++) {
      List.of(nodes).forEach(hearing::missed);
    }
  }

  private static void assertVerdict(
      Set<String> silent, boolean isDeaf, Hearing hearing, String... members) {
    assertEquals(new Hearing.Verdict(silent, isDeaf), hearing.verdict(List.of(members)));
  }

  @Test
  void oneOfSeveralIsSilentByItself() {
    Hearing hearing = new Hearing("a");
    miss(hearing, "b");
    assertVerdict(Set.of("b"), false, hearing, "a", "b", "c");
    hearing.answered("b");
    assertVerdict(NOBODY, false, hearing, "a", "b", "c");
  }

  @Test
  void whomNobodyAnswersIsDeafAlsoIfItIsTheEldest() {
    Hearing hearing = new Hearing("a");
    miss(hearing, "b", "c");
    assertVerdict(Set.of("b", "c"), true, hearing, "a", "b", "c");
    hearing.answered("c");
    assertVerdict(Set.of("b"), false, hearing, "a", "b", "c");
  }

  @Test
  void ofTwoTheYoungerGoes() {
    Hearing elder = new Hearing("a");
    miss(elder, "b");
    assertVerdict(Set.of("b"), false, elder, "a", "b");
    Hearing younger = new Hearing("b");
    miss(younger, "a");
    assertVerdict(Set.of("a"), true, younger, "a", "b");
  }

  @Test
  void whoHasLeftIsForgotten() {
    Hearing hearing = new Hearing("b");
    miss(hearing, "a");
    assertVerdict(NOBODY, false, hearing, "b");
    assertVerdict(NOBODY, false, hearing, "a", "b");
  }

  @Test
  void anAnswerInBetweenBeginsAnew() {
    Hearing hearing = new Hearing("b");
    for (int i = 1; i < Hearing.SILENT_AT; i++) {
      hearing.missed("a");
    }
    hearing.answered("a");
    hearing.missed("a");
    assertVerdict(NOBODY, false, hearing, "a", "b");
  }

  @Test
  void isFoundWithin15Seconds() {
    long lastTimeoutMs = 4_000;
    assertTrue(Hearing.SILENT_AT * Hearing.ASK_MS + lastTimeoutMs < 15_000);
  }
}
