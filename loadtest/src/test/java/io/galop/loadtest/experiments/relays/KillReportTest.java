package io.galop.loadtest.experiments.relays;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.loadtest.chaos.Evidence;
import io.galop.loadtest.chaos.Journal;
import io.galop.loadtest.chaos.Journal.Event;
import io.galop.loadtest.chaos.Journal.Kind;
import io.galop.loadtest.chaos.PublishedRecords;
import io.galop.loadtest.chaos.SeenPosition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Whatever is wrong makes the command fail. */
class KillReportTest {
  private static final SeenPosition POSITION = new SeenPosition(0, 1, 1);

  private final PublishedRecords ledger = new PublishedRecords();
  private final Journal viewer = new Journal("viewer");
  private final List<String> history = new ArrayList<>(List.of("one"));
  private final List<String> ended = new ArrayList<>();
  private String missing = "";
  private boolean isDrained = true;

  private void live() {
    viewer.add(new Event(System.nanoTime() - 1, Kind.LIVE, null, null, Map.of()));
    ledger.add("one", "chaos/1").acknowledge();
  }

  private void shown() {
    viewer.add(new Event(System.nanoTime(), Kind.SHOWN, "one", POSITION, null));
  }

  private boolean isRight() {
    Map<String, List<String>> stores = Map.of("history", history);
    Evidence evidence = new Evidence(ledger.entries(), stores, Map.of(), List.of(viewer));
    long now = System.nanoTime();
    Kill kill = new Kill(2, "node-3", now - 9_000, now - 9_000, now - 5_000, now, missing);
    return new KillReport(List.of(kill), evidence, ledger, ended, isDrained).print();
  }

  @Test
  void allIsWell() {
    live();
    shown();
    assertTrue(isRight());
  }

  @Test
  void silent() {
    live();
    assertFalse(isRight());
  }

  @Test
  void shownTwice() {
    live();
    shown();
    shown();
    assertFalse(isRight());
  }

  @Test
  void lostOrDoubled() {
    live();
    shown();
    history.add("one");
    assertFalse(isRight());
    history.clear();
    assertFalse(isRight());
  }

  @Test
  void notHealedInTime() {
    live();
    shown();
    missing = "not every link is up";
    assertFalse(isRight());
  }

  @Test
  void aProcessHasEndedByItself() {
    live();
    shown();
    ended.add("node-1");
    assertFalse(isRight());
  }

  @Test
  void notAllAcknowledgedInTheEnd() {
    live();
    shown();
    isDrained = false;
    assertFalse(isRight());
  }
}
