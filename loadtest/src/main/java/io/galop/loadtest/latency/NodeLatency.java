package io.galop.loadtest.latency;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a node itself says of a time: its histogram {@code galop_latency_seconds} for websockets,
 * from when a door has read a record until the node has written it to a viewer's socket. Buckets
 * are cumulative, so the difference of two moments is the histogram of the time between; a quantile
 * is interpolated within its bucket, as {@code histogram_quantile} of Prometheus does.
 */
public final class NodeLatency {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final Pattern LINE =
      Pattern.compile("galop_latency_seconds_bucket\\{(.*)} ([0-9.eE+-]+)");
  private static final Pattern UPPER = Pattern.compile("le=\"([^\"]+)\"");

  private final URI metrics;
  private final HttpClient client =
      HttpClient.newBuilder().connectTimeout(TIMEOUT).version(HttpClient.Version.HTTP_1_1).build();

  /** Counts up to each upper bound in seconds, of all doors together. */
  private TreeMap<Double, Double> before = new TreeMap<>();

  private TreeMap<Double, Double> between = new TreeMap<>();

  /**
   * @param management where the node answers {@code /metrics}
   */
  public NodeLatency(InetSocketAddress management) {
    metrics =
        URI.create(
            "http://%s:%d/metrics".formatted(management.getHostString(), management.getPort()));
  }

  void begin() throws IOException, InterruptedException {
    before = buckets(read());
  }

  void end() throws IOException, InterruptedException {
    between = buckets(read());
    between.replaceAll((upper, count) -> count - before.getOrDefault(upper, 0.0));
  }

  private String read() throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(metrics).timeout(TIMEOUT).build();
    HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new IOException(metrics + " answers " + answer.statusCode());
    }
    return answer.body();
  }

  static TreeMap<Double, Double> buckets(String text) {
    TreeMap<Double, Double> counts = new TreeMap<>();
    text.lines()
        .map(LINE::matcher)
        .filter(Matcher::matches)
        .filter(line -> line.group(1).contains("stage=\"socket\""))
        .filter(line -> line.group(1).contains("transport=\"websocket\""))
        .forEach(
            line ->
                counts.merge(upper(line.group(1)), Double.parseDouble(line.group(2)), Double::sum));
    return counts;
  }

  private static double upper(String labels) {
    Matcher matcher = UPPER.matcher(labels);
    if (!matcher.find() || matcher.group(1).equals("+Inf")) {
      return Double.POSITIVE_INFINITY;
    }
    return Double.parseDouble(matcher.group(1));
  }

  /** How many records the node has observed between begin and end. */
  public long records() {
    return between.isEmpty() ? 0 : Math.round(between.lastEntry().getValue());
  }

  /** A percentile in milliseconds; NaN if nothing was observed. */
  public double ms(double percentile) {
    double rank = percentile / 100 * records();
    double lower = 0;
    double below = 0;
    for (Map.Entry<Double, Double> bucket : between.entrySet()) {
      double count = bucket.getValue();
      if (count >= rank && count > below) {
        double upper = bucket.getKey();
        return 1e3
            * (Double.isInfinite(upper)
                ? lower
                : lower + (upper - lower) * (rank - below) / (count - below));
      }
      lower = bucket.getKey();
      below = count;
    }
    return Double.NaN;
  }

  /** One line: the node's percentiles, and what part of the viewers' they are. */
  String besides(Figures viewers) {
    return String.format(
        Locale.ROOT,
        "the node says, of %,d records from the door to the websocket: p50 %.2f (%.2f), p99 %.2f"
            + " (%.2f), p99.9 %.2f ms (%.2f of the viewers')%n",
        records(),
        ms(50),
        ms(50) / viewers.p50Ms(),
        ms(99),
        ms(99) / viewers.p99Ms(),
        ms(99.9),
        ms(99.9) / viewers.p999Ms());
  }
}
