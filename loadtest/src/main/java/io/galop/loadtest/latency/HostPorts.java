package io.galop.loadtest.latency;

import java.net.InetSocketAddress;

/** Reads {@code host:port}. */
public final class HostPorts {
  private HostPorts() {}

  public static InetSocketAddress parse(String text) {
    int colon = text.lastIndexOf(':');
    try {
      return new InetSocketAddress(
          text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new IllegalArgumentException("'" + text + "' is no host:port, as in 127.0.0.1:7700");
    }
  }
}
