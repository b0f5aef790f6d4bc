package io.galop.ops.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Who is silent, and when it is this node that should go. */
class HearingTest {
  private static final Set<String> NOBODY = Set.of();
  private static final int SILENT_AT = 3;

  private static void miss(Hearing hearing, String... nodes) {
    for (int i = 0; i < SILENT_AT; i++) {
      List.of(nodes).forEach(hearing::missed);
    }
  }

  private static void assertVerdict(
      Set<String> silent, boolean isDeaf, Hearing hearing, String... members) {
    assertEquals(new Hearing.Verdict(silent, isDeaf), hearing.verdict(List.of(members)));
  }

  @Test
  void oneOfSeveralIsSilentByItself() {
    Hearing hearing = new Hearing("a", SILENT_AT);
    miss(hearing, "b");
    assertVerdict(Set.of("b"), false, hearing, "a", "b", "c");
    hearing.answered("b");
    assertVerdict(NOBODY, false, hearing, "a", "b", "c");
  }

  @Test
  void whomNobodyAnswersIsDeafAlsoIfItIsTheEldest() {
    Hearing hearing = new Hearing("a", SILENT_AT);
    miss(hearing, "b", "c");
    assertVerdict(Set.of("b", "c"), true, hearing, "a", "b", "c");
    hearing.answered("c");
    assertVerdict(Set.of("b"), false, hearing, "a", "b", "c");
  }

  @Test
  void ofTwoTheYoungerGoes() {
    Hearing elder = new Hearing("a", SILENT_AT);
    miss(elder, "b");
    assertVerdict(Set.of("b"), false, elder, "a", "b");
    Hearing younger = new Hearing("b", SILENT_AT);
    miss(younger, "a");
    assertVerdict(Set.of("a"), true, younger, "a", "b");
  }

  @Test
  void whoHasLeftIsForgotten() {
    Hearing hearing = new Hearing("b", SILENT_AT);
    miss(hearing, "a");
    assertVerdict(NOBODY, false, hearing, "b");
    assertVerdict(NOBODY, false, hearing, "a", "b");
  }

  @Test
  void anAnswerInBetweenBeginsAnew() {
    Hearing hearing = new Hearing("b", SILENT_AT);
    for (int i = 1; i < SILENT_AT; i++) {
      hearing.missed("a");
    }
    hearing.answered("a");
    hearing.missed("a");
    assertVerdict(NOBODY, false, hearing, "a", "b");
  }

  @Test
  void isFoundWithin15Seconds() {
    long lastTimeoutMs = 4_000;
    assertTrue(Hearing.silentAt(6) * Hearing.ASK_MS + lastTimeoutMs < 15_000);
  }

  /**
   * Whom the cluster takes for dead later than usual this one does too: it would be unready alone.
   */
  @Test
  void theDeadDoNotMakeDeaf() {
    for (int maxSilenceSeconds = 3; maxSilenceSeconds <= 300; maxSilenceSeconds++) {
      long firstMissMs = 4_000;
      long foundMs = firstMissMs + (Hearing.silentAt(maxSilenceSeconds) - 1) * Hearing.ASK_MS;
      assertTrue(foundMs > maxSilenceSeconds * 1_000L, maxSilenceSeconds + " s");
    }
  }
}
