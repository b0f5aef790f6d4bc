package io.galop.bus;

import java.util.Optional;

/**
 * All addresses of the bus. Each belongs to one node, whose id it names: {@code
 * galop.<node>.<lane>[.<shard>]}. So nothing has to be registered in the cluster to find it.
 */
public final class Addresses {
  private static final String PREFIX = "galop.";

  /** Where the Vert.x TCP event-bus bridge hands over records to publish. */
  public static final String PUBLISH_BRIDGE = "galop-publish";

  private Addresses() {}

  static String of(String node, Lane lane) {
    return PREFIX + node + '.' + lane.word();
  }

  static String of(String node, Lane lane, int shard) {
    return of(node, lane) + '.' + shard;
  }

  /** The node that an address belongs to; empty for addresses that are not Galop's. */
  static Optional<String> node(String address) {
    if (!address.startsWith(PREFIX)) {
      return Optional.empty();
    }
    int end = address.indexOf('.', PREFIX.length());
    return end < 0 ? Optional.empty() : Optional.of(address.substring(PREFIX.length(), end));
  }

  /** The kinds of traffic between nodes. */
  enum Lane {
    ENRICH,
    PERSIST,
    FOLLOW,
    LATEST,
    FETCH,
    PUSH,
    HISTORY,
    SEAL,
    TOPICS,
    OFFER,
    REPLICATE,
    PUBLISH;

    String word() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }
}
