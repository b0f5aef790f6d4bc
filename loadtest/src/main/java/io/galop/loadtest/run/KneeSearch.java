package io.galop.loadtest.run;

import io.galop.loadtest.scenario.Goal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Grows until the goal breaks, halves the distance, confirms, and holds. */
final class KneeSearch {
  /** What was confirmed too high is lowered by so much. */
  private static final double LOWER = 0.95;

  private static final int MOST_CONFIRMATIONS = 8;
  private static final double MOST_CATCHING_UP_SECONDS = 60;

  /** What else goes on in the machine shall not be taken for the knee. */
  private static final int TRIES = 2;

  private static final int BELIEVED = 2;
  private static final int MOST_LOOKS_ABOVE = 3;
  private static final int WARM_UPS = 3;
  private static final double WARM_UP_GROWTH = 4;
  private static final double HALF = 0.5;

  private final Knee knee;
  private final Bench bench;
  private final Rig rig;
  private final Goal goal;
  private final List<Step> steps = new ArrayList<>();
  private final List<RunPhase> phases = new ArrayList<>();
  private final List<Step> held = new ArrayList<>();
  private @Nullable Step good;
  private @Nullable Step bad;
  private @Nullable Step confirmed;

  KneeSearch(Knee knee, Bench bench, Rig rig) {
    this.knee = knee;
    this.bench = bench;
    this.rig = rig;
    this.goal = bench.scenario().goal();
  }

  /** Finds the peak. */
  void find() throws IOException, InterruptedException {
    warmUp();
    grow(knee.fromPerSecond());
    bisect();
    lookAbove();
    confirm();
  }

  /** At rates that grow, so that the nodes' code is compiled before anything is judged. */
  private void warmUp() throws IOException, InterruptedException {
    double rate = knee.fromPerSecond();
    boolean goesOn = true;
    for (int i = 0; i < WARM_UPS && goesOn; i++) {
      Step step = step("warm-up", rate, bench.seconds(knee.warmUpSeconds() / WARM_UPS));
      goesOn = step.achieved() > HALF && WARM_UP_GROWTH * rate < knee.toPerSecond();
      rate *= WARM_UP_GROWTH;
    }
    steps.clear();
  }

  /**
   * A rate that breaks the goal is only believed when the next one does so too: what else goes on
   * in the machine for a moment shall not be taken for the knee.
   */
  private void grow(double from) throws IOException, InterruptedException {
    double rate = from;
    int broken = 0;
    while (broken < BELIEVED && rate <= knee.toPerSecond()) {
      if (judge("grow", rate)) {
        broken = 0;
        bad = null;
      } else {
        broken++;
      }
      rate *= knee.growth();
    }
    // Where the first rate was too much already, one is looked for below it.
    while (good == null && bad != null && bad.asked() > 1) {
      judge("shrink", bad.asked() / knee.growth());
    }
  }

  private void bisect() throws IOException, InterruptedException {
    while (good != null && bad != null && bad.asked() / good.asked() - 1 > knee.precision()) {
      judge("bisect", Math.sqrt(good.asked() * bad.asked()));
    }
  }

  /**
   * What was too much a minute ago may hold now, since the nodes compile what they do often: the
   * lowest rate that broke the goal is tried anew, and where it holds the search goes on above it.
   */
  private void lookAbove() throws IOException, InterruptedException {
    boolean goesOn = true;
    for (int i = 0; goesOn && good != null && bad != null && i < MOST_LOOKS_ABOVE; i++) {
      double rate = bad.asked();
      bad = null;
      goesOn = judge("look above", rate);
      if (goesOn) {
        grow(rate * knee.growth());
        bisect();
      }
    }
  }

  /** Tries a rate; it counts as too much when the goal breaks each time. */
  private boolean judge(String name, double rate) throws IOException, InterruptedException {
    Step step = attempt(name, rate, bench.seconds(knee.stepSeconds()));
    boolean holds = step.broken(goal).isEmpty();
    if (holds) {
      good = step;
    } else if (bad == null || step.asked() < bad.asked()) {
      bad = step;
    }
    return holds;
  }

  private Step attempt(String name, double rate, double seconds)
      throws IOException, InterruptedException {
    Step step = step(name, rate, seconds);
    for (int i = 1; i < TRIES && !step.broken(goal).isEmpty(); i++) {
      step = step(name + " again", rate, seconds);
    }
    return step;
  }

  private void confirm() throws IOException, InterruptedException {
    double seconds = bench.seconds(knee.confirmSeconds());
    double rate = good == null ? 0 : good.asked();
    for (int i = 0; confirmed == null && i < MOST_CONFIRMATIONS && rate > 0; i++) {
      Step step = confirmOnce(rate, seconds);
      if (step.broken(goal).isEmpty()) {
        confirmed = step;
      } else {
        bad = bad == null || step.asked() < bad.asked() ? step : bad;
        rate *= LOWER;
      }
    }
  }

  /** What stores did not take of rates that were too much must not be held against this one. */
  private Step confirmOnce(double rate, double seconds) throws IOException, InterruptedException {
    rig.awaitStored(MOST_CATCHING_UP_SECONDS);
    return attempt("confirm", rate, seconds);
  }

  /** Holds parts of the peak. */
  void hold() throws IOException, InterruptedException {
    if (confirmed == null) {
      return;
    }
    rig.awaitStored(MOST_CATCHING_UP_SECONDS);
    for (int percent : knee.holdPercents()) {
      for (int seconds : knee.holdSeconds()) {
        double rate = peak() * percent / 100;
        held.add(step("hold " + percent + " %", rate, bench.seconds(seconds)));
      }
    }
  }

  private Step step(String name, double rate, double seconds)
      throws IOException, InterruptedException {
    bench.progress().phase(name);
    Step step = rig.step(rate, seconds);
    steps.add(step);
    phases.add(new RunPhase(name, step.from(), step.to()));
    bench.progress().line(String.format(Locale.ROOT, "%-13s%s", name, step.line(goal)));
    return step;
  }

  /** Records a second that were confirmed; 0 if none were. */
  double peak() {
    return confirmed == null ? 0 : confirmed.asked();
  }

  @Nullable Step confirmed() {
    return confirmed;
  }

  /** The lowest rate that was too much; null if none was. */
  @Nullable Step bad() {
    return bad;
  }

  List<Step> steps() {
    return steps;
  }

  List<Step> held() {
    return held;
  }

  List<RunPhase> phases() {
    return phases;
  }
}
