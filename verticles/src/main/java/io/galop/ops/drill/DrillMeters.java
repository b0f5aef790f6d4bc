package io.galop.ops.drill;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumSet;
import java.util.Set;

/** What drills count; from 0 on, so that who watches a rate sees a first one. */
final class DrillMeters {
  private final MeterRegistry registry;
  private volatile Set<DrillStage> failed = Set.of();

  DrillMeters(MeterRegistry registry) {
    this.registry = registry;
    for (DrillStage stage : DrillStage.values()) {
      Gauge.builder("galop.drill.failed", this, meters -> meters.failed.contains(stage) ? 1 : 0)
          .description("1: the last drill's record did not arrive there as it should")
          .tag("stage", stage.word())
          .register(registry);
    }
    for (DrillFault fault : EnumSet.complementOf(EnumSet.of(DrillFault.NONE))) {
      planted(fault);
      detected(fault);
    }
    rounds();
  }

  private Counter rounds() {
    return Counter.builder("galop.drill.rounds")
        .description("Drills that have ended, whatever they found")
        .register(registry);
  }

  private Counter planted(DrillFault fault) {
    return Counter.builder("galop.drill.planted")
        .description("Faults that a drill planted on purpose")
        .tag("fault", fault.word())
        .register(registry);
  }

  private Counter detected(DrillFault fault) {
    return Counter.builder("galop.drill.detected")
        .description("Faults of these that were found")
        .tag("fault", fault.word())
        .register(registry);
  }

  void ended(DrillVerdict verdict) {
    EnumSet<DrillStage> now = EnumSet.noneOf(DrillStage.class);
    verdict.failures().forEach(failure -> now.add(failure.stage()));
    failed = now;
    rounds().increment();
    if (verdict.fault() != DrillFault.NONE) {
      planted(verdict.fault()).increment();
    }
    if (verdict.isDetected()) {
      detected(verdict.fault()).increment();
    }
  }
}
