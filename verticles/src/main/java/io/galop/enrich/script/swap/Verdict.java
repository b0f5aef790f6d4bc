package io.galop.enrich.script.swap;

import io.galop.config.enrich.ScriptConfig;
import io.galop.config.enrich.ShadowConfig;
import java.util.Locale;

/**
 * Whether a new version takes over, is rolled back, or goes on beside the live one for a while.
 *
 * @param phase what follows
 * @param reason why, one clause with the figures
 */
record Verdict(RolloutPhase phase, String reason) {
  /** So few failures may be chance, whatever their share. */
  private static final int FEW = 3;

  /** What a heap grows by is not of a version that has allocated very much more meanwhile. */
  private static final double SHARE = 0.05;

  private static final Verdict GO_ON = new Verdict(RolloutPhase.SHADOW, "");

  /**
   * Judges a run so far.
   *
   * @param elapsedMs since it began
   */
  static Verdict of(ScriptConfig config, Comparison seen, HeapGrowth heap, long elapsedMs) {
    ShadowConfig rules = config.shadow();
    String early = tooBad(config, seen, heap);
    if (!early.isEmpty()) {
      return new Verdict(RolloutPhase.ROLLED_BACK, early);
    }
    if (elapsedMs < rules.seconds() * 1000L) {
      return GO_ON;
    }
    boolean overdue = elapsedMs >= rules.maxSeconds() * 1000L;
    if (seen.compared.sum() < rules.minRecords()) {
      return overdue ? rolledBack(tooFew(rules, seen)) : GO_ON;
    }
    boolean mayRetain = seen.candidate.allocatedBytes.sum() > rules.maxRetainedBytes();
    if (mayRetain && !heap.isKnown() && !overdue) {
      return GO_ON;
    }
    String worse = worse(rules, seen);
    return worse.isEmpty() ? new Verdict(RolloutPhase.PROMOTED, figures(seen)) : rolledBack(worse);
  }

  private static Verdict rolledBack(String reason) {
    return new Verdict(RolloutPhase.ROLLED_BACK, reason);
  }

  /** What is not waited on with until the end. */
  private static String tooBad(ScriptConfig config, Comparison seen, HeapGrowth heap) {
    ShadowConfig rules = config.shadow();
    long limits = seen.candidate.limits.sum() - seen.live.limits.sum();
    if (limits >= config.breaker().hits()) {
      return "limits ended %d of its calls, breaker.hits is %d"
          .formatted(limits, config.breaker().hits());
    }
    long failures = seen.candidate.failures.sum() - seen.live.failures.sum();
    long records = Math.max(seen.compared.sum(), rules.minRecords());
    if (failures >= FEW && failures > rules.maxErrorPercent() / 100 * records) {
      return errors(rules, failures, seen.compared.sum());
    }
    long growth = heap.bytes();
    long allocated = seen.candidate.allocatedBytes.sum();
    if (growth > rules.maxRetainedBytes() && allocated >= growth && growth > SHARE * allocated) {
      return "the heap has grown by %,d bytes while it ran, maxRetainedBytes is %,d"
          .formatted(growth, rules.maxRetainedBytes());
    }
    return "";
  }

  private static String errors(ShadowConfig rules, long failures, long compared) {
    return format(
        "it failed on %d of %d records more than the one in use, %.2f %%, maxErrorPercent is %s",
        failures, compared, 100.0 * failures / Math.max(1, compared), rules.maxErrorPercent());
  }

  private static String worse(ShadowConfig rules, Comparison seen) {
    long compared = Math.max(1, seen.compared.sum());
    long failures = seen.candidate.failures.sum() - seen.live.failures.sum();
    if (failures > rules.maxErrorPercent() / 100 * compared) {
      return errors(rules, failures, compared);
    }
    if (seen.alone.sum() > 0 && seen.candidate.failures.sum() >= compared) {
      return format("it failed on all of %d records, as the one in use does", compared);
    }
    double differing = 100.0 * seen.differing.sum() / Math.max(1, seen.ofBoth());
    if (differing > rules.maxDifferencePercent()) {
      return format(
          "it returned something else for %.2f %% of the records, maxDifferencePercent is %s",
          differing, rules.maxDifferencePercent());
    }
    double cost = seen.candidate.costUs();
    boolean isDear = cost > rules.freeCostUs() && cost > rules.maxCostRatio() * seen.live.costUs();
    if (isDear && seen.live.hasCost()) {
      return format(
          "it takes %.1f us of processor time for a record, the one in use %.1f, maxCostRatio is"
              + " %s",
          cost, seen.live.costUs(), rules.maxCostRatio());
    }
    return allocates(rules, seen, compared);
  }

  private static String allocates(ShadowConfig rules, Comparison seen, long compared) {
    long bytes = seen.candidate.allocatedBytes.sum() / compared;
    long live = seen.live.allocatedBytes.sum() / Math.max(1, seen.ofBoth());
    boolean isMore =
        bytes > rules.freeAllocatedBytes() && bytes > rules.maxAllocationRatio() * live;
    return isMore && seen.ofBoth() > 0
        ? format(
            "it allocates %,d bytes for a record, the one in use %,d, maxAllocationRatio is %s",
            bytes, live, rules.maxAllocationRatio())
        : "";
  }

  private static String tooFew(ShadowConfig rules, Comparison seen) {
    return format(
        "it could be compared on %d records only within maxSeconds, minRecords is %d; where the"
            + " feed is quiet set that lower",
        seen.compared.sum(), rules.minRecords());
  }

  private static String figures(Comparison seen) {
    long alone = seen.alone.sum();
    return format(
        "compared on %d records: %d differ, %d failures where the one in use had %d, %.1f us a"
            + " record where it took %.1f%s",
        seen.compared.sum(),
        seen.differing.sum(),
        seen.candidate.failures.sum(),
        seen.live.failures.sum(),
        seen.candidate.costUs(),
        seen.live.costUs(),
        alone == 0 ? "" : "; the one in use was suspended for %d of them".formatted(alone));
  }

  private static String format(String text, Object... values) {
    return String.format(Locale.ROOT, text, values);
  }
}
