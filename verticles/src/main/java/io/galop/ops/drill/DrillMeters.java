package io.galop.ops.drill;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** What drills count; from 0 on, so that who watches a rate sees a first one. */
final class DrillMeters {
  /** The fault of dead letters that the Ledger has to count. */
  private static final String COUNTED = "counted";

  private final MeterRegistry registry;
  private volatile boolean isUncounted;
  private volatile Set<DrillStage> failed = Set.of();
  private volatile List<RelaySaid> relays = List.of();

  DrillMeters(MeterRegistry registry) {
    this.registry = registry;
    for (DrillStage stage : DrillStage.values()) {
      Gauge.builder("galop.drill.failed", this, meters -> meters.isFailed(stage) ? 1 : 0)
          .description("1: the last drill's record did not arrive there as it should")
          .tag("stage", stage.word())
          .register(registry);
    }
    for (RelayState state : List.of(RelayState.PASSED, RelayState.FAILED, RelayState.UNKNOWN)) {
      Gauge.builder("galop.drill.relays", this, meters -> meters.relays(state))
          .description("Relays by what they said of the last drill that they could watch")
          .tag("state", state.word())
          .register(registry);
    }
    for (DrillFault fault : EnumSet.complementOf(EnumSet.of(DrillFault.NONE))) {
      planted(fault.word());
      detected(fault.word());
    }
    planted(COUNTED);
    detected(COUNTED);
    rounds();
  }

  private Counter rounds() {
    return Counter.builder("galop.drill.rounds")
        .description("Drills that have ended, whatever they found")
        .register(registry);
  }

  private Counter planted(String fault) {
    return Counter.builder("galop.drill.planted")
        .description("Faults that a drill planted on purpose")
        .tag("fault", fault)
        .register(registry);
  }

  private Counter detected(String fault) {
    return Counter.builder("galop.drill.detected")
        .description("Faults of these that were found")
        .tag("fault", fault)
        .register(registry);
  }

  /** What one has not said is not known. */
  private long relays(RelayState state) {
    return relays.stream()
        .map(RelaySaid::state)
        .map(said -> said.isKnown() ? said : RelayState.UNKNOWN)
        .filter(said -> said == state)
        .count();
  }

  private boolean isFailed(DrillStage stage) {
    return failed.contains(stage) || stage == DrillStage.LEDGER && isUncounted;
  }

  /** What the Ledger says of a dead letter is known. */
  void counted(boolean isCounted) {
    isUncounted = !isCounted;
    planted(COUNTED).increment();
    if (isCounted) {
      detected(COUNTED).increment();
    }
  }

  void ended(DrillVerdict verdict) {
    EnumSet<DrillStage> now = EnumSet.noneOf(DrillStage.class);
    verdict.failures().forEach(failure -> now.add(failure.stage()));
    failed = now;
    if (verdict.fault() != DrillFault.REFUSED) {
      relays = verdict.relays();
    }
    rounds().increment();
    if (verdict.fault() != DrillFault.NONE) {
      planted(verdict.fault().word()).increment();
    }
    if (verdict.isDetected()) {
      detected(verdict.fault().word()).increment();
    }
  }
}
