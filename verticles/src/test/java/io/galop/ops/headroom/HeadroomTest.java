package io.galop.ops.headroom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What is named, and when. */
class HeadroomTest {
  private static final long SECOND = 1_000_000_000L;

  private final List<LoadSample> samples = new ArrayList<>();

  private void add(Map<LoadedStage, StageLoad> loads) {
    samples.add(new LoadSample(samples.size() * SECOND, loads));
  }

  private Headroom now() {
    int from = Math.max(0, samples.size() - Headroom.SAMPLES);
    return Headroom.of(samples.subList(from, samples.size()));
  }

  private LoadedStage next() {
    return now().next().orElseThrow().stage();
  }

  private static Map<LoadedStage, StageLoad> quiet() {
    Map<LoadedStage, StageLoad> loads = new EnumMap<>(LoadedStage.class);
    for (LoadedStage stage : LoadedStage.values()) {
      loads.put(stage, StageLoad.NONE);
    }
    loads.put(LoadedStage.LOOPS, StageLoad.busy(0.3));
    return loads;
  }

  private static Map<LoadedStage, StageLoad> with(LoadedStage stage, StageLoad load) {
    Map<LoadedStage, StageLoad> loads = quiet();
    loads.put(stage, load);
    return loads;
  }

  @Test
  void nothingIsNamedBeforeThereIsASample() {
    assertTrue(now().next().isEmpty());
    assertTrue(Double.isNaN(now().utilisation(LoadedStage.LOG)));
    assertFalse(HeadroomJson.of(now(), OptionalLong.empty()).containsKey("next"));
  }

  @Test
  void whatLastsIsNamedWithinTenSecondsByEachMeasureOfEachStage() {
    for (LoadedStage stage : LoadedStage.values()) {
      for (StageLoad load :
          List.of(new StageLoad(0.9, 0, 0), new StageLoad(0, 0.9, 0), new StageLoad(0, 0, 0.9))) {
        samples.clear();
        for (int i = 0; i < 30; i++) {
          add(quiet());
        }
        assertEquals(LoadedStage.LOOPS, next());
        int seconds = 0;
        while (now().utilisation(stage) < 0.8) {
          add(with(stage, load));
          seconds++;
          assertTrue(seconds <= 6, stage + " " + load);
        }
        assertEquals(stage, next());
        seconds = 0;
        while (now().utilisation(stage) > 0.5) {
          add(quiet());
          seconds++;
          assertTrue(seconds <= 6, "it stays named: " + stage + " " + load);
        }
      }
    }
  }

  @Test
  void aSpikeOfUpToFourSecondsChangesNothing() {
    for (int length = 1; length <= 4; length++) {
      samples.clear();
      for (int i = 0; i < 40; i++) {
        boolean isSpike = i >= 20 && i < 20 + length;
        add(isSpike ? with(LoadedStage.LOG, new StageLoad(1, 0, 1)) : quiet());
        assertEquals(LoadedStage.LOOPS, next());
        assertEquals(0.3, now().utilisation(LoadedStage.LOOPS), 1e-9);
      }
    }
    samples.clear();
    for (int i = 0; i < 40; i++) {
      add(with(LoadedStage.DOOR, new StageLoad(0, i == 20 ? 1 : 0, 0)));
      assertEquals(LoadedStage.LOOPS, next(), "a queue that was full for one second");
    }
  }

  @Test
  void aQueueThatFillsIsToldAheadAndSaysSo() {
    for (int i = 0; i < 9; i++) {
      add(with(LoadedStage.ENRICH, new StageLoad(0, 0.04 * i, 0)));
    }
    Headroom.OfStage next = now().next().orElseThrow();
    assertEquals(LoadedStage.ENRICH, next.stage());
    assertEquals(0.16 + 10 * 0.04, next.utilisation(), 0.02);
    assertEquals("queue", next.measure());
    assertEquals("16 % of its room taken, and it fills", next.reason());
  }

  @Test
  void theReasonIsTheWorstMeasureInPlainWords() {
    add(with(LoadedStage.LOG, new StageLoad(0.2, 0.1, 0.6)));
    assertEquals("150 ms late", now().next().orElseThrow().reason());
    samples.clear();
    add(with(LoadedStage.STORES, new StageLoad(0.2, 0.1, 7)));
    assertEquals("30000 ms late or more", now().next().orElseThrow().reason());
    samples.clear();
    add(with(LoadedStage.PROCESSORS, StageLoad.busy(0.61)));
    assertEquals("61 % of its time at work", now().next().orElseThrow().reason());
  }

  /** Whatever is measured: bounds, the median of each measure, and the name of the largest. */
  @Test
  void holdsForAnySamples() {
    Random random = new Random(72);
    for (int round = 0; round < 2_000; round++) {
      samples.clear();
      int count = 1 + random.nextInt(Headroom.SAMPLES);
      for (int i = 0; i < count; i++) {
        Map<LoadedStage, StageLoad> loads = new EnumMap<>(LoadedStage.class);
        for (LoadedStage stage : LoadedStage.values()) {
          loads.put(
              stage,
              new StageLoad(
                  random.nextDouble() * 2 - 0.5,
                  random.nextInt(9) == 0 ? Double.NaN : random.nextDouble(),
                  random.nextInt(9) == 0 ? Double.POSITIVE_INFINITY : random.nextDouble()));
        }
        add(loads);
      }
      Headroom headroom = now();
      double most = 0;
      for (Headroom.OfStage one : headroom.stages()) {
        assertTrue(one.utilisation() >= 0 && one.utilisation() <= 1, one.toString());
        assertTrue(one.utilisation() >= middle(one.stage()), one.toString());
        most = Math.max(most, one.utilisation());
      }
      Headroom.OfStage next = headroom.next().orElseThrow();
      assertEquals(Math.round(100 * most), next.percent());
      JsonObject json = HeadroomJson.of(headroom, OptionalLong.empty());
      assertEquals(100, json.getInteger("utilisationPercent") + json.getInteger("headroomPercent"));
    }
  }

  private double middle(LoadedStage stage) {
    double[] busy =
        samples.stream().mapToDouble(sample -> sample.loads().get(stage).busy()).sorted().toArray();
    return busy[(busy.length - 1) / 2];
  }

  @Test
  void theClusterIsAsFullAsItsFullestNode() {
    add(with(LoadedStage.LOG, new StageLoad(0, 0, 0.61)));
    JsonObject full = HeadroomJson.of(now(), OptionalLong.of(90));
    samples.clear();
    add(quiet());
    JsonObject idle = HeadroomJson.of(now(), OptionalLong.empty());
    JsonObject all = HeadroomJson.join(Map.of("a", idle, "b", full, "c", idle));
    assertEquals("b", all.getString("node"));
    assertEquals(61, all.getInteger("utilisationPercent"));
    assertEquals("log", all.getString("next"));
    assertEquals(3, all.getJsonArray("nodes").size());
    assertEquals(
        90,
        all.getJsonArray("nodes").getJsonObject(1).getJsonObject("log").getLong("fullInSeconds"));
    assertEquals(
        new JsonObject().put("utilisationPercent", 0).put("nodes", List.of()).encode(),
        HeadroomJson.join(Map.of()).encode());
  }

  @Test
  void theLogIsFullWhenItsGrowthMeetsItsRoom() {
    LogGrowth growth = new LogGrowth();
    assertTrue(growth.secondsUntilFull(0, 1_000, 5_000, 9_000, false).isEmpty());
    assertEquals(OptionalLong.of(49), growth.secondsUntilFull(SECOND, 1_100, 4_900, 9_000, false));
    assertTrue(
        growth.secondsUntilFull(2 * SECOND, 1_200, 4_800, 2_000, false).isEmpty(),
        "what is kept ends before the room does");
    assertEquals(
        OptionalLong.of(47), growth.secondsUntilFull(3 * SECOND, 1_300, 4_700, 2_000, true));
    assertEquals(OptionalLong.of(0), growth.secondsUntilFull(4 * SECOND, 1_300, -1, 2_000, true));
  }
}
