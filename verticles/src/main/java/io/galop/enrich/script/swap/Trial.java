package io.galop.enrich.script.swap;

import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The way of a new version of a script, from being seen to being the live one, or not. */
final class Trial {
  private static final Logger LOG = LoggerFactory.getLogger(Trial.class);

  private final ScriptStep step;
  private final StepContext context;
  private final ScriptVersion candidate;
  private final Comparison comparison;
  private final HeapGrowth heap = new HeapGrowth();
  private final List<Shadow> shadows = new CopyOnWriteArrayList<>();
  private final long beganMs = System.currentTimeMillis();
  private volatile long shadowBeganNanos;
  private volatile boolean warm;
  private volatile RolloutPhase phase = RolloutPhase.LOADING;
  private volatile String reason = "";
  private volatile long decidedMs;

  Trial(ScriptStep step, ScriptVersion candidate) {
    this.step = step;
    this.context = step.context();
    this.candidate = candidate;
    this.comparison = new Comparison(context.meters());
  }

  ScriptVersion candidate() {
    return candidate;
  }

  RolloutPhase phase() {
    return phase;
  }

  String reason() {
    return reason;
  }

  void phase(RolloutPhase next) {
    phase = next;
  }

  /** Lets it see what the live script does, on each event loop from its next list on. */
  void shadow() {
    shadowBeganNanos = System.nanoTime();
    phase = RolloutPhase.SHADOW;
    LOG.info(
        "script {}: version {} runs beside {} for {} s",
        context.config().file(),
        candidate.hash(),
        context.live().hash(),
        context.config().shadow().seconds());
    for (Lane lane : step.lanes()) {
      Shadow shadow = new Shadow(context, comparison);
      shadows.add(shadow);
      lane.atBoundary(on -> shadow(lane, shadow));
    }
  }

  private void shadow(Lane lane, Shadow shadow) {
    if (phase == RolloutPhase.SHADOW) {
      lane.shadow(shadow);
      if (shadow.isEnded()) {
        lane.shadow(null);
        return;
      }
      shadow.start("galop-script-shadow-" + context.name(), candidate::open);
    }
  }

  /** What is to follow by now. */
  Verdict judge() {
    long elapsedMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - shadowBeganNanos);
    if (!warm && elapsedMs >= context.config().shadow().seconds() * 500L) {
      warm = true;
      comparison.costsFromNow();
    }
    for (Shadow shadow : shadows) {
      if (shadow.isStuck()) {
        long callMs = TimeUnit.NANOSECONDS.toMillis(shadow.callNanos());
        shadow.giveUp();
        return new Verdict(
            RolloutPhase.ROLLED_BACK, "a call has not ended after %,d ms".formatted(callMs));
      }
      if (!shadow.broken().isEmpty()) {
        return new Verdict(RolloutPhase.ROLLED_BACK, shadow.broken());
      }
    }
    return Verdict.of(context.config(), comparison, heap, elapsedMs);
  }

  /** Nothing is handed to it any more. */
  void endShadow() {
    shadows.forEach(Shadow::end); // first, so that a lane that begins with one now sees it
    for (Lane lane : step.lanes()) {
      Shadow attached = lane.shadow();
      if (attached != null && shadows.contains(attached)) {
        lane.shadow(null);
      }
    }
    shadows.forEach(step::seeTo);
    shadows.clear(); // their queues and copies of states, while the trial is shown
    heap.close();
  }

  /** It is over. */
  void end(RolloutPhase outcome, String why) {
    endShadow();
    reason = why;
    decidedMs = System.currentTimeMillis();
    phase = outcome;
    context.meters().swaps(outcome).increment();
    context.tell("node", candidate, outcome.word());
    String text = "script {}: version {} is {}: {}";
    String file = context.config().file();
    if (outcome == RolloutPhase.PROMOTED) {
      LOG.info(text, file, candidate.hash(), "live now", why);
    } else {
      LOG.warn(text, file, candidate.hash(), outcome.word().replace('_', ' '), why);
    }
  }

  JsonObject json() {
    RolloutPhase now = phase; // once: it ends on another thread, after its reason and time are set
    JsonObject json =
        new JsonObject()
            .put("version", candidate.hash())
            .put("phase", now.word())
            .put("beganMs", beganMs)
            .put("reason", reason)
            .mergeIn(comparison.json())
            .put("heapGrowthBytes", heap.isKnown() ? heap.bytes() : null);
    return now.isEnd() ? json.put("decidedMs", decidedMs) : json;
  }
}
