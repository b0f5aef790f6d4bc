package io.galop.loadtest.run;

import io.galop.loadtest.scenario.Goal;
import io.galop.loadtest.watch.Series;
import io.galop.loadtest.watch.Stage;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Why a rate was too much: the goal that broke first, and the stage in which records came to wait
 * longest, by what the nodes say of themselves. The time in a stage is what waits there divided by
 * what passes (Little's law).
 *
 * @param goals that were broken, in words
 * @param stage in which waiting grew most; null if nothing waited anywhere
 * @param sentence for the report
 */
public record Cause(List<String> goals, @Nullable Stage stage, String sentence) {
  /** From this part of all processors on, the machine counts as full. */
  private static final double FULL = 0.9;

  /** From this part of its time on, a thread counts as busy. */
  private static final double BUSY = 0.7;

  /** Waiting of fewer bytes tells nothing. */
  private static final double LEAST_MB = 0.01;

  /**
   * Finds it.
   *
   * @param good the step at the highest rate that holds; null if none does
   * @param bad the one at the lowest rate that does not
   */
  static Cause of(@Nullable Step good, Step bad, Goal goal, Series series) {
    @Nullable Stage most = null;
    double growth = LEAST_MB;
    for (Stage stage : List.of(Stage.DOOR, Stage.ENRICH, Stage.LOG, Stage.BROADCAST)) {
      double grown =
          waiting(series, bad, stage) - (good == null ? 0 : waiting(series, good, stage));
      if (grown > growth) {
        growth = grown;
        most = stage;
      }
    }
    List<String> goals = bad.broken(goal);
    String rate = String.format(Locale.ROOT, "%,.0f", bad.asked());
    String first = goals.isEmpty() ? "nothing" : goals.get(0);
    String text =
        "At " + rate + " records/s broke first: " + first + ". " + where(series, good, bad, most);
    return new Cause(goals, most, text + evidence(series, bad, most) + processors(bad));
  }

  private static double waiting(Series series, Step step, Stage stage) {
    double mean = series.mean(stage.waiting(), step.from(), step.to());
    return Double.isNaN(mean) ? 0 : mean;
  }

  private static String where(Series series, @Nullable Step good, Step bad, @Nullable Stage stage) {
    if (stage == null) {
      return "Nothing waited in the nodes' stages. ";
    }
    double perSecond = Math.max(1, series.mean("placedPerSecond", bad.from(), bad.to()));
    return String.format(
        Locale.ROOT,
        "The stage that records came to wait in is %s: %.2f MB waited there%s, while %,.0f"
            + " records/s passed. ",
        stage,
        waiting(series, bad, stage),
        good == null
            ? ""
            : String.format(
                Locale.ROOT, " (%.2f MB at %,.0f/s)", waiting(series, good, stage), good.asked()),
        perSecond);
  }

  /** What of a stage's own timers speaks for it. */
  private static String evidence(Series series, Step bad, @Nullable Stage stage) {
    double scripts = series.mean("scriptBusy", bad.from(), bad.to());
    double fsync = series.mean("fsyncBusy", bad.from(), bad.to());
    if (stage == Stage.ENRICH && scripts > BUSY) {
      return String.format(
          Locale.ROOT,
          "Its scripts kept %.1f threads busy, %.2f ms a call. ",
          scripts,
          series.mean("scriptMs", bad.from(), bad.to()));
    }
    if (fsync > BUSY) {
      return String.format(
          Locale.ROOT,
          "The Log was in fsync %.0f %% of the time, %.2f ms each. ",
          100 * fsync,
          series.mean("fsyncMs", bad.from(), bad.to()));
    }
    return "";
  }

  private static String processors(Step bad) {
    int there = Runtime.getRuntime().availableProcessors();
    double used = bad.serverProcessors() + bad.ownProcessors();
    if (Double.isNaN(used)) {
      return String.format(
          Locale.ROOT, "The generator used %.2f of %d processors.", bad.ownProcessors(), there);
    }
    return String.format(
        Locale.ROOT,
        "The nodes used %.2f and the generator %.2f of %d processors%s.",
        bad.serverProcessors(),
        bad.ownProcessors(),
        there,
        used >= FULL * there ? ": the machine was full" : "");
  }
}
