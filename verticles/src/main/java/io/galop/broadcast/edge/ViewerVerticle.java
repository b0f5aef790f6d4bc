package io.galop.broadcast.edge;

import io.galop.bus.ViewerLane;
import io.galop.cluster.Cluster;
import io.galop.cluster.Member;
import io.galop.config.broadcast.BroadcastConfig;
import io.galop.node.Node;
import io.micrometer.core.instrument.Gauge;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.List;
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
  private @Nullable TokenKeySource source;

  public ViewerVerticle(Node node) {
    this.node = node;
    this.config = node.config().broadcast();
    this.lane = node.bus().viewers();
  }

  /** What viewers have to show; empty: nothing. There when the verticle is deployed. */
  public Optional<Tokens> tokens() {
    return tokens;
  }

  /**
   * What was read from files.
   *
   * @param keys empty where no tokens are asked for
   */
  private record Read(Optional<TokenKeys> keys, Revocations revocations) {}

  @Override
  public Future<?> start() {
    SubjectDisconnect disconnect = new SubjectDisconnect(lane, this::toBeTold);
    node.reports().offer("viewers/disconnect", disconnect);
    if (!config.token().isAsked() && node.config().relays().isEmpty()) {
      return Future.all(
          lane.onDisconnect(order -> RevocationOrders.nothing()).completion(),
          lane.onRevoke(order -> RevocationOrders.nothing()).completion());
    }
    RevocationFile file = new RevocationFile(node.config().node().dataDir());
    return vertx.executeBlocking(() -> read(file)).compose(read -> start(read, file));
  }

  private Read read(RevocationFile file) {
    Optional<TokenKeys> keys =
        config.token().isAsked() ? Optional.of(TokenKeys.of(config.token())) : Optional.empty();
    return new Read(keys, Revoking.saved(file, new Revocations(config.token())));
  }

  /** All members; they tell the relays. A relay is none, and can tell nobody inside. */
  private List<Member> toBeTold() {
    Cluster cluster = node.bus().cluster();
    return config.link().isGiven() ? List.of(cluster.self()) : cluster.members();
  }

  /** A node that dials relays keeps revocations for them, also where it has no tokens itself. */
  private Future<?> start(Read read, RevocationFile file) {
    Revocations known = read.revocations;
    tokens = read.keys.map(keys -> new Tokens(config, keys, known));
    Revoking revoking = new Revoking(vertx, this::sweep, known, file, node.readiness());
    RevocationOrders orders =
        new RevocationOrders(
            lane, revoking, known, node.config().relays(), config.token().isAsked());
    RevocationExchange exchange =
        new RevocationExchange(lane, node.bus().cluster(), known, orders::learn);
    Gauge.builder("galop.broadcast.revoked.subjects", known, Revocations::size)
        .description("Subjects whose tokens of before a moment are refused")
        .register(node.meters());
    vertx.setPeriodic(
        TICK_MS,
        timer -> {
          revoking.tick();
          exchange.tick();
        });
    return Future.all(
            lane.onDisconnect(orders::disconnect).completion(),
            lane.onRevoke(orders::revoke).completion(),
            lane.onKnown(exchange::onKnown).completion())
        .compose(listening -> Future.all(exchange.start(), keys(read.keys)));
  }

  private Future<Integer> sweep() {
    return tokens.map(Tokens::sweep).orElseGet(() -> Future.succeededFuture(0));
  }

  private Future<?> keys(Optional<TokenKeys> keys) {
    if (keys.isEmpty()) {
      return Future.succeededFuture();
    }
    JwksMeters meters = new JwksMeters(node.meters(), keys.get());
    TokenKeySource started =
        new TokenKeySource(vertx, keys.get(), meters, node.readiness(), this::sweep);
    source = started;
    return started.start(config.token(), node.settings());
  }

  @Override
  public Future<?> stop() {
    if (source != null) {
      source.close();
    }
    return Future.succeededFuture();
  }
}
