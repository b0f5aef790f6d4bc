package io.galop.bus;

import io.galop.bus.Addresses.Lane;
import io.galop.cluster.Cluster;
import io.vertx.core.Future;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.eventbus.ReplyException;
import java.util.function.LongSupplier;

/** Asks other nodes for the time of their clocks. Not over links: a relay's clock is its own. */
public final class ClockLane {
  /** An answer that takes longer says little about the clock. */
  private static final long TIMEOUT_MS = 1_000;

  /** A node with much to do is reached all the same. */
  private static final long REACH_MS = 4_000;

  private final Replies replies;
  private final Cluster cluster;
  private final DeliveryOptions attempt = new DeliveryOptions().setSendTimeout(TIMEOUT_MS);
  private final DeliveryOptions patient = new DeliveryOptions().setSendTimeout(REACH_MS);

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

  /**
   * Asks whether a node is reached: ends when it has answered, if only that it cannot, and fails
   * where it has not within four seconds.
   */
  public Future<?> reach(String node) {
    Future<Long> answer = replies.request(node, Addresses.of(node, Lane.CLOCK), 0L, patient);
    return answer.recover(
        failure -> isOfNode(failure) ? Future.succeededFuture() : Future.failedFuture(failure));
  }

  /** What this side makes up where there is no answer is a {@link Refusal}. */
  private static boolean isOfNode(Throwable failure) {
    return failure instanceof ReplyException && !(failure instanceof Refusal);
  }

  /** Answers {@link #ask}, on the caller's event loop. */
  public MessageConsumer<Long> onAsk(LongSupplier clockUs) {
    String address = Addresses.of(cluster.self().id(), Lane.CLOCK);
    return replies.consume(address, question -> Future.succeededFuture(clockUs.getAsLong()));
  }
}
