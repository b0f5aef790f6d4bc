package io.galop.persist.history;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** Counts what becomes of answers for which the {@link AnswerBudget} has no room. */
record AnswerCounts(Counter waited, Counter refused, Counter setAside, Counter cut) {

  static AnswerCounts of(MeterRegistry meters) {
    return new AnswerCounts(
        counter(meters, "waited", "Answers of the history that had to wait for others"),
        counter(meters, "refused", "Answers of the history refused for want of room"),
        counter(meters, "set.aside", "Pages that slow answers of the history let others have"),
        counter(meters, "cut", "Answers of the history cut off as nobody read them"));
  }

  private static Counter counter(MeterRegistry meters, String what, String description) {
    return Counter.builder("galop.history.answers." + what)
        .description(description)
        .register(meters);
  }
}
