package io.galop.loadtest.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.loadtest.chaos.Journal.Event;
import io.galop.loadtest.chaos.Journal.Kind;
import io.galop.loadtest.chaos.OracleVerdict.Violation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** It notices each kind of violation, and nothing where there is none. */
class OracleTest {
  private static final SeenPosition P1 = new SeenPosition(3, 7, 1);
  private static final SeenPosition P2 = new SeenPosition(3, 7, 2);
  private static final SeenPosition P3 = new SeenPosition(3, 7, 3);
  private static final SeenPosition NEXT_EPOCH = new SeenPosition(3, 9, 0);

  private final PublishedRecords ledger = new PublishedRecords();
  private final List<String> store = new ArrayList<>();
  private final Map<String, SeenPosition> positions = new HashMap<>();
  private final Journal viewer = new Journal("viewer");
  private long nowNs;

  @BeforeEach
  void begin() {
    nowNs = System.nanoTime() - 1;
    word(Kind.LIVE, Map.of(3, new SeenPosition(3, 7, 0)));
    // What is published from here on is owed.
    for (String id : List.of("one", "two", "three")) {
      publish(id);
    }
  }

  private PublishedRecords.Entry publish(String id) {
    PublishedRecords.Entry entry = ledger.add(id, "chaos/1");
    entry.acknowledge();
    store.add(id);
    nowNs = Math.max(nowNs, entry.sentNs());
    return entry;
  }

  private void shown(String id, SeenPosition position) {
    viewer.add(new Event(++nowNs, Kind.SHOWN, id, position, null));
  }

  private void word(Kind kind, Map<Integer, SeenPosition> live) {
    viewer.add(new Event(++nowNs, kind, null, null, live));
  }

  private OracleVerdict judge() {
    Map<String, List<String>> stores = Map.of("store", store);
    return Oracle.judge(new Evidence(ledger.entries(), stores, positions, List.of(viewer)));
  }

  private void assertOnly(Violation violation, long count) {
    OracleVerdict verdict = judge();
    for (Violation each : Violation.values()) {
      assertEquals(each == violation ? count : 0, verdict.count(each), verdict + " " + each);
    }
    assertEquals(count == 0, verdict.isClean());
    assertEquals(count, verdict.examples().size());
  }

  private void showAll() {
    shown("one", P1);
    shown("two", P2);
    shown("three", P3);
  }

  @Test
  void allIsWell() {
    showAll();
    assertOnly(Violation.LOST, 0);
  }

  @Test
  void lost() {
    showAll();
    store.remove("two");
    assertOnly(Violation.LOST, 1);
  }

  @Test
  void notAcknowledgedIsNotLost() {
    showAll();
    ledger.add("four", "chaos/1");
    assertOnly(Violation.LOST, 0);
  }

  @Test
  void doubled() {
    showAll();
    store.add("two");
    assertOnly(Violation.DOUBLED, 1);
  }

  @Test
  void shownTwice() {
    showAll();
    shown("two", P2);
    assertOnly(Violation.SHOWN_TWICE, 1);
  }

  @Test
  void shownTwiceAtAnotherPosition() {
    showAll();
    shown("two", NEXT_EPOCH);
    assertOnly(Violation.SHOWN_TWICE, 1);
  }

  @Test
  void aResumedConnectionIsNotShownAnythingTwice() {
    showAll();
    word(Kind.ENDED, null);
    word(Kind.RESUMED, null);
    shown("three", P3);
    assertOnly(Violation.SHOWN_TWICE, 1);
  }

  @Test
  void aScreenThatBeginsAnewShowsTheNewestAgain() {
    showAll();
    word(Kind.INCOMPLETE, null);
    shown("three", P3);
    word(Kind.LIVE, Map.of(3, P3));
    assertOnly(Violation.SHOWN_TWICE, 0);
  }

  @Test
  void silent() {
    shown("one", P1);
    shown("three", P3);
    assertOnly(Violation.SILENT, 1);
  }

  @Test
  void silentAlthoughResumedAsComplete() {
    shown("one", P1);
    word(Kind.ENDED, null);
    word(Kind.RESUMED, null);
    shown("three", P3);
    word(Kind.LIVE, Map.of(3, P3));
    assertOnly(Violation.SILENT, 1);
  }

  @Test
  void silentAlthoughItWasStaleMeanwhile() {
    shown("one", P1);
    word(Kind.STALE, null);
    word(Kind.FRESH, null);
    shown("three", P3);
    assertOnly(Violation.SILENT, 1);
  }

  @Test
  void announced() {
    shown("one", P1);
    positions.put("two", P2);
    word(Kind.INCOMPLETE, null);
    shown("three", P3);
    word(Kind.LIVE, Map.of(3, P3));
    assertOnly(Violation.SILENT, 0);
  }

  @Test
  void itIsCountedWhatViewersWereTold() {
    shown("one", P1);
    positions.put("two", P2);
    word(Kind.INCOMPLETE, null);
    shown("three", P3);
    word(Kind.LIVE, Map.of(3, P3));
    OracleVerdict verdict = judge();
    assertEquals(1, verdict.told());
    assertEquals(List.of(), verdict.needless());
  }

  @Test
  void itIsCountedThatNothingWasMissingAfterAll() {
    showAll();
    word(Kind.INCOMPLETE, null);
    shown("three", P3);
    word(Kind.LIVE, Map.of(3, P3));
    OracleVerdict verdict = judge();
    assertEquals(0, verdict.told());
    assertEquals(1, verdict.needless().size());
    assertEquals("viewer", verdict.needless().get(0).viewer());
    assertTrue(verdict.isClean());
  }

  /** So that each fault of a run can be judged by itself. */
  @Test
  void someRecordsAreJudgedByThemselves() {
    shown("one", P1);
    shown("two", P2);
    shown("two", P2);
    Evidence all =
        new Evidence(ledger.entries(), Map.of("store", store), positions, List.of(viewer));
    assertTrue(Oracle.judge(all.about(record -> record.id().equals("one"))).isClean());
    OracleVerdict two = Oracle.judge(all.about(record -> record.id().equals("two")));
    assertEquals(1, two.count(Violation.SHOWN_TWICE));
    assertEquals(0, two.count(Violation.SILENT));
    OracleVerdict three = Oracle.judge(all.about(record -> record.id().equals("three")));
    assertEquals(0, three.count(Violation.SHOWN_TWICE));
    assertEquals(1, three.count(Violation.SILENT));
  }

  @Test
  void aGapOfAnotherShardExcusesNothing() {
    shown("one", P1);
    positions.put("two", P2);
    word(Kind.INCOMPLETE, null);
    shown("three", P3);
    word(Kind.LIVE, Map.of(4, new SeenPosition(4, 7, 90)));
    assertOnly(Violation.SILENT, 1);
  }

  @Test
  void eachOfSeveralGapsHasAnEndOfItsOwn() {
    positions.put("one", new SeenPosition(4, 7, 1));
    positions.put("two", P2);
    word(Kind.INCOMPLETE, null);
    word(Kind.INCOMPLETE, null);
    word(Kind.LIVE, Map.of(4, new SeenPosition(4, 7, 1)));
    shown("three", P3);
    word(Kind.LIVE, Map.of(3, P3));
    assertOnly(Violation.SILENT, 0);
    assertEquals(List.of(), judge().needless());
  }

  @Test
  void whoComesBackHasTheEndOfAllThatWasTold() {
    positions.put("one", new SeenPosition(4, 7, 1));
    positions.put("two", P2);
    word(Kind.INCOMPLETE, null);
    word(Kind.INCOMPLETE, null);
    word(Kind.ENDED, null);
    word(Kind.RESUMED, null);
    shown("three", P3);
    word(Kind.LIVE, Map.of(3, P3, 4, new SeenPosition(4, 7, 1)));
    assertOnly(Violation.SILENT, 0);
  }

  @Test
  void announcedBeforeItWasSent() {
    word(Kind.INCOMPLETE, null);
    word(Kind.LIVE, Map.of(3, new SeenPosition(3, 7, 0)));
    nowNs = System.nanoTime();
    showAll();
    while (System.nanoTime() <= nowNs) {
      Thread.onSpinWait();
    }
    publish("four");
    assertOnly(Violation.SILENT, 1);
  }

  @Test
  void behindTheEndOfWhatWasAnnounced() {
    shown("one", P1);
    positions.put("three", P3);
    word(Kind.INCOMPLETE, null);
    shown("two", P2);
    word(Kind.LIVE, Map.of(3, P2));
    assertOnly(Violation.SILENT, 1);
  }

  @Test
  void whoIsNeverLiveIsNotExcused() {
    Journal never = new Journal("never");
    Map<String, List<String>> stores = Map.of("store", store);
    OracleVerdict verdict =
        Oracle.judge(new Evidence(ledger.entries(), stores, positions, List.of(never)));
    assertEquals(1, verdict.count(Violation.SILENT));
    assertTrue(verdict.toString().contains("silent 1"), verdict.toString());
  }
}
