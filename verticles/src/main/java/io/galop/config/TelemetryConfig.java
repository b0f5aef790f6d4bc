package io.galop.config;

import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;
import java.net.URI;
import java.net.URISyntaxException;

/** The collector that traces are sent to, over OTLP: HTTP with Protobuf. */
public record TelemetryConfig(
    @Doc(
            "The collector's address, as http://127.0.0.1:4318; /v1/traces is put behind it. Empty: "
                + "no traces are taken. Needs `galop add opentelemetry`.")
        @Default("")
        String endpoint,
    @Doc("Time limit of a request to it.") @Default("10000") @Range(min = 100, max = 600_000)
        long timeoutMs,
    @Doc("Most spans that wait for it or are under way; more are dropped and counted.")
        @Default("4096")
        @Range(min = 64, max = 1_048_576)
        int maxWaitingSpans) {
  private static final String PATH = "/v1/traces";

  public TelemetryConfig {
    if (!endpoint.isEmpty()) {
      check(endpoint);
    }
  }

  /** Whether traces are taken. */
  public boolean isGiven() {
    return !endpoint.isEmpty();
  }

  /** The address that spans are posted to. */
  public String tracesUrl() {
    return endpoint.replaceFirst("/+$", "") + PATH;
  }

  private static void check(String endpoint) {
    try {
      URI uri = new URI(endpoint);
      boolean isHttp = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
      boolean isPlain = uri.getUserInfo() == null && uri.getQuery() == null;
      if (!isHttp || uri.getHost() == null || !isPlain || uri.getFragment() != null) {
        throw new IllegalArgumentException(
            "endpoint must begin with http:// or https:// and name a host, without a user or a"
                + " query, not '"
                + endpoint
                + "'");
      }
      if (endpoint.endsWith(PATH)) {
        throw new IllegalArgumentException("endpoint must be given without " + PATH);
      }
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException("endpoint must be a URL: " + e.getReason(), e);
    }
  }
}
