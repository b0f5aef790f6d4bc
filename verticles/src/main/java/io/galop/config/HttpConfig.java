package io.galop.config;

import java.util.List;

/** The port for browsers and the http door. */
public record HttpConfig(
    @Doc("The address to listen on.") @Default("127.0.0.1") String host,
    @Doc("The port; 0 takes a free one.") @Default("8080") @Range(min = 0, max = 65535) int port,
    @Doc("A connection without any byte for so long is closed, in seconds; 0 never.")
        @Default("0")
        @Range(min = 0, max = 86_400)
        int idleTimeoutSeconds,
    @Doc(
            "A connection that has not sent its first request, headers and all, within so long is"
                + " closed, in seconds, as is one that began to send the headers of another so long"
                + " ago; 0 never.")
        @Default("30")
        @Range(min = 0, max = 86_400)
        int firstRequestTimeoutSeconds,
    @Doc("How many TCP connections the port holds at once; 0: as many as come.")
        @Default("0")
        @Range(min = 0, max = 10_000_000)
        int maxConnections,
    @Doc(
            "How many of them from one address, or from one IPv6 /64; 0: as many as come. Those of"
                + " trusted proxies are not counted here.")
        @Default("0")
        @Range(min = 0, max = 10_000_000)
        int maxConnectionsPerAddress,
    @Doc(
            "IP addresses or blocks (10.0.0.0/8, fd00::/8) of the proxies in front. Only what they"
                + " say of a client's address is believed: X-Forwarded-For, and the PROXY"
                + " protocol.")
        @Default("[]")
        List<String> trustedProxies,
    @Doc(
            "Names that browsers may know this node by (feed.example.com, *.example.com, or * for"
                + " any), besides addresses, localhost and names without a dot. Requests for others"
                + " are refused, so that no site can point its own name at this node and read it"
                + " through a reader's browser. Empty: so on a loopback address, unless tokens are"
                + " asked for or proxies trusted; else any name.")
        @Default("[]")
        List<String> allowedHosts,
    @Doc(
            "Whether each connection begins with a PROXY protocol header, version 1 or 2. Then only"
                + " trusted proxies may connect.")
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
