package io.galop.store;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;

/** A store's host as it stands in a URI. */
public final class UriHost {
  private UriHost() {}

  /** Asks the name service; throws if it does not know the name. */
  interface Lookup {
    String address(String name) throws UnknownHostException;
  }

  /** An IPv6 address in brackets, all else as it is. */
  public static String of(String host) {
    return host.contains(":") && !host.startsWith("[") ? '[' + host + ']' : host;
  }

  /**
   * The same for a client that takes only what Java's URIs call a host: of a name with an
   * underscore, as Docker gives, its address. Blocking.
   *
   * @throws IOException naming the host that is not known
   */
  public static String looked(String host) throws IOException {
    return looked(host, name -> InetAddress.getByName(name).getHostAddress());
  }

  static String looked(String host, Lookup lookup) throws IOException {
    String shown = of(host);
    if (isHost(shown)) {
      return shown;
    }
    try {
      return of(lookup.address(host));
    } catch (UnknownHostException e) {
      throw new IOException("the host " + host + " is not known", e);
    }
  }

  private static boolean isHost(String host) {
    try {
      return new URI("redis://" + host + ":1").getHost() != null;
    } catch (URISyntaxException e) {
      return false;
    }
  }
}
