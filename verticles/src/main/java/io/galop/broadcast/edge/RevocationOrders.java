package io.galop.broadcast.edge;

import io.galop.bus.Refusal;
import io.galop.bus.ViewerLane;
import io.galop.config.RelayConfig;
import io.galop.jvm.ErrorText;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;

/**
 * Takes what others say of tokens to be refused: an operator through a node, other nodes, and on a
 * relay whoever has dialled it. What is news goes on to the relays that this node dials. On one
 * event loop.
 */
final class RevocationOrders {
  private final ViewerLane lane;
  private final Revoking revoking;
  private final Revocations known;
  private final List<RelayConfig> relays;
  private final boolean asksForTokens;

  /**
   * @param relays that this node dials
   * @param asksForTokens whether this node itself has viewers who have to show some
   */
  RevocationOrders(
      ViewerLane lane,
      Revoking revoking,
      Revocations known,
      List<RelayConfig> relays,
      boolean asksForTokens) {
    this.lane = lane;
    this.revoking = revoking;
    this.known = known;
    this.relays = relays;
    this.asksForTokens = asksForTokens;
  }

  /** What a node answers that keeps nothing. */
  static Future<JsonObject> nothing() {
    return Future.succeededFuture(answer(new Revoking.Done(0, true), false).put("fingerprint", 0L));
  }

  private static JsonObject answer(Revoking.Done done, boolean asksForTokens) {
    return new JsonObject()
        .put("ended", done.ended())
        .put("saved", done.isSaved())
        .put("asksForTokens", asksForTokens);
  }

  /** An operator's order; see {@link ViewerLane#disconnect}. */
  Future<JsonObject> disconnect(JsonObject order) {
    Map<String, Long> subject = Map.of(order.getString("subject"), order.getLong("beforeMs"));
    Future<JsonArray> told = tell(subject); // beside it: a slow relay keeps nobody connected here
    return revoking
        .revoke(subject, () -> {})
        .compose(done -> told.map(all -> answer(done, asksForTokens).put("relays", all)));
  }

  /**
   * What has come over a link; see {@link ViewerLane#revoke}. Its answer does not wait for relays
   * behind this one, which may ask for tokens: each link tells again what was not taken.
   */
  Future<JsonObject> revoke(JsonObject order) {
    return learn(RevocationExchange.moments(order))
        .map(done -> answer(done, asksForTokens || !relays.isEmpty()))
        .map(answer -> answer.put("fingerprint", known.fingerprint(System.currentTimeMillis())))
        .recover(full -> Future.failedFuture(new Refusal(Refusal.Why.BUSY, ErrorText.of(full))));
  }

  /** What another node knows; relays are told beside the disk, which may be slow. */
  Future<Revoking.Done> learn(Map<String, Long> beforeMs) {
    return revoking.revoke(beforeMs, () -> tell(beforeMs));
  }

  /** What each relay did; a relay without a link is told when it has one. */
  private Future<JsonArray> tell(Map<String, Long> beforeMs) {
    if (relays.isEmpty()) {
      return Future.succeededFuture(new JsonArray());
    }
    JsonObject subjects = new JsonObject();
    beforeMs.forEach(subjects::put);
    return lane.tellRelays(new JsonObject().put("subjects", subjects))
        .map(told -> told.getJsonArray("relays"))
        .otherwise(this::untold);
  }

  private JsonArray untold(Throwable failure) {
    JsonArray all = new JsonArray();
    for (RelayConfig relay : relays) {
      all.add(
          new JsonObject()
              .put("relay", relay.address())
              .put("node", "")
              .put("why", ErrorText.of(failure)));
    }
    return all;
  }
}
