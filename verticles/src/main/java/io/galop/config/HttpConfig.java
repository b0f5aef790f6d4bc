package io.galop.config;

import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;
import java.util.List;

/** The port for browsers and the http door. */
public record HttpConfig(
    @Doc("The address to listen on.") @Default("127.0.0.1") String host,
    @Doc("The port; 0 takes a free one.") @Default("8080") @Range(min = 0, max = 65535) int port,
    @Doc("Closes a connection after this silence; 0 never.")
        @Default("0")
        @Range(min = 0, max = 86_400)
        int idleTimeoutSeconds,
    @Doc(
            "Closes a connection that has not sent its first request's headers in "
                + "this time, or those of a later request since they began; 0 never.")
        @Default("30")
        @Range(min = 0, max = 86_400)
        int firstRequestTimeoutSeconds,
    @Doc("TCP connections of this port; 0: unlimited.")
        @Default("0")
        @Range(min = 0, max = 10_000_000)
        int maxConnections,
    @Doc(
            "TCP connections per address, or per IPv6 /64, except those of "
                + "trusted proxies; 0: unlimited.")
        @Default("0")
        @Range(min = 0, max = 10_000_000)
        int maxConnectionsPerAddress,
    @Doc(
            "IP addresses or blocks (10.0.0.0/8, fd00::/8) of proxies in front. "
                + "Only their X-Forwarded-For and PROXY protocol are believed.")
        @Default("[]")
        List<String> trustedProxies,
    @Doc(
            "Host names that browsers may use (feed.example.com, *.example.com, or * for any)"
                + " besides addresses, localhost and names without a dot. Empty: only those on a"
                + " loopback address without tokens and trusted proxies, otherwise any.")
        @Default("[]")
        List<String> allowedHosts,
    @Doc(
            "Whether connections begin with a PROXY protocol header, version 1 or "
                + "2. Then only trusted proxies may connect.")
        @Default("false")
        boolean proxyProtocol) {
  public HttpConfig {
    trustedProxies = List.copyOf(trustedProxies);
    allowedHosts = List.copyOf(allowedHosts);
    for (int i = 0; i < trustedProxies.size(); i++) {
      try {
        Cidr.parse(trustedProxies.get(i));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("trustedProxies[" + i + "] " + e.getMessage(), e);
      }
    }
    if (proxyProtocol && trustedProxies.isEmpty()) {
      throw new IllegalArgumentException(
          "trustedProxies must name the proxies where proxyProtocol is true");
    }
  }

  /** Those whose word on a client's address is believed. */
  public TrustedProxies proxies() {
    return new TrustedProxies(trustedProxies.stream().map(Cidr::parse).toList());
  }
}
