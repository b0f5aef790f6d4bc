package io.galop.persist.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.persist.simulation.SimulationRun.Figures;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.ValueSource;

/** Clusters to which everything happens that can, from seeds. */
@Tag("slow")
@Timeout(180)
class SimulationTest {
  private static final int SCHEDULES = 20_000;
  private static final int THREADS = 2;
  private static final long MAX_NS = TimeUnit.SECONDS.toNanos(60);
  private static final int SCHEDULES_FOR_A_MUTANT = 10_000;

  /** As many as a minute has room for: a busy machine does fewer. */
  @Test
  void nothingThatIsPromisedIsBroken() {
    List<String> found = new CopyOnWriteArrayList<>();
    Figures figures =
        SimulationRun.run(1, SCHEDULES, MAX_NS, THREADS, one -> found.add(one.getMessage()));
    System.out.printf(
        "simulation: %d schedules, %.0f a second%n", figures.schedules(), figures.perSecond());
    assertEquals(List.of(), found);
    assertTrue(figures.schedules() > 500, figures.schedules() + " schedules only");
  }

  /** Each found a fault; docs/testing.md lists those that remain. */
  @ParameterizedTest
  @ValueSource(
      longs = {
        955,
        1719,
        2981,
        3013,
        4038,
        4852,
        10869,
        16171,
        17332,
        1795698211552057697L,
        1795698211552060431L,
        1795698211552061410L,
        1795698211552240768L,
        1795698451486055260L,
        1795698211552152005L,
        1795708485465123556L,
        1795709806524108764L
      })
  void aSeedThatFoundSomethingIsTriedAgain(long seed) {
    Schedule.run(seed, Mutant.NONE);
  }

  /**
   * The simulation itself: each fault made on purpose is found; docs/testing.md says why one is
   * not.
   */
  @ParameterizedTest
  @EnumSource(
      value = Mutant.class,
      mode = Mode.EXCLUDE,
      names = {"NONE", "DOUBT_NOT_LOGGED", "LOGS_NOT_KEPT"})
  void aMutantIsFound(Mutant mutant) {
    long found = SimulationRun.schedulesToFind(mutant, 1, SCHEDULES_FOR_A_MUTANT);
    System.out.printf("simulation: %s found after %d schedules%n", mutant, found);
    assertNotEquals(-1, found, mutant.fault);
  }

  /** It takes some 50,000 schedules, so here is one. */
  @Test
  void aLostDiskThatNobodyNoticesIsFound() {
    long seed = 1795698211552240768L;
    assertThrows(Violation.class, () -> Schedule.run(seed, Mutant.LOGS_NOT_KEPT));
  }

  @Test
  void aSeedGivesTheSameStoryTwice() {
    String first = story();
    assertTrue(first.contains("seed 24,"), first);
    assertTrue(first.equals(story()));
  }

  private static String story() {
    return assertThrows(Violation.class, () -> Schedule.run(24, Mutant.ANSWER_BEFORE_FSYNC))
        .getMessage();
  }
}
