package io.galop.config;

import io.galop.config.tls.TlsConfig;
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
    @Doc("Time limit of a request's headers; 0: none.") @Default("30") @Range(min = 0, max = 86_400)
        int firstRequestTimeoutSeconds,
    @Doc("TCP connections; 0: unlimited.") @Default("0") @Range(min = 0, max = 10_000_000)
        int maxConnections,
    @Doc("TCP connections per address or IPv6 /64, except of trusted proxies; 0: " + "unlimited.")
        @Default("0")
        @Range(min = 0, max = 10_000_000)
        int maxConnectionsPerAddress,
    @Doc(
            "IP addresses or blocks (10.0.0.0/8, fd00::/8) of"
                + " [proxies](access.md#proxies-in-front).")
        @Default("[]")
        List<String> trustedProxies,
    @Doc(
            "Host names (feed.example.com, *.example.com, *) that browsers may use"
                + " [besides](operations.md#ports) addresses, localhost and names without a dot.")
        @Default("[]")
        List<String> allowedHosts,
    @Doc(
            "A directory of [pages of your own](page.md#pages-of-your-own), which everybody who"
                + " reaches the port gets at /pages/; empty: none.")
        @Default("")
        String pages,
    @Doc(
            "Whether connections begin with a PROXY protocol header (version 1 or 2); "
                + "then only trusted proxies may connect.")
        @Default("false")
        boolean proxyProtocol,
    @Doc("TLS of this listener.") TlsConfig tls,
    @Doc(
            "Whether the listener may be on an address off loopback without TLS and trusted"
                + " proxies: whoever is on the way reads and changes everything.")
        @Default("false")
        boolean insecure) {
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
