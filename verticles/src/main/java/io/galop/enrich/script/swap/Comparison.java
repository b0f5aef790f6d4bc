package io.galop.enrich.script.swap;

import io.galop.record.Record;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * How a new version does beside the live one, over all event loops of the node. Records are the
 * same if id, topic, time and data are, byte for byte and in the same order; two failures are the
 * same.
 */
final class Comparison {
  private static final int MOST_EXAMPLES = 5;
  private static final int LONGEST_EXAMPLE = 300;

  private final SwapMeters meters;
  final LongAdder compared = new LongAdder();
  final LongAdder skipped = new LongAdder();

  /** Those of the records compared that the live script was not called for, being suspended. */
  final LongAdder alone = new LongAdder();

  final LongAdder differing = new LongAdder();
  final Side live = new Side();
  final Side candidate = new Side();
  private final List<String> examples = new ArrayList<>();

  /** What one of the two has done on the records compared. */
  static final class Side {
    final LongAdder failures = new LongAdder();
    final LongAdder limits = new LongAdder();
    final LongAdder allocatedBytes = new LongAdder();
    private final LongAdder cpuNanos = new LongAdder();
    private final LongAdder calls = new LongAdder();

    private void add(Outcome outcome) {
      failures.add(outcome.hasFailed() ? 1 : 0);
      limits.add(outcome.byLimit() ? 1 : 0);
      allocatedBytes.add(outcome.allocatedBytes());
      cpuNanos.add(outcome.cpuNanos());
      calls.add(outcome.wasCalled() ? 1 : 0);
    }

    /** Whether it was called since the last reset. */
    boolean hasCost() {
      return calls.sum() > 0;
    }

    /** Processor time for a record since the last reset, in microseconds. */
    double costUs() {
      return cpuNanos.sum() / 1_000.0 / Math.max(1, calls.sum());
    }

    private JsonObject json(long records) {
      return new JsonObject()
          .put("failures", failures.sum())
          .put("limits", limits.sum())
          .put("costUs", Math.round(costUs() * 10) / 10.0)
          .put("allocatedBytes", allocatedBytes.sum() / Math.max(1, records));
    }
  }

  Comparison(SwapMeters meters) {
    this.meters = meters;
  }

  /** The first half of a run is for warming up: costs are counted from now on. */
  void costsFromNow() {
    for (Side side : List.of(live, candidate)) {
      side.cpuNanos.reset();
      side.calls.reset();
    }
  }

  void add(Record raw, Outcome liveOutcome, Outcome candidateOutcome) {
    live.add(liveOutcome);
    candidate.add(candidateOutcome);
    compared.increment();
    alone.add(liveOutcome.wasCalled() ? 0 : 1);
    meters.compared.increment();
    meters.failures.increment(candidateOutcome.hasFailed() ? 1 : 0);
    if (liveOutcome.wasCalled() && !isSame(liveOutcome, candidateOutcome)) {
      differing.increment();
      meters.differing.increment();
      example(raw, liveOutcome, candidateOutcome);
    }
  }

  void skip() {
    skipped.increment();
    meters.skipped.increment();
  }

  /** Records that there is an outcome of both for. */
  long ofBoth() {
    return compared.sum() - alone.sum();
  }

  static boolean isSame(Outcome one, Outcome other) {
    if (one.hasFailed() || other.hasFailed()) {
      return one.hasFailed() == other.hasFailed();
    }
    boolean same = one.records().size() == other.records().size();
    for (int i = 0; same && i < one.records().size(); i++) {
      Record a = one.records().get(i);
      Record b = other.records().get(i);
      same =
          a.id().equals(b.id())
              && a.topic().equals(b.topic())
              && a.timeUs() == b.timeUs()
              && Arrays.equals(a.data(), b.data());
    }
    return same;
  }

  private void example(Record raw, Outcome liveOutcome, Outcome candidateOutcome) {
    synchronized (examples) {
      if (examples.size() < MOST_EXAMPLES) {
        examples.add(
            shortened(raw.id() + " of " + raw.topic())
                + ": - "
                + shown(liveOutcome)
                + " + "
                + shown(candidateOutcome));
      }
    }
  }

  private static String shown(Outcome outcome) {
    if (outcome.hasFailed()) {
      return "fails: " + shortened(outcome.failure());
    }
    StringBuilder text = new StringBuilder();
    for (Record record : outcome.records().subList(0, Math.min(2, outcome.records().size()))) {
      String data = new String(record.data(), StandardCharsets.UTF_8);
      text.append(record.id()).append(' ').append(record.topic()).append(' ');
      text.append(record.timeUs()).append(' ').append(shortened(data)).append(' ');
    }
    return outcome.records().isEmpty() ? "nothing" : text.toString().strip();
  }

  private static String shortened(String text) {
    return text.length() > LONGEST_EXAMPLE ? text.substring(0, LONGEST_EXAMPLE) + "…" : text;
  }

  JsonObject json() {
    long records = compared.sum();
    JsonArray shown = new JsonArray();
    synchronized (examples) {
      examples.forEach(shown::add);
    }
    return new JsonObject()
        .put("compared", records)
        .put("notCompared", skipped.sum())
        .put("differing", differing.sum())
        .put("live", live.json(ofBoth()))
        .put("candidate", candidate.json(records))
        .put("differences", shown);
  }
}
