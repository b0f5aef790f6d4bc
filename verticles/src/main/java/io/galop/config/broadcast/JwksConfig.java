package io.galop.config.broadcast;

import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;

/** A set of keys that changes while the node runs, RFC 7517. */
public record JwksConfig(
    @Doc("The file with the set; read again within seconds of a change. Empty: none.") @Default("")
        String file,
    @Doc(
            "The address of the set, https unless it is this machine; Galop prints it. "
                + "Empty: none.")
        @Default("")
        String url,
    @Doc("The signature algorithms of the keys that count; others are passed over.")
        @Default("[rs256, es256, eddsa]")
        List<TokenAlgorithm> algorithms,
    @Doc("A PEM file of certificates trusted at the address; empty: those that Java trusts.")
        @Default("")
        String caFile,
    @Doc(
            "From one look at the address to the next; a token with an unknown kid "
                + "causes one more in between.")
        @Default("300")
        @Range(min = 1, max = 86_400)
        int refreshSeconds,
    @Doc("Time limit of a look.") @Default("5000") @Range(min = 50, max = 60_000) long timeoutMs,
    @Doc("Largest set.") @Default("262144") @Range(min = 1024, max = 4_194_304) int maxBytes) {
  public JwksConfig {
    algorithms = List.copyOf(algorithms);
    if (algorithms.isEmpty()) {
      throw new IllegalArgumentException("algorithms must hold one at least");
    }
    if (!file.isEmpty() && !url.isEmpty()) {
      throw new IllegalArgumentException("url must be empty where file is given");
    }
    if (!url.isEmpty()) {
      checkUrl(url);
    }
  }

  /** Whether there is such a set. */
  public boolean isGiven() {
    return !file.isEmpty() || !url.isEmpty();
  }

  /** Where the set is: its file or its address. */
  public String source() {
    return url.isEmpty() ? file : url;
  }

  /** Who can change an answer on its way could sign tokens. */
  private static void checkUrl(String url) {
    try {
      URI uri = new URI(url);
      String host = uri.getHost();
      boolean isSafe =
          "https".equals(uri.getScheme()) || "http".equals(uri.getScheme()) && isHere(host);
      if (host == null || !isSafe || uri.getUserInfo() != null) {
        throw new IllegalArgumentException(
            "url must begin with https:// and name a host, without a user; http:// is for this"
                + " machine only");
      }
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException("url must be one: " + e.getReason(), e);
    }
  }

  private static boolean isHere(String host) {
    return host != null
        && (host.equals("localhost") || host.equals("[::1]") || host.matches("127(\\.\\d+){3}"));
  }
}
