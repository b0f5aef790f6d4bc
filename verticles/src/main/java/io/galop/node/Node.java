package io.galop.node;

import io.galop.bus.Bus;
import io.galop.config.GalopConfig;
import io.galop.latency.Lateness;
import io.galop.ledger.Ledger;
import io.galop.socket.Listeners;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * What every part of a node is given.
 *
 * @param config checked, immutable
 * @param bus the lanes to other parts, here or on another node
 * @param meters where to count
 * @param readiness where to say that the part cannot do its work
 * @param listeners where to say which port was taken
 * @param reports where to offer more than counts
 * @param acts where to tell what an operator did to the part
 * @param lateness where to tell how late records are
 * @param ledger where to count what came and what became of it
 */
public record Node(
    GalopConfig config,
    Bus bus,
    MeterRegistry meters,
    Readiness readiness,
    Listeners listeners,
    Reports reports,
    Acts acts,
    Lateness lateness,
    Ledger ledger) {
  /** A node that nothing has been offered to. */
  public Node(
      GalopConfig config, Bus bus, MeterRegistry meters, Readiness readiness, Listeners listeners) {
    this(
        config,
        bus,
        meters,
        readiness,
        listeners,
        new Reports(),
        new Acts(),
        new Lateness(bus.cluster().self().id()),
        new Ledger());
  }
}
