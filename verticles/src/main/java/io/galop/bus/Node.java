package io.galop.bus;

import io.galop.config.GalopConfig;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * What every part of a node is given: its configuration, the bus, where to count, where to say that
 * it is not ready.
 */
public record Node(GalopConfig config, Bus bus, MeterRegistry meters, Readiness readiness) {}
