package io.galop.ops.drill;

import java.util.List;
import java.util.stream.Collectors;

/**
 * What became of a round.
 *
 * @param failures none: it has passed
 * @param isDetected whether the planted fault was found; false if none was planted
 */
record DrillVerdict(long number, DrillFault fault, List<Failure> failures, boolean isDetected) {
  DrillVerdict {
    failures = List.copyOf(failures);
  }

  /**
   * A stage that a record has not reached as it should.
   *
   * @param why as in {@code not shown on websocket within 5000 ms}
   */
  record Failure(DrillStage stage, String why) {}

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
