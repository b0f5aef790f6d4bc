package io.galop.config;

import io.galop.config.ingest.PollHeaderConfig;
import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The collector that traces are sent to, over OTLP: HTTP with Protobuf. */
public record TelemetryConfig(
    @Doc(
            "The collector's address, as http://127.0.0.1:4318; /v1/traces is put behind it. Empty: "
                + "no traces are taken. Needs `galop add opentelemetry`.")
        @Default("")
        String endpoint,
    @Doc(
            "Headers of each request to it, such as a key; with the keys of "
                + "[those of poll](#ingestpollsourcesheaders).")
        @Default("[]")
        List<PollHeaderConfig> headers,
    @Doc("Time limit of a request to it.") @Default("10000") @Range(min = 100, max = 600_000)
        long timeoutMs,
    @Doc("Of sampled traces one in so many is kept, at the node whose door it enters; 1: all.")
        @Default("1")
        @Range(min = 1, max = 1_000_000)
        int sampleEvery,
    @Doc("Most spans that wait for it or are under way; more are dropped and counted.")
        @Default("4096")
        @Range(min = 64, max = 1_048_576)
        int maxWaitingSpans) {
  private static final String PATH = "/v1/traces";

  /** What the client that sends sets itself, or refuses to. */
  private static final Set<String> NOT_OURS =
      Set.of(
          "connection",
          "content-encoding",
          "content-length",
          "content-type",
          "expect",
          "host",
          "transfer-encoding",
          "upgrade");

  public TelemetryConfig {
    headers = List.copyOf(headers);
    if (!endpoint.isEmpty()) {
      check(endpoint);
    }
    Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    for (PollHeaderConfig header : headers) {
      if (NOT_OURS.contains(header.name().toLowerCase(Locale.ROOT))) {
        throw new IllegalArgumentException(
            "headers must not name " + header.name() + ", which the node sets itself");
      }
      if (!names.add(header.name())) {
        throw new IllegalArgumentException("headers must name " + header.name() + " only once");
      }
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

  /**
   * The headers with their values, from wherever those are kept; blocks.
   *
   * @throws IOException with the path of the header and what is wrong, never with its value
   */
  public Map<String, String> readHeaders() throws IOException {
    Map<String, String> read = new LinkedHashMap<>();
    for (int at = 0; at < headers.size(); at++) {
      read.put(headers.get(at).name(), value(at));
    }
    return read;
  }

  /** The client names a value that it cannot send, so none gets so far. */
  private String value(int at) throws IOException {
    String path = "telemetry.headers[" + at + "]: ";
    String value;
    try {
      value = headers.get(at).readValue();
    } catch (IOException e) {
      throw new IOException(path + e.getMessage(), e);
    }
    if (!StandardCharsets.US_ASCII.newEncoder().canEncode(value)) {
      throw new IOException(path + "the value must be of ASCII characters only");
    }
    return value;
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
