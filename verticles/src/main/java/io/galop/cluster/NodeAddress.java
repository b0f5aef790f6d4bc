package io.galop.cluster;

import java.util.Optional;

/**
 * Addresses of the event bus that belong to one node, whose id they name: {@code
 * galop.<node>.<rest>}. So nothing has to be registered in the cluster to find them.
 */
public final class NodeAddress {
  private static final String PREFIX = "galop.";

  private NodeAddress() {}

  /** The address of something that a node does. */
  public static String of(String node, String rest) {
    return PREFIX + node + '.' + rest;
  }

  /** The node that an address belongs to; empty for addresses that are not Galop's. */
  static Optional<String> node(String address) {
    if (!address.startsWith(PREFIX)) {
      return Optional.empty();
    }
    int end = address.indexOf('.', PREFIX.length());
    return end < 0 ? Optional.empty() : Optional.of(address.substring(PREFIX.length(), end));
  }
}
