package io.galop.config;

import java.util.List;
import java.util.Optional;

/**
 * The proxies in front of a node, and where a client is by what they say.
 *
 * @param blocks where they are
 */
public record TrustedProxies(List<Cidr> blocks) {
  public TrustedProxies {
    blocks = List.copyOf(blocks);
  }

  /** Whether an address is a proxy's. */
  public boolean contains(IpAddress address) {
    return blocks.stream().anyMatch(block -> block.contains(address));
  }

  /** The same for an address as text; what is no address is not trusted. */
  public boolean contains(String address) {
    return IpAddress.parse(address).map(this::contains).orElse(false);
  }

  /**
   * The client behind a connection: each proxy adds the address that it was reached from at the
   * end, so the client is the last that is no proxy of ours. What stands before that anybody may
   * have written.
   *
   * @param peer where the connection comes from
   * @param forwarded the values of X-Forwarded-For, in order
   */
  public IpAddress client(IpAddress peer, List<String> forwarded) {
    IpAddress client = peer;
    String[] hops = String.join(",", forwarded).split(",");
    for (int i = hops.length - 1; i >= 0 && contains(client); i--) {
      Optional<IpAddress> hop = IpAddress.parse(withoutPort(hops[i].strip()));
      if (hop.isEmpty()) {
        return client;
      }
      client = hop.get();
    }
    return client;
  }

  /** Some proxies write {@code 192.0.2.1:4711} or {@code [2001:db8::1]:4711}. */
  private static String withoutPort(String hop) {
    if (hop.startsWith("[")) {
      int end = hop.indexOf(']');
      return end < 0 ? hop : hop.substring(1, end);
    }
    int colon = hop.indexOf(':');
    return colon >= 0 && colon == hop.lastIndexOf(':') ? hop.substring(0, colon) : hop;
  }
}
