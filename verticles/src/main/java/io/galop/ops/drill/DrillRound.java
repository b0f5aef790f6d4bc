package io.galop.ops.drill;

import io.galop.ops.drill.DrillEvent.Acked;
import io.galop.ops.drill.DrillEvent.Broken;
import io.galop.ops.drill.DrillEvent.Late;
import io.galop.ops.drill.DrillEvent.Looked;
import io.galop.ops.drill.DrillEvent.OfViewer;
import io.galop.ops.drill.DrillEvent.Refused;
import io.galop.ops.drill.DrillEvent.Told;
import io.galop.ops.drill.DrillVerdict.Failure;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A round of drills: what is known of it, and what is done next. Pure and immutable.
 *
 * @param acked how many records were acknowledged
 * @param refused why the door refused one; empty: it did not
 * @param seen by each viewer
 * @param looked what was found in the Log and in stores
 * @param failures so far
 */
record DrillRound(
    DrillPlan plan,
    DrillPhase phase,
    int acked,
    String refused,
    Map<DrillStage, SeenByViewer> seen,
    Looked looked,
    List<Failure> failures) {
  private static final String NOT_SHOWN = "not shown on %s";

  /** A node that starts, or is missed by the cluster, is heard of sooner. */
  private static final long GIVEN_UP_MS = 15_000;

  private static final Looked NOT_YET = new Looked(false, List.of());

  DrillRound {
    seen = Map.copyOf(seen);
    failures = List.copyOf(failures);
  }

  /** What became of an event. */
  record Step(DrillRound round, List<DrillEffect> effects) {}

  /** A round that has not begun. */
  static DrillRound of(DrillPlan plan) {
    Map<DrillStage, SeenByViewer> seen = new EnumMap<>(DrillStage.class);
    plan.transports().forEach(transport -> seen.put(transport, SeenByViewer.NOTHING));
    return new DrillRound(plan, DrillPhase.NEW, 0, "", seen, NOT_YET, List.of());
  }

  /** The next state, and what is to be done. */
  Step next(DrillEvent event) {
    if (phase == DrillPhase.OVER) {
      return new Step(this, List.of());
    }
    DrillRound after = after(event);
    if (event instanceof Late late) {
      return late.phase() == phase ? after.missed().goOn() : new Step(this, List.of());
    }
    if (after.isGivenUp()) {
      return after.missed().goOn();
    }
    return phase == DrillPhase.NEW || after.isDone() ? after.goOn() : new Step(after, List.of());
  }

  private DrillRound after(DrillEvent event) {
    if (event instanceof Acked) {
      return new DrillRound(plan, phase, acked + 1, refused, seen, looked, failures);
    }
    if (event instanceof Refused no) {
      return new DrillRound(plan, phase, acked, no.why(), seen, looked, failures);
    }
    if (event instanceof Looked found) {
      return new DrillRound(plan, phase, acked, refused, seen, found, failures);
    }
    if (event instanceof Told told && isOfBefore(told)) {
      return this;
    }
    return event instanceof OfViewer viewers ? with(viewers) : this;
  }

  /** Of the silence since the last time; a viewer may be told of this one while others wait. */
  private boolean isOfBefore(Told told) {
    return switch (phase) {
      case SILENT, AGAIN -> false;
      case SHOW -> !seen.getOrDefault(told.transport(), SeenByViewer.NOTHING).has(plan.first());
      default -> true;
    };
  }

  private DrillRound with(OfViewer event) {
    Map<DrillStage, SeenByViewer> all = new EnumMap<>(seen);
    all.computeIfPresent(event.transport(), (same, before) -> before.after(event));
    return new DrillRound(plan, phase, acked, refused, all, looked, failures);
  }

  /** Whether the phase has come to its end. */
  private boolean isDone() {
    if (!refused.isEmpty()) {
      return true;
    }
    int all = plan.first().size();
    return switch (phase) {
      case NEW, OVER -> true;
      case JOIN -> each(one -> one.joins() == 1);
      case SHOW -> acked == all && each(this::isAnswered);
      case AWAY -> acked == all + 1;
      case BACK -> each(one -> one.joins() == 2 && one.has(List.of(plan.last())));
      case SILENT -> each(SeenByViewer::isSilent);
      case AGAIN -> acked == all + 1 && each(one -> one.isBack() && one.has(List.of(plan.last())));
      case LOOK -> isPlacedAgain() || isStored() && looked.unknown().isEmpty();
    };
  }

  private boolean isPlacedAgain() {
    return looked.timesPlaced() > 1;
  }

  private boolean isStored() {
    return looked.isLogged() && looked.lacking().isEmpty();
  }

  /** Whether only nodes that stand still could say more. */
  private boolean isGivenUp() {
    return phase == DrillPhase.LOOK
        && isStored()
        && !looked.unknown().isEmpty()
        && looked.unknown().stream().allMatch(one -> one.silentMs() >= GIVEN_UP_MS);
  }

  /** By the records, or by what says that they are refused. */
  private boolean isAnswered(SeenByViewer one) {
    return one.has(plan.first()) || !one.letters().isEmpty();
  }

  private boolean each(Predicate<SeenByViewer> isSo) {
    return seen.values().stream().filter(SeenByViewer::isThere).allMatch(isSo);
  }

  /** What the phase lacks when its time is over; a viewer that lacks something is given up. */
  private DrillRound missed() {
    return switch (phase) {
      case NEW, OVER -> this;
      case JOIN -> givingUp(one -> one.joins() == 1, "no viewer could register on %s");
      case SHOW -> acked(plan.first().size(), this::isAnswered);
      case AWAY -> acked(plan.first().size() + 1, one -> true);
      case BACK ->
          givingUp(
              one -> one.joins() == 2 && one.has(List.of(plan.last())),
              "what a viewer missed was not shown after it came back on %s");
      case SILENT -> givingUp(SeenByViewer::isSilent, "not told on %s that the topic is silent");
      case AGAIN -> acked(plan.first().size() + 1, SeenByViewer::isBack);
      case LOOK -> notFound();
    };
  }

  private DrillRound acked(int wanted, Predicate<SeenByViewer> isSo) {
    if (acked < wanted) {
      return refused("not acknowledged within " + plan.withinMs() + " ms");
    }
    boolean isLetter = plan.fault() == DrillFault.REFUSED;
    return givingUp(isSo, isLetter ? "no dead letter shown on %s" : NOT_SHOWN);
  }

  private DrillRound refused(String why) {
    return new DrillRound(plan, phase, acked, why, seen, looked, failures);
  }

  private DrillRound givingUp(Predicate<SeenByViewer> isSo, String why) {
    DrillRound left = this;
    for (Map.Entry<DrillStage, SeenByViewer> one : seen.entrySet()) {
      if (one.getValue().isThere() && !isSo.test(one.getValue())) {
        String words = why.formatted(one.getKey().word()) + " within " + waitMs() + " ms";
        left = left.with(new Broken(one.getKey(), words));
      }
    }
    return left;
  }

  private DrillRound notFound() {
    List<Failure> all = new ArrayList<>(failures);
    String within = " within " + plan.storedWithinMs() + " ms";
    if (!looked.isLogged()) {
      all.add(new Failure(DrillStage.LOG, "not found on the disk of its owner" + within));
    } else {
      looked
          .lacking()
          .forEach(store -> all.add(new Failure(DrillStage.STORES, "not in " + store + within)));
      looked.unknown().forEach(one -> all.add(new Failure(DrillStage.STORES, words(one))));
    }
    return new DrillRound(plan, phase, acked, refused, seen, looked, all);
  }

  private static String words(DrillEvent.Unknown one) {
    String why =
        one.why().isEmpty()
            ? "it has not answered for " + one.silentMs() / 1_000 + " s"
            : one.why();
    return "not known what " + one.node() + " has stored: " + why;
  }

  private Step goOn() {
    DrillPhase next = refused.isEmpty() ? phase.next(plan.fault()) : DrillPhase.OVER;
    DrillRound round = new DrillRound(plan, next, acked, refused, seen, looked, failures);
    List<DrillEffect> effects = round.begin();
    if (next == DrillPhase.OVER || !round.isDone()) {
      return new Step(round, effects);
    }
    Step rest = round.goOn(); // nobody is there to wait for
    return new Step(
        rest.round(), Stream.concat(effects.stream(), rest.effects().stream()).toList());
  }

  private long waitMs() {
    return switch (phase) {
      case LOOK -> plan.storedWithinMs();
      case SILENT -> plan.silentMs() + plan.withinMs();
      default -> plan.withinMs();
    };
  }

  /** What a phase begins with. */
  private List<DrillEffect> begin() {
    List<DrillEffect> effects = new ArrayList<>();
    switch (phase) {
      case JOIN, BACK ->
          viewers().forEach(transport -> effects.add(new DrillEffect.Join(transport)));
      case SHOW -> effects.addAll(plan.sends());
      case AWAY -> {
        viewers().forEach(transport -> effects.add(new DrillEffect.Leave(transport)));
        effects.add(new DrillEffect.Send(plan.last()));
      }
      case AGAIN -> effects.add(new DrillEffect.Send(plan.last()));
      case LOOK -> effects.add(new DrillEffect.Look(plan.lookedFor()));
      case OVER -> effects.add(new DrillEffect.End(verdict()));
      case NEW, SILENT -> {}
    }
    if (phase != DrillPhase.OVER) {
      effects.add(new DrillEffect.Wait(phase, waitMs()));
    }
    return effects;
  }

  private List<DrillStage> viewers() {
    return seen.entrySet().stream()
        .filter(one -> one.getValue().isThere())
        .map(Map.Entry::getKey)
        .sorted()
        .toList();
  }

  private DrillVerdict verdict() {
    List<Failure> all = new ArrayList<>();
    if (!refused.isEmpty()) {
      all.add(new Failure(DrillStage.DOOR, refused));
    }
    if (!looked.letter().isEmpty()) {
      all.add(new Failure(DrillStage.ENRICH, looked.letter()));
    }
    plan.transports().stream().sorted().forEach(transport -> judge(transport, all));
    if (isPlacedAgain()) {
      String times = "placed " + looked.timesPlaced() + " times under one id by its owner";
      all.add(new Failure(DrillStage.OWNER, times));
    }
    all.addAll(failures);
    boolean isPlanted = plan.fault() != DrillFault.NONE;
    boolean isDetected = isPlanted && refused.isEmpty() && isDetected();
    boolean isSeen = !plan.transports().isEmpty(); // else relays may see it
    if (isPlanted && isSeen && !isDetected && all.isEmpty()) {
      String what = "the planted fault '" + plan.fault().word() + "' was not found";
      all.add(new Failure(DrillStage.WATCH, what));
    }
    return new DrillVerdict(plan.number(), plan.fault(), all, isDetected);
  }

  private void judge(DrillStage transport, List<Failure> all) {
    SeenByViewer one = seen.getOrDefault(transport, SeenByViewer.NOTHING);
    String on = " on " + transport.word();
    if (one.broken().startsWith(NOT_SHOWN.formatted(transport.word()))
        && !looked.letter().isEmpty()) {
      return; // there was nothing to be shown
    }
    if (!one.isThere()) {
      all.add(new Failure(transport, one.broken()));
    } else if (one.isDoubled()) {
      all.add(new Failure(transport, "shown twice" + on));
    } else if (wasAway() && one.joins() == 2 && !one.isComplete()) {
      all.add(new Failure(transport, "told of a gap that is none, after it came back" + on));
    }
  }

  /** Who stays is told of a gap where a shard has moved, and rightly. */
  private boolean wasAway() {
    return plan.fault() == DrillFault.LATE;
  }

  /** Whether every viewer that is there has found the fault, and nothing else. */
  private boolean isDetected() {
    boolean isSeen = seen.values().stream().anyMatch(SeenByViewer::isThere);
    return isSeen && plan.fault() != DrillFault.NONE && each(one -> one.hasFound(plan));
  }
}
