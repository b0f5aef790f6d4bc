package io.galop.loadtest.soak;

import java.net.InetSocketAddress;
import java.net.URI;

/**
 * Where browsers connect, from a URL.
 *
 * @param address of the server or balancer
 * @param tls whether it is https
 * @param base of the endpoint, as in /live
 */
record Endpoint(InetSocketAddress address, boolean tls, String base) {
  private static final int HTTPS = 443;
  private static final int HTTP = 80;

  /**
   * Reads {@code http[s]://host[:port]/path}.
   *
   * @throws IllegalArgumentException naming what is wrong
   */
  static Endpoint parse(String url) {
    URI uri = URI.create(url);
    boolean tls = "https".equals(uri.getScheme());
    if (uri.getHost() == null || !tls && !"http".equals(uri.getScheme())) {
      throw new IllegalArgumentException(
          "'" + url + "' is no http or https URL, as in https://127.0.0.1:8443/live");
    }
    int port = uri.getPort() >= 0 ? uri.getPort() : tls ? HTTPS : HTTP;
    String path = uri.getPath().replaceAll("/+$", "");
    return new Endpoint(
        new InetSocketAddress(uri.getHost(), port), tls, path.isEmpty() ? "/live" : path);
  }
}
