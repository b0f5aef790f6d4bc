package io.galop.bus;

import io.galop.bus.Addresses.Lane;
import io.galop.cluster.Cluster;
import io.vertx.core.Future;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.MessageConsumer;
import java.util.function.LongSupplier;

/** Asks other nodes for the time of their clocks. Not over links: a relay's clock is its own. */
public final class ClockLane {
  /** An answer that takes longer says little about the clock. */
  private static final long TIMEOUT_MS = 1_000;

  private final Replies replies;
  private final Cluster cluster;
  private final DeliveryOptions attempt = new DeliveryOptions().setSendTimeout(TIMEOUT_MS);

  ClockLane(Replies replies, Cluster cluster) {
    this.replies = replies;
    this.cluster = cluster;
  }

  /**
   * Asks a node for its time, in microseconds of whatever its clock counts from. Fails where the
   * node does not answer soon, or is of a version that is not asked.
   */
  public Future<Long> ask(String node) {
    return replies.request(node, Addresses.of(node, Lane.CLOCK), 0L, attempt);
  }

  /** Answers {@link #ask}, on the caller's event loop. */
  public MessageConsumer<Long> onAsk(LongSupplier clockUs) {
    String address = Addresses.of(cluster.self().id(), Lane.CLOCK);
    return replies.consume(address, question -> Future.succeededFuture(clockUs.getAsLong()));
  }
}
