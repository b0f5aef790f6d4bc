package io.galop.ops.drill;

import io.galop.ops.drill.DrillVerdict.Failure;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What a relay's own viewers were shown of a drill that a node inside has sent. Pure and immutable.
 * It concludes nothing where viewers were told, or could see, that the feed is cut, nor where the
 * relay is not ready for viewers: that is no fault, and told elsewhere.
 *
 * @param isWatched whether a viewer's registration waits for an answer of the owner
 * @param seen by each viewer
 * @param late who came perhaps after the records
 * @param isSent whether all records were acknowledged
 * @param isUnsettled whether the relay had no feed, or took no viewers, at any time
 */
record RelayRound(
    DrillPlan plan,
    boolean isWatched,
    Map<DrillStage, SeenByViewer> seen,
    Set<DrillStage> late,
    boolean isSent,
    boolean isUnsettled) {
  private static final String NOT_REGISTERED = "no viewer could register on ";

  RelayRound {
    seen = Map.copyOf(seen);
    late = Set.copyOf(late);
  }

  static RelayRound of(DrillPlan plan, boolean isWatched) {
    Map<DrillStage, SeenByViewer> seen = new EnumMap<>(DrillStage.class);
    plan.transports().forEach(transport -> seen.put(transport, SeenByViewer.NOTHING));
    return new RelayRound(plan, isWatched, seen, Set.of(), false, false);
  }

  /** Something has happened to a viewer. */
  RelayRound after(DrillEvent.OfViewer event) {
    if (event instanceof DrillEvent.Cut) {
      return unsettled();
    }
    DrillStage transport = event.transport();
    SeenByViewer before = seen.getOrDefault(transport, SeenByViewer.NOTHING);
    boolean isGap =
        event instanceof DrillEvent.Joined joined && before.joins() > 0 && !joined.isComplete();
    Map<DrillStage, SeenByViewer> all = new EnumMap<>(DrillStage.class);
    all.putAll(seen);
    all.computeIfPresent(transport, (same, one) -> one.after(event));
    return new RelayRound(plan, isWatched, all, late, isSent, isUnsettled || isGap);
  }

  /** The relay has no feed or is not ready, or viewers were told of a gap. */
  RelayRound unsettled() {
    return new RelayRound(plan, isWatched, seen, late, isSent, true);
  }

  /** All records were acknowledged. */
  RelayRound sent() {
    return new RelayRound(plan, isWatched, seen, late, true, isUnsettled);
  }

  /**
   * The node has said again that records will come: it may be the last time that it does so before
   * they come. Viewers that are not there now may come after them.
   */
  RelayRound mayBeSent() {
    Set<DrillStage> all = new HashSet<>();
    seen.forEach(
        (transport, one) -> {
          if (one.joins() == 0) {
            all.add(transport);
          }
        });
    return new RelayRound(plan, isWatched, seen, all, isSent, isUnsettled);
  }

  /** Whether all viewers are there, but for those that could not come. */
  boolean isJoined() {
    return each(one -> one.joins() > 0);
  }

  /** Whether nothing more is waited for. */
  boolean isDone() {
    return isSent && each(one -> one.joins() > 0 && one.has(plan.first()));
  }

  private boolean each(Predicate<SeenByViewer> isSo) {
    return seen.values().stream().filter(SeenByViewer::isThere).allMatch(isSo);
  }

  /** The time of what is waited for is over: a viewer that lacks something is given up. */
  RelayRound overdue() {
    RelayRound left = this;
    for (Map.Entry<DrillStage, SeenByViewer> one : seen.entrySet()) {
      SeenByViewer viewer = one.getValue();
      boolean isJoined = viewer.joins() > 0;
      if (viewer.isThere() && (!isJoined || isSent && !viewer.has(plan.first()))) {
        String what = isJoined ? "not shown on " : NOT_REGISTERED;
        String why = what + one.getKey().word() + " within " + plan.withinMs() + " ms";
        left = left.after(new DrillEvent.Broken(one.getKey(), why));
      }
    }
    return left;
  }

  /** What became of it, when nothing more is waited for; empty: nothing can be said. */
  Optional<DrillVerdict> verdict() {
    List<Failure> failures = new ArrayList<>();
    seen.keySet().stream().sorted().forEach(transport -> judge(transport, failures));
    boolean isUnknown = !isSent || isUnsettled || isWaitingForOwner() || seen.isEmpty();
    if (isUnknown || failures.isEmpty() && late.stream().anyMatch(this::isExcused)) {
      return Optional.empty();
    }
    boolean isPlanted = plan.fault() != DrillFault.NONE;
    boolean isDetected = isPlanted && failures.isEmpty() && each(one -> one.hasFound(plan));
    if (isPlanted && !isDetected && failures.isEmpty()) {
      String what = "the planted fault '" + plan.fault().word() + "' was not found";
      failures.add(new Failure(DrillStage.WATCH, what));
    }
    return Optional.of(new DrillVerdict(plan.number(), plan.fault(), failures, isDetected));
  }

  /** The records may have gone by before it was there. */
  private boolean isExcused(DrillStage transport) {
    SeenByViewer one = seen.getOrDefault(transport, SeenByViewer.NOTHING);
    return late.contains(transport) && one.joins() > 0 && !one.has(plan.first());
  }

  private void judge(DrillStage transport, List<Failure> failures) {
    SeenByViewer one = seen.getOrDefault(transport, SeenByViewer.NOTHING);
    if (one.isDoubled()) {
      failures.add(new Failure(transport, "shown twice on " + transport.word()));
    } else if (!one.isThere() && !isExcused(transport)) {
      failures.add(new Failure(transport, one.broken()));
    }
  }

  /**
   * A first viewer is told when its filter is live, which takes an answer of the owner. One with
   * MQTT is not.
   */
  private boolean isWaitingForOwner() {
    return isWatched
        && seen.entrySet().stream()
            .filter(one -> one.getKey() != DrillStage.MQTT)
            .allMatch(one -> one.getValue().broken().startsWith(NOT_REGISTERED));
  }
}
