package io.galop.config;

import io.netty.util.NetUtil;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Optional;

/**
 * An IP address; an IPv4 one that is written as IPv6 ({@code ::ffff:a.b.c.d}, RFC 4291 2.5.5.2) is
 * the IPv4 one, which {@link InetAddress} sees to.
 */
public final class IpAddress {
  private static final int IPV6_BYTES = 16;
  private static final int SITE_BYTES = 8;

  private final InetAddress inet;

  private IpAddress(InetAddress inet) {
    this.inet = inet;
  }

  /** Reads an address, never a name; empty if it is none. */
  public static Optional<IpAddress> parse(String text) {
    int zone = text.indexOf('%');
    byte[] bytes =
        NetUtil.createByteArrayFromIpAddressString(zone < 0 ? text : text.substring(0, zone));
    if (bytes == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(new IpAddress(InetAddress.getByAddress(bytes)));
    } catch (UnknownHostException e) {
      throw new IllegalStateException(bytes.length + " bytes are no address", e);
    }
  }

  InetAddress inet() {
    return inet;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof IpAddress address && inet.equals(address.inet);
  }

  @Override
  public int hashCode() {
    return inet.hashCode();
  }

  /**
   * What stands for one subscriber of an access network: the IPv4 address, or the first 64 bits of
   * the IPv6 address, as one household or machine commonly has all addresses behind them.
   */
  public String site() {
    byte[] bytes = inet.getAddress();
    if (inet instanceof Inet4Address) {
      return NetUtil.bytesToIpAddress(bytes);
    }
    byte[] site = Arrays.copyOf(Arrays.copyOf(bytes, SITE_BYTES), IPV6_BYTES);
    return NetUtil.bytesToIpAddress(site) + "/64";
  }
}
