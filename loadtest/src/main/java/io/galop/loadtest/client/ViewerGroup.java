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
public record ViewerGroup(
    List<InetSocketAddress> addresses,
    boolean tls,
    String base,
    ViewerTransport transport,
    List<String> filters,
    int stalled,
    int sources) {

  public static ViewerGroup of(
      List<InetSocketAddress> addresses, ViewerTransport transport, List<String> filters) {
    return new ViewerGroup(addresses, false, "/live", transport, filters, 0, 0);
  }

  public ViewerGroup withTls() {
    return new ViewerGroup(addresses, true, base, transport, filters, stalled, sources);
  }

  public ViewerGroup withStalled(int viewers) {
    return new ViewerGroup(addresses, tls, base, transport, filters, viewers, sources);
  }

  public ViewerGroup withSources(int count) {
    return new ViewerGroup(addresses, tls, base, transport, filters, stalled, count);
  }
}
