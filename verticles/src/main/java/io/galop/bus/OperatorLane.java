package io.galop.bus;

import io.galop.bus.Addresses.Lane;
import io.galop.cluster.Cluster;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.json.JsonObject;
import java.util.function.Function;

/**
 * What somebody who runs Galop asks and orders of nodes, as JSON: rare. Each request is answered by
 * one node; a node that does not answer in time is as one that is not there.
 */
public final class OperatorLane {
  private static final long TIMEOUT_MS = 5_000;

  private static final DeliveryOptions ATTEMPT = new DeliveryOptions().setSendTimeout(TIMEOUT_MS);

  private final Replies replies;
  private final Cluster cluster;

  OperatorLane(Replies replies, Cluster cluster) {
    this.replies = replies;
    this.cluster = cluster;
  }

  /**
   * Asks a node for its alarms, or has it change some.
   *
   * @param request {@code {"do":"list"|"acknowledge"|"shelve"|"unshelve", …}}
   */
  public Future<JsonObject> alarms(String node, JsonObject request) {
    return ask(node, Lane.ALARMS, request);
  }

  /** Answers {@link #alarms}, on the caller's event loop. */
  public MessageConsumer<JsonObject> onAlarms(Function<JsonObject, Future<JsonObject>> handler) {
    return replies.consume(Addresses.of(cluster.self().id(), Lane.ALARMS), handler);
  }

  /**
   * Asks a node for one of its reports.
   *
   * @param question {@code {"report":name,"parameters":{name:text,…}}}
   * @return a JSON object as text, which may be large: no event loop has to encode it
   */
  public Future<Buffer> report(String node, JsonObject question) {
    return ask(node, Lane.REPORT, question);
  }

  /** Answers {@link #report}, on the caller's event loop. */
  public MessageConsumer<JsonObject> onReport(Function<JsonObject, Future<Buffer>> handler) {
    return replies.consume(Addresses.of(cluster.self().id(), Lane.REPORT), handler);
  }

  private <A> Future<A> ask(String node, Lane lane, JsonObject question) {
    return replies
        .<A>request(node, Addresses.of(node, lane), question, ATTEMPT)
        .recover(failure -> Future.failedFuture(Refusal.of(failure)));
  }
}
