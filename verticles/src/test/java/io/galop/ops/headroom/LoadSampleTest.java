package io.galop.ops.headroom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What two readings a second apart say of the stages. */
class LoadSampleTest {
  private static final long SECOND = 1_000_000_000L;
  private static final LoadSample.Bounds BOUNDS =
      new LoadSample.Bounds(2, 2, 1_000, 1_000, 1_000, 0, 0);
  private static final Set<LoadedStage> ALL = EnumSet.allOf(LoadedStage.class);
  private static final LoadCounts ZERO = counts(0, new double[13]);

  /** In the order of the table below. */
  private static LoadCounts counts(long atNs, double... of) {
    return new LoadCounts(
        atNs,
        (long) (of[0] * SECOND),
        Map.of(1L, (long) (of[1] * SECOND), 2L, (long) (of[2] * SECOND)),
        Map.of(3L, (long) (of[3] * SECOND)),
        Map.of(),
        of[4],
        of[5],
        of[5] > 0 ? 10 : 0,
        0,
        0,
        of[6],
        of[7],
        of[8],
        of[9],
        of[10],
        of[11],
        of[12],
        0.4);
  }

  /**
   * What is counted in a second, the stage that is used most, and how much of it: a machine of two
   * processors with two event loops and ten fsyncs.
   */
  @ParameterizedTest
  @CsvSource({
    "nothing,           0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   DOOR, 0",
    "busy loop,         0.8, 0.6, 0.1, 0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   LOOPS, 60",
    "late loop,         0.8, 0.3, 0.1, 0,   0,   0,   0,   0,   0,   0,   0,   0,   0.2, LOOPS, 80",
    "slow script,       0.9, 0.7, 0.1, 0,   0.7, 0,   0,   0,   0,   0,   0,   0,   0,   ENRICH, 70",
    "late by a script,  0.9, 0.7, 0.1, 0,   0.7, 0,   0,   0,   0,   0,   0,   0,   0.2, ENRICH, 80",
    "script unscheduled,0.4, 0.2, 0.2, 0,   1.8, 0,   0,   0,   0,   0,   0,   0,   0,   ENRICH, 90",
    "scripts take all,  2.0, 1.0, 0.9, 0,   1.8, 0,   0,   0,   0,   0,   0,   0,   0,   ENRICH, 100",
    "some script,       0.9, 0.8, 0.1, 0,   0.2, 0,   0,   0,   0,   0,   0,   0,   0,   LOOPS, 80",
    "slow fsync,        0.1, 0.1, 0.1, 0,   0,   1.5, 0,   0,   0,   0,   0,   0,   0,   LOG, 60",
    "busy writer,       1.0, 0.1, 0.1, 0.8, 0,   0.1, 0,   0,   0,   0,   0,   0,   0,   LOG, 80",
    "queue of the disk, 0.1, 0.1, 0.1, 0,   0,   0.1, 0,   0,   100, 0,   700, 0,   0,   LOG, 70",
    "slow viewer,       0.1, 0.1, 0.1, 0,   0,   0,   400, 80,  0,   0,   0,   0,   0,   BROADCAST, 80",
    "one of 10000,      0.8, 0.5, 0.5, 0,   0,   0,   1e5, 500, 0,   0,   0,   0,   0,   LOOPS, 50",
    "full doors,        0.1, 0.1, 0.1, 0,   0,   0,   0,   0,   950, 0,   0,   0,   0,   DOOR, 95",
    "pending records,   0.1, 0.1, 0.1, 0,   0,   0,   0,   0,   100, 550, 0,   0,   0,   ENRICH, 55",
    "store behind,      0.1, 0.1, 0.1, 0,   0,   0,   0,   0,   0,   0,   0,   15,  0,   STORES, 50",
    "collector,         1.8, 0.2, 0.1, 0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   PROCESSORS, 90",
  })
  void namesWhatIsUsedMost(
      String what,
      double process,
      double loop,
      double other,
      double writer,
      double script,
      double fsync,
      double published,
      double waiting,
      double door,
      double enrich,
      double log,
      double store,
      double delay,
      LoadedStage stage,
      int percent) {
    LoadCounts now =
        counts(
            SECOND, process, loop, other, writer, script, fsync, published, waiting, door, enrich,
            log, store, delay);
    Headroom.OfStage next =
        Headroom.of(List.of(LoadSample.between(ZERO, now, BOUNDS, ALL))).next().orElseThrow();
    assertEquals(stage + " " + percent, next.stage() + " " + next.percent(), what);
  }

  @Test
  void aStageThatTheNodeDoesNotHaveIsLeftOut() {
    Set<LoadedStage> some = EnumSet.of(LoadedStage.BROADCAST, LoadedStage.LOOPS);
    assertEquals(some, LoadSample.between(ZERO, ZERO, BOUNDS, some).loads().keySet());
  }

  /** Also when threads end, meters go back, or two readings are of one moment. */
  @Test
  void everyLoadIsAPart() {
    Random random = new Random(27);
    for (int round = 0; round < 2_000; round++) {
      LoadSample sample =
          LoadSample.between(
              counts(random.nextInt(3) * SECOND, any(random)),
              counts(2 * SECOND, any(random)),
              BOUNDS,
              ALL);
      sample
          .loads()
          .forEach(
              (stage, load) -> {
                for (double part : new double[] {load.busy(), load.queue(), load.late()}) {
                  assertTrue(part >= 0 && part <= 1, stage + " " + load);
                }
              });
    }
  }

  private static double[] any(Random random) {
    return random.doubles(13).map(one -> one < 0.2 ? 0 : Math.pow(10, 8 * one - 4)).toArray();
  }

  /**
   * Of two processors a node uses so much for so many records and deliveries, each of its loops and
   * the writer a part. At the knee a record takes 10 µs and a delivery 2 µs.
   */
  @ParameterizedTest
  @CsvSource({
    "      0,        0,     0.01,    0.01, 0.01,        0,  0,  0",
    " 28_000,   28_000,     1.60,    0.80, 0.40,       17, 17,  8",
    "100_000,  100_000,     1.92,    0.96, 0.50,       60, 60, 31",
    "160_000,  160_000,     1.98,    1.00, 0.60,       96, 97, 58",
    "100_000,  500_000,     1.00,    0.60, 0.40,       50, 60, 40",
    " 10_000,        0,     0.04,    0.03, 0.01,        2,  3,  1",
  })
  void countsOfBusyTimeWhatAFullNodeWouldNeed(
      String records,
      String deliveries,
      double process,
      double loop,
      double writer,
      int processors,
      int loops,
      int log) {
    LoadSample.Bounds known = new LoadSample.Bounds(2, 2, 1_000, 1_000, 1_000, 10e-6, 2e-6);
    double[] of = {process, loop, 0, writer, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    LoadCounts now = with(counts(SECOND, of), number(records), number(deliveries));
    Headroom headroom = Headroom.of(List.of(LoadSample.between(ZERO, now, known, ALL)));
    assertEquals(processors, percent(headroom, LoadedStage.PROCESSORS));
    assertEquals(loops, percent(headroom, LoadedStage.LOOPS));
    assertEquals(log, percent(headroom, LoadedStage.LOG));
    Headroom unknown = Headroom.of(List.of(LoadSample.between(ZERO, now, BOUNDS, ALL)));
    assertEquals(Math.round(process * 50), percent(unknown, LoadedStage.PROCESSORS), "not known");
  }

  /** A script works for each record, whatever the groups are. */
  @Test
  void aSlowScriptIsFullHoweverLittleTheKneeNeeded() {
    LoadSample.Bounds known = new LoadSample.Bounds(2, 2, 1_000, 1_000, 1_000, 10e-6, 0);
    double[] of = {0.9, 0.7, 0.1, 0, 0.7, 0, 0, 0, 0, 0, 0, 0, 0};
    LoadCounts now = with(counts(SECOND, of), 1_000, 0);
    Headroom headroom = Headroom.of(List.of(LoadSample.between(ZERO, now, known, ALL)));
    assertEquals(LoadedStage.ENRICH, headroom.next().orElseThrow().stage());
    assertEquals(70, percent(headroom, LoadedStage.ENRICH));
  }

  private static double number(String text) {
    return Double.parseDouble(text.replace("_", ""));
  }

  private static long percent(Headroom headroom, LoadedStage stage) {
    return Math.round(100 * headroom.utilisation(stage));
  }

  private static LoadCounts with(LoadCounts of, double records, double sent) {
    return new LoadCounts(
        of.atNs(),
        of.processCpuNs(),
        of.loopCpuNs(),
        of.writerCpuNs(),
        of.sinkCpuNs(),
        of.scriptSeconds(),
        of.fsyncSeconds(),
        of.fsyncs(),
        records,
        sent,
        of.published(),
        of.waitingRecords(),
        of.doorBytes(),
        of.enrichBytes(),
        of.logBytes(),
        of.storeLagSeconds(),
        of.loopDelaySeconds(),
        of.livePart());
  }
}
