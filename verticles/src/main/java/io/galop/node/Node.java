package io.galop.node;

import io.galop.bus.Bus;
import io.galop.config.GalopConfig;
import io.galop.latency.Lateness;
import io.galop.ledger.Book;
import io.galop.ledger.Border;
import io.galop.ledger.NodeLedger;
import io.galop.socket.Listeners;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Context;

/**
 * What every part of a node is given.
 *
 * @param settings the configuration in force, checked and immutable, and who takes another one
 * @param bus the lanes to other parts, here or on another node
 * @param meters where to count
 * @param readiness where to say that the part cannot do its work
 * @param listeners where to say which port was taken
 * @param reports where to offer more than counts
 * @param acts where to tell what an operator did to the part
 * @param lateness where to tell how late records are
 * @param ledger where to count what came and what became of it
 * @param owners where to hear what owners have on disk
 */
public record Node(
    LiveConfig settings,
    Bus bus,
    MeterRegistry meters,
    Readiness readiness,
    Listeners listeners,
    Reports reports,
    Acts acts,
    Lateness lateness,
    NodeLedger ledger,
    OwnerTaps owners) {
  /** A node that nothing has been offered to. */
  public Node(
      GalopConfig config, Bus bus, MeterRegistry meters, Readiness readiness, Listeners listeners) {
    this(
        new LiveConfig(config),
        bus,
        meters,
        readiness,
        listeners,
        new Reports(),
        new Acts(),
        new Lateness(bus.cluster().self().id()),
        new NodeLedger(),
        new OwnerTaps());
  }

  /** The configuration in force. */
  public GalopConfig config() {
    return settings.current();
  }

  /**
   * A book for what the calling event loop counts at a border.
   *
   * @param border its word, as {@code feed}
   */
  public Book book(String border, Context loop) {
    return ledger.open(
        Border.of(border),
        "",
        bus.cluster().shards(),
        task -> loop.runOnContext(turn -> task.run()));
  }

  /** A book for a thread that turns it by itself, of one of several, as a store. */
  public Book ownBook(String border, String of) {
    return ledger.open(Border.of(border), of, bus.cluster().shards(), task -> {});
  }

  /** A book for a thread that counts in the minutes of others. */
  public Book followingBook(String border) {
    return ledger.openFollowing(Border.of(border), bus.cluster().shards());
  }
}
