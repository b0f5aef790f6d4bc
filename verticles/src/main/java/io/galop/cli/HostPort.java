package io.galop.cli;

import java.net.InetSocketAddress;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Where a listener is reached: {@code host:port}, an IPv6 address in square brackets.
 *
 * @param isTls whether it was written as {@code tls://host:port}
 */
public record HostPort(String host, int port, boolean isTls) {
  private static final String TLS = "tls://";

  /** Reads a {@code host:port} option. */
  public static final class Converter implements ITypeConverter<HostPort> {
    @Override
    public HostPort convert(String written) {
      boolean isTls = written.startsWith(TLS);
      String text = isTls ? written.substring(TLS.length()) : written;
      int colon = text.lastIndexOf(':');
      String host = colon < 1 ? "" : text.substring(0, colon);
      if (host.isEmpty() || host.contains(":") && !host.startsWith("[")) {
        throw wrong(text);
      }
      try {
        int port = Integer.parseInt(text.substring(colon + 1));
        if (port < 1 || port > 65_535) {
          throw wrong(text);
        }
        return new HostPort(host.replaceAll("[\\[\\]]", ""), port, isTls);
      } catch (NumberFormatException e) {
        throw wrong(text);
      }
    }

    private static TypeConversionException wrong(String text) {
      return new TypeConversionException(
          "'" + text + "' is no host:port, as in 127.0.0.1:7700 or tls://db.lan:7700");
    }
  }

  /** The address, looked up anew so that a reconnect follows a name that moved. */
  public InetSocketAddress resolve() {
    return new InetSocketAddress(host, port);
  }

  @Override
  public String toString() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}
