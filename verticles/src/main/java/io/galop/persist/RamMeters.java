package io.galop.persist;

import io.galop.persist.ram.RamTier;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/** The figures of the RAM tier. */
record RamMeters(RamTier ram) {
  void register(MeterRegistry meters) {
    Gauge.builder("galop.persist.ram", ram, RamTier::allocatedBytes)
        .baseUnit("bytes")
        .description("Bytes of the RAM tier that are taken")
        .strongReference(true)
        .register(meters);
    FunctionCounter.builder("galop.persist.ram.evictions", ram, RamTier::evictions)
        .baseUnit("slabs")
        .description("Slabs that went because of persist.ram.maxBytes")
        .register(meters);
  }
}
