package io.galop.config;

import io.netty.util.NetUtil;
import java.util.Arrays;
import java.util.Optional;

/** An IP address; an IPv4 one that is written as IPv6 is the IPv4 one. */
public final class IpAddress {
  private static final int IPV4_BYTES = 4;
  private static final int IPV6_BYTES = 16;
  private static final int MAPPED_PREFIX_BYTES = 12;
  private static final int SITE_BYTES = 8;

  private final byte[] bytes;

  private IpAddress(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Reads an address, never a name; empty if it is none. */
  public static Optional<IpAddress> parse(String text) {
    int zone = text.indexOf('%');
    byte[] bytes =
        NetUtil.createByteArrayFromIpAddressString(zone < 0 ? text : text.substring(0, zone));
    if (bytes == null) {
      return Optional.empty();
    }
    return Optional.of(new IpAddress(isMapped(bytes) ? tail(bytes) : bytes));
  }

  /** Whether it is {@code ::ffff:a.b.c.d}, RFC 4291 2.5.5.2. */
  private static boolean isMapped(byte[] bytes) {
    if (bytes.length != IPV6_BYTES) {
      return false;
    }
    for (int i = 0; i < MAPPED_PREFIX_BYTES; i++) {
      if (bytes[i] != (byte) (i < MAPPED_PREFIX_BYTES - 2 ? 0 : 0xff)) {
        return false;
      }
    }
    return true;
  }

  private static byte[] tail(byte[] bytes) {
    return Arrays.copyOfRange(bytes, MAPPED_PREFIX_BYTES, IPV6_BYTES);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof IpAddress address && Arrays.equals(bytes, address.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  int bits() {
    return bytes.length * Byte.SIZE;
  }

  /** Whether the first bits are those of the other address, of the same family. */
  boolean beginsAs(IpAddress other, int bits) {
    if (bytes.length != other.bytes.length) {
      return false;
    }
    int whole = bits / Byte.SIZE;
    int rest = bits % Byte.SIZE;
    int mask = 0xff << (Byte.SIZE - rest) & 0xff;
    return Arrays.equals(bytes, 0, whole, other.bytes, 0, whole)
        && (rest == 0 || ((bytes[whole] ^ other.bytes[whole]) & mask) == 0);
  }

  /**
   * What stands for one subscriber of an access network: the IPv4 address, or the first 64 bits of
   * the IPv6 address, as one household or machine commonly has all addresses behind them.
   */
  public String site() {
    if (bytes.length == IPV4_BYTES) {
      return NetUtil.bytesToIpAddress(bytes);
    }
    byte[] site = Arrays.copyOf(Arrays.copyOf(bytes, SITE_BYTES), IPV6_BYTES);
    return NetUtil.bytesToIpAddress(site) + "/64";
  }
}
