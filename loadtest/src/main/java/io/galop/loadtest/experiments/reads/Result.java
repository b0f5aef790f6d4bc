package io.galop.loadtest.experiments.reads;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What came of one server. */
final class Result {
  /** Some answers at the edges of what is counted may be counted on one side only. */
  private static final double ALL = 0.98;

  private final ReadSubject subject;
  private final LoadOutcome closed = new LoadOutcome();
  private final LoadOutcome open = new LoadOutcome();
  private double begin;
  private double end;
  private int bound;

  Result(ReadSubject subject) {
    this.subject = subject;
  }

  ReadSubject subject() {
    return subject;
  }

  LoadOutcome closed() {
    return closed;
  }

  LoadOutcome open() {
    return open;
  }

  /** So many threads are bound to a core each. */
  void onBound(int threads) {
    bound = threads;
  }

  /** Before the rounds the node has given so many answers in its way. */
  void onBegin(double answers) {
    begin = answers;
  }

  /** After them so many. */
  void onEnd(double answers) {
    end = answers;
  }

  /** What is wrong with it, in words; empty if nothing is. */
  List<String> problems() {
    List<String> problems = new ArrayList<>();
    long wrong = closed.wrong() + open.wrong();
    if (wrong > 0) {
      String why = open.wrong() > 0 ? open.why() : closed.why();
      problems.add("%s: %,d answers were wrong or missing: %s.".formatted(label(), wrong, why));
    }
    if (closed.answers() == 0 || open.answers() == 0) {
      problems.add(label() + ": there was no answer.");
    }
    long answers = closed.answers() + open.answers();
    if (!subject.isBare() && end - begin < ALL * answers) {
      problems.add(
          "%s: its node gave only %,.0f of %,d answers in that way; are there more records in a"
                  .formatted(label(), end - begin, answers)
              + " shard than a search on an event loop may look at?");
    }
    if (subject.binding() == Binding.BOUND && bound < subject.eventLoops()) {
      problems.add("%s: only %d threads were found to bind.".formatted(label(), bound));
    }
    return problems;
  }

  private String label() {
    return subject.label();
  }

  /** Right answers of those that were due. */
  double completeness() {
    return open.answers() / (double) Math.max(1, open.answers() + open.wrong());
  }

  /** For the progress. */
  String line() {
    return String.format(
        Locale.ROOT,
        "%-28s %,9.0f/s closed   open p50 %.2f  p99 %.2f  p99.9 %.2f ms",
        label(),
        closed.rounds().get(closed.rounds().size() - 1),
        open.ms(50),
        open.ms(99),
        open.ms(99.9));
  }

  void put(Map<String, Double> figures) {
    String key = subject.key() + ".";
    figures.put(key + "requestsPerSecond", closed.perSecond());
    figures.put(key + "closedP99Ms", closed.ms(99));
    figures.put(key + "closedP999Ms", closed.ms(99.9));
    figures.put(key + "closedCpuMicros", closed.microsPerAnswer());
    figures.put(key + "closedSwitches", closed.switchesPerAnswer());
    figures.put(key + "p50Ms", open.ms(50));
    figures.put(key + "p99Ms", open.ms(99));
    figures.put(key + "p999Ms", open.ms(99.9));
    figures.put(key + "cpuMicros", open.microsPerAnswer());
    figures.put(key + "switches", open.switchesPerAnswer());
    figures.put(key + "completeness", completeness());
  }
}
