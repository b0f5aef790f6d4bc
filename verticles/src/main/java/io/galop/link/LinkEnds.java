package io.galop.link;

import io.galop.bus.Bus;
import io.galop.cluster.Cluster;
import io.galop.config.GalopConfig;
import io.galop.node.Node;
import io.vertx.core.Deployable;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** What a node has to do with links, if anything: it is dialled, or it dials. */
public final class LinkEnds {
  private final GalopConfig config;
  private final Optional<Links> links;

  private LinkEnds(GalopConfig config, Optional<Links> links) {
    this.config = config;
    this.links = links;
  }

  /**
   * As configured.
   *
   * @param name of the node
   */
  public static LinkEnds of(GalopConfig config, String name) {
    boolean isRelay = config.broadcast().link().isGiven();
    int shards = config.node().shards();
    return new LinkEnds(config, isRelay ? Optional.of(new Links(name, shards)) : Optional.empty());
  }

  /** The lanes of the node: over its links if it is a relay, else over the event bus. */
  public Bus open(Vertx vertx, Cluster cluster) {
    return links
        .map(relay -> Bus.overLinks(vertx, relay, config.cluster(), relay))
        .orElseGet(() -> Bus.open(vertx, cluster, config.cluster()));
  }

  /** What is to be deployed: before it are the stages that take requests. */
  public List<Supplier<Deployable>> verticles(Node node) {
    List<Supplier<Deployable>> all = new ArrayList<>();
    if (links.isEmpty() && config.relays().isEmpty()) {
      return all;
    }
    LinkCounts counts = new LinkCounts(node.meters());
    LinkReport reported = LinkReport.of(node.reports());
    links.ifPresent(relay -> all.add(() -> new RelayVerticle(node, relay, counts, reported)));
    if (!config.relays().isEmpty()) {
      all.add(() -> new UplinkVerticle(node, counts, reported));
    }
    return all;
  }
}
