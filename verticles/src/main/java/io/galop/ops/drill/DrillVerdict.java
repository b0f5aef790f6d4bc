package io.galop.ops.drill;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What became of a round.
 *
 * @param failures none: it has passed
 * @param isDetected whether the planted fault was found; false if none was planted
 * @param relays what relays say of it, as far as they know of it
 */
record DrillVerdict(
    long number,
    DrillFault fault,
    List<Failure> failures,
    boolean isDetected,
    List<RelaySaid> relays) {
  /** A relay may name hundreds, in a sentence that is logged. */
  private static final int MOST_NAMED = 8;

  DrillVerdict {
    failures = List.copyOf(failures);
    relays = List.copyOf(relays);
  }

  /** Without relays. */
  DrillVerdict(long number, DrillFault fault, List<Failure> failures, boolean isDetected) {
    this(number, fault, failures, isDetected, List.of());
  }

  /**
   * With what relays say: what failed there has failed. Where nobody else watches, they find what
   * is planted; if nothing is known of any, it is as if nothing were.
   *
   * @param isSeenHere whether the node itself has viewers
   */
  DrillVerdict with(List<RelaySaid> said, boolean isSeenHere) {
    List<Failure> all = new ArrayList<>(failures);
    List<Failure> there = said.stream().flatMap(one -> one.failure().stream()).toList();
    there.stream().limit(MOST_NAMED).forEach(all::add);
    if (there.size() > MOST_NAMED) {
      String more = "the drill failed at %d more relays".formatted(there.size() - MOST_NAMED);
      all.add(new Failure(DrillStage.RELAY, more));
    }
    boolean isKnown = said.stream().anyMatch(one -> one.state().isKnown());
    boolean isFound = isSeenHere ? isDetected : isKnown && all.isEmpty();
    return isSeenHere || isKnown && fault != DrillFault.NONE
        ? new DrillVerdict(number, fault, all, isFound, said)
        : new DrillVerdict(number, DrillFault.NONE, all, false, said);
  }

  /**
   * A stage that a record has not reached as it should.
   *
   * @param why as in {@code not shown on websocket within 5000 ms}
   */
  record Failure(DrillStage stage, String why) {}

  /** Whether some relay has watched it. */
  boolean isKnownOfRelays() {
    return relays.stream().anyMatch(one -> one.state().isKnown());
  }

  boolean isPassed() {
    return failures.isEmpty();
  }

  boolean isFailed(DrillStage stage) {
    return failures.stream().anyMatch(failure -> failure.stage() == stage);
  }

  /** As in {@code drill 17: acknowledged; not shown on websocket within 5000 ms: viewers …}. */
  String sentence() {
    String begin = "drill " + number + (isFailed(DrillStage.DOOR) ? ": " : ": acknowledged; ");
    return failures.stream()
        .map(failure -> failure.why() + ": " + failure.stage().meaning())
        .collect(Collectors.joining("; ", begin, ""));
  }
}
