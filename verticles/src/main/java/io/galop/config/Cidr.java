package io.galop.config;

import io.netty.handler.ipfilter.IpFilterRuleType;
import io.netty.handler.ipfilter.IpSubnetFilterRule;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.NoSuchElementException;

/** A block of IP addresses: {@code 10.0.0.0/8}, {@code fd00::/8}, or a single address. */
public final class Cidr {
  private final IpSubnetFilterRule block;

  private Cidr(IpSubnetFilterRule block) {
    this.block = block;
  }

  /**
   * Reads a block.
   *
   * @throws IllegalArgumentException with what it must be, beginning with {@code must}
   */
  public static Cidr parse(String text) {
    String[] parts = text.split("/", 2);
    try {
      InetAddress network = IpAddress.parse(parts[0]).orElseThrow().inet();
      int bits = parts.length == 1 ? Byte.SIZE * network.getAddress().length : bits(parts[1]);
      return new Cidr(new IpSubnetFilterRule(network, bits, IpFilterRuleType.ACCEPT));
    } catch (NoSuchElementException | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "must be an IP address or a block of them, as 10.0.0.0/8 or fd00::/8, not '" + text + "'",
          e);
    }
  }

  private static int bits(String text) {
    return text.matches("\\d{1,3}") ? Integer.parseInt(text) : -1;
  }

  /** Whether an address is in the block. */
  public boolean contains(IpAddress address) {
    return block.matches(new InetSocketAddress(address.inet(), 0));
  }
}
