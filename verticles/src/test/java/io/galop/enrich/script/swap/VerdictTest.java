package io.galop.enrich.script.swap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.ConfigLoader;
import io.galop.config.enrich.ScriptConfig;
import io.galop.record.Record;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is decided on a new version, by what was seen of it. */
class VerdictTest {
  private static final Record RAW = record("a", "t", 1, "{}");
  private static final Outcome GOOD = outcome(List.of(RAW), "", false, 10_000, 1_000);
  private static final Outcome BAD = outcome(List.of(), "no", false, 10_000, 1_000);
  private static final Outcome LIMIT = outcome(List.of(), "too long", true, 10_000, 1_000);

  private final Comparison seen = new Comparison(new SwapMeters(new SimpleMeterRegistry(), "s.js"));
  private final ScriptConfig config =
      (ScriptConfig)
          ConfigLoader.parse(
                  "enrich: {chain: [script: {file: s.js, shadow: {seconds: 1, minRecords: 10,"
                      + " maxSeconds: 5, maxErrorPercent: 10, maxDifferencePercent: 50}}]}",
                  "test.yaml")
              .enrich()
              .chain()
              .get(0);

  private static Record record(String id, String topic, long timeUs, String data) {
    return new Record(id, topic, timeUs, data.getBytes(StandardCharsets.UTF_8));
  }

  private static Outcome outcome(
      List<Record> records, String failure, boolean byLimit, long cpuNanos, long bytes) {
    return new Outcome(records, failure, byLimit, cpuNanos, cpuNanos, bytes);
  }

  private void see(int times, Outcome live, Outcome candidate) {
    for (int i = 0; i < times; i++) {
      seen.add(RAW, live, candidate);
    }
  }

  private Verdict at(long elapsedMs) {
    try (HeapGrowth heap = new HeapGrowth()) {
      return Verdict.of(config, seen, heap, elapsedMs);
    }
  }

  private void assertRolledBack(long elapsedMs, String why) {
    Verdict verdict = at(elapsedMs);
    assertEquals(RolloutPhase.ROLLED_BACK, verdict.phase(), verdict.reason());
    assertTrue(verdict.reason().contains(why), verdict.reason());
  }

  @Test
  void aGoodOneTakesOverAtTheEndAndNotBefore() {
    see(20, GOOD, GOOD);
    assertEquals(RolloutPhase.SHADOW, at(999).phase());
    assertEquals(RolloutPhase.PROMOTED, at(1_000).phase());
  }

  @Test
  void tooFewRecordsAreWaitedForAndNotForEver() {
    see(9, GOOD, GOOD);
    assertEquals(RolloutPhase.SHADOW, at(4_999).phase());
    assertRolledBack(5_000, "on 9 records only within maxSeconds, minRecords is 10");
  }

  @Test
  void failuresCountBeyondThoseOfTheOneInUse() {
    see(20, BAD, BAD);
    see(80, GOOD, GOOD);
    see(2, GOOD, BAD);
    assertEquals(RolloutPhase.SHADOW, at(10).phase());
    see(20, GOOD, BAD);
    assertRolledBack(10, "failed on 22 of 122 records more");
  }

  @Test
  void oneThatFailsLessTakesOver() {
    see(90, BAD, GOOD);
    see(110, GOOD, GOOD);
    assertEquals(RolloutPhase.PROMOTED, at(1_000).phase());
  }

  @Test
  void limitsEndItAtOnce() {
    see(1000, GOOD, GOOD);
    see(3, GOOD, LIMIT);
    assertRolledBack(10, "limits ended 3 of its calls");
  }

  @Test
  void costCountsBeyondWhatIsFree() {
    see(20, GOOD, outcome(List.of(RAW), "", false, 90_000, 1_000));
    assertEquals(RolloutPhase.PROMOTED, at(1_000).phase(), "100 us are free");
    see(20, GOOD, outcome(List.of(RAW), "", false, 300_000, 1_000));
    assertRolledBack(1_000, "maxCostRatio is 3.0");
  }

  @Test
  void warmingUpIsNoCost() {
    see(20, GOOD, outcome(List.of(RAW), "", false, 300_000, 1_000));
    seen.costsFromNow();
    see(20, GOOD, GOOD);
    assertEquals(RolloutPhase.PROMOTED, at(1_000).phase());
  }

  @Test
  void oneThatIsSuspendedIsNothingToCompareCostOrOutputWith() {
    see(20, Outcome.UNKNOWN, outcome(List.of(RAW), "", false, 300_000, 1_000_000));
    assertEquals(RolloutPhase.PROMOTED, at(1_000).phase());
    String reason = at(1_000).reason();
    assertTrue(reason.contains("compared on 20 records: 0 differ"), reason);
    assertTrue(reason.endsWith("the one in use was suspended for 20 of them"), reason);
  }

  @Test
  void oneThatIsSuspendedInTheSecondHalfHasNoCost() {
    see(10, GOOD, outcome(List.of(RAW), "", false, 300_000, 1_000));
    seen.costsFromNow();
    see(20, Outcome.UNKNOWN, outcome(List.of(RAW), "", false, 300_000, 1_000));
    assertEquals(RolloutPhase.PROMOTED, at(1_000).phase());
  }

  @Test
  void differencesAreAShareOfTheRecordsThatBothWereCalledFor() {
    see(20, Outcome.UNKNOWN, GOOD);
    see(1, GOOD, GOOD);
    see(1, GOOD, outcome(List.of(), "", false, 10_000, 1_000));
    assertEquals(RolloutPhase.PROMOTED, at(1_000).phase());
    see(1, GOOD, outcome(List.of(), "", false, 10_000, 1_000));
    assertRolledBack(1_000, "something else for 66.67 % of the records");
  }

  @Test
  void oneThatIsSuspendedForAWhileMightHaveDoneWell() {
    see(20, Outcome.UNKNOWN, BAD);
    assertRolledBack(10, "failed on 20 of 20 records more");
  }

  @Test
  void toFailNowAndThenIsBetterThanToBeSuspendedForGoodAndToFailAlwaysIsNot() {
    Outcome suspended = Outcome.failed("it is suspended");
    see(20, suspended, BAD);
    assertEquals(RolloutPhase.SHADOW, at(10).phase());
    assertRolledBack(1_000, "it failed on all of 20 records, as the one in use does");
    see(1, suspended, GOOD);
    assertEquals(RolloutPhase.PROMOTED, at(1_000).phase());
    see(3, suspended, LIMIT);
    assertRolledBack(1_000, "limits ended 3 of its calls");
  }

  @Test
  void memoryThatIsAllocatedCountsToo() {
    see(20, GOOD, outcome(List.of(RAW), "", false, 10_000, 1_000_000));
    assertRolledBack(1_000, "allocates 1,000,000 bytes for a record, the one in use 1,000");
  }

  @Test
  void whateverADifferenceIsInIsADifference() {
    for (Record other :
        List.of(
            record("b", "t", 1, "{}"),
            record("a", "u", 1, "{}"),
            record("a", "t", 2, "{}"),
            record("a", "t", 1, "{ }"))) {
      assertFalse(Comparison.isSame(GOOD, outcome(List.of(other), "", false, 1, 1)));
    }
    assertFalse(Comparison.isSame(GOOD, BAD));
    assertFalse(Comparison.isSame(GOOD, outcome(List.of(), "", false, 1, 1)));
    assertTrue(Comparison.isSame(BAD, LIMIT), "both are dead letters");
    see(9, GOOD, GOOD);
    see(10, GOOD, outcome(List.of(), "", false, 10_000, 1_000));
    assertRolledBack(1_000, "something else for 52.63 % of the records");
  }
}
