package io.galop.config;

import java.util.Optional;

/** A block of IP addresses: {@code 10.0.0.0/8}, {@code fd00::/8}, or a single address. */
public final class Cidr {
  private final IpAddress network;
  private final int bits;

  private Cidr(IpAddress network, int bits) {
    this.network = network;
    this.bits = bits;
  }

  /**
   * Reads a block.
   *
   * @throws IllegalArgumentException with what it must be, beginning with {@code must}
   */
  public static Cidr parse(String text) {
    String[] parts = text.split("/", 2);
    Optional<IpAddress> network = IpAddress.parse(parts[0]);
    int most = network.map(IpAddress::bits).orElse(0);
    int bits = parts.length == 1 ? most : bits(parts[1]);
    if (network.isEmpty() || bits < 0 || bits > most) {
      throw new IllegalArgumentException(
          "must be an IP address or a block of them, as 10.0.0.0/8 or fd00::/8, not '"
              + text
              + "'");
    }
    return new Cidr(network.get(), bits);
  }

  private static int bits(String text) {
    return text.matches("\\d{1,3}") ? Integer.parseInt(text) : -1;
  }

  /** Whether an address is in the block. */
  public boolean contains(IpAddress address) {
    return address.beginsAs(network, bits);
  }
}
