package io.galop.broadcast.edge;

import io.galop.bus.ViewerLane;
import io.galop.config.broadcast.BroadcastConfig;
import io.galop.node.Node;
import io.micrometer.core.instrument.Gauge;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a node knows of viewers' tokens: the keys that count, and whose tokens are revoked. One on
 * each node, whatever its roles, before the HTTP port: a node must not let in whom others refuse.
 */
public final class ViewerVerticle extends VerticleBase {
  private static final long TICK_MS = 5_000;

  private final Node node;
  private final BroadcastConfig config;
  private final ViewerLane lane;
  private Optional<Tokens> tokens = Optional.empty();

  /** Null where no tokens are asked for, and before the start. */
  private @Nullable JwksReader reader;

  public ViewerVerticle(Node node) {
    this.node = node;
    this.config = node.config().broadcast();
    this.lane = node.bus().viewers();
  }

  /** What viewers have to show; empty: nothing. There when the verticle is deployed. */
  public Optional<Tokens> tokens() {
    return tokens;
  }

  /** What was read from files. */
  private record Read(TokenKeys keys, Revocations revocations) {}

  @Override
  public Future<?> start() {
    SubjectDisconnect disconnect = new SubjectDisconnect(lane, node.bus().cluster());
    node.reports().offer("viewers/disconnect", disconnect);
    if (!config.token().isAsked()) {
      JsonObject nothing = done(new Revoking.Done(0, true), false);
      return lane.onDisconnect(order -> Future.succeededFuture(nothing)).completion();
    }
    RevocationFile file = new RevocationFile(node.config().node().dataDir());
    return vertx
        .executeBlocking(
            () ->
                new Read(
                    TokenKeys.of(config.token()),
                    Revoking.saved(file, new Revocations(config.token()))))
        .compose(read -> start(read, file));
  }

  private Future<?> start(Read read, RevocationFile file) {
    Tokens known = new Tokens(config, read.keys, read.revocations);
    tokens = Optional.of(known);
    Revoking revoking = new Revoking(vertx, known, read.revocations, file, node.readiness());
    RevocationExchange exchange = new RevocationExchange(lane, node.bus().cluster(), revoking);
    Gauge.builder("galop.broadcast.revoked.subjects", read.revocations, Revocations::size)
        .description("Subjects whose tokens of before a moment are refused")
        .register(node.meters());
    vertx.setPeriodic(
        TICK_MS,
        timer -> {
          revoking.tick();
          exchange.tick();
        });
    return Future.all(
            lane.onDisconnect(order -> disconnect(revoking, order)).completion(),
            lane.onKnown(exchange::onKnown).completion())
        .compose(listening -> Future.all(exchange.start(), keys(known, read.keys)));
  }

  private static Future<JsonObject> disconnect(Revoking revoking, JsonObject order) {
    return revoking
        .revoke(Map.of(order.getString("subject"), order.getLong("beforeMs")))
        .map(what -> done(what, true));
  }

  private static JsonObject done(Revoking.Done what, boolean asksForTokens) {
    return new JsonObject()
        .put("ended", what.ended())
        .put("saved", what.isSaved())
        .put("asksForTokens", asksForTokens);
  }

  /** Keys of a set change while the node runs. */
  private Future<?> keys(Tokens known, TokenKeys keys) {
    if (!config.token().jwks().isGiven()) {
      return Future.succeededFuture();
    }
    JwksReader started =
        new JwksReader(
            vertx, config.token().jwks(), keys, node.meters(), node.readiness(), known::sweep);
    reader = started;
    return started.start();
  }

  @Override
  public Future<?> stop() {
    if (reader != null) {
      reader.close();
    }
    return Future.succeededFuture();
  }
}
