package io.galop.loadtest.client;

import java.net.InetSocketAddress;
import java.util.List;

/**
 * Who watches, and where.
 *
 * @param addresses of the nodes, among which viewers are spread in turn
 * @param tls whether they speak TLS; certificates are not checked
 * @param base of the endpoint, as in /live
 * @param transport of all viewers
 * @param filters that each registers; none if the server sends everything to everybody
 * @param stalled how many viewers more register and never read what comes
 * @param sources from how many loopback addresses viewers connect, 127.0.0.1 and on; 0: no matter
 */
public record Audience(
    List<InetSocketAddress> addresses,
    boolean tls,
    String base,
    Transport transport,
    List<String> filters,
    int stalled,
    int sources) {

  public static Audience of(
      List<InetSocketAddress> addresses, Transport transport, List<String> filters) {
    return new Audience(addresses, false, "/live", transport, filters, 0, 0);
  }

  public Audience withStalled(int viewers) {
    return new Audience(addresses, tls, base, transport, filters, viewers, sources);
  }

  public Audience withSources(int count) {
    return new Audience(addresses, tls, base, transport, filters, stalled, count);
  }
}
