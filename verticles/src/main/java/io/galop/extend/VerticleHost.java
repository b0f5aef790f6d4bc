package io.galop.extend;

import io.galop.node.FeedTap;
import io.galop.node.Node;
import io.vertx.core.Vertx;
import io.vertx.core.shareddata.LocalMap;
import io.vertx.core.shareddata.Shareable;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * What the factories, which Vert.x makes, find of the node they are in. One per Vert.x. Safe to
 * call from any thread.
 */
final class VerticleHost implements Shareable {
  private static final String MAP = "galop.extend";
  private static final String KEY = "host";

  private final Node node;
  private final Optional<Function<FeedTap, Runnable>> feed;
  private final Map<String, VerticleMeters> meters = new ConcurrentHashMap<>();
  private final Map<InstanceSpec, Runnable> running = new ConcurrentHashMap<>();

  private VerticleHost(Node node, Optional<Function<FeedTap, Runnable>> feed) {
    this.node = node;
    this.feed = feed;
  }

  static VerticleHost open(Vertx vertx, Node node, Optional<Function<FeedTap, Runnable>> feed) {
    VerticleHost host = new VerticleHost(node, feed);
    map(vertx).put(KEY, host);
    return host;
  }

  /** That of a node; empty in a Vert.x that is none. */
  static Optional<VerticleHost> of(Vertx vertx) {
    return Optional.ofNullable(map(vertx).get(KEY));
  }

  private static LocalMap<String, VerticleHost> map(Vertx vertx) {
    return vertx.sharedData().getLocalMap(MAP);
  }

  Node node() {
    return node;
  }

  /** Lets somebody hear the feed, and gives back what ends that. */
  Optional<Function<FeedTap, Runnable>> feed() {
    return feed;
  }

  VerticleMeters meters(String label) {
    return meters.computeIfAbsent(label, name -> new VerticleMeters(node.meters(), name));
  }

  /**
   * An instance is being started.
   *
   * @param cancel ends what it does at the moment; called from another thread
   */
  void began(InstanceSpec spec, Runnable cancel) {
    running.put(spec, cancel);
  }

  void ended(InstanceSpec spec) {
    running.remove(spec);
  }

  /** Whether an instance is being started or runs. */
  boolean hasBegun(InstanceSpec spec) {
    return running.containsKey(spec);
  }

  /** Ends what an instance does at the moment, if it still runs. */
  void cancel(InstanceSpec spec) {
    Optional.ofNullable(running.get(spec)).ifPresent(Runnable::run);
  }
}
