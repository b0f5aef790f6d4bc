package io.galop.loadtest.watch;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What nodes say of themselves at one moment, summed over the nodes: the lines of {@code /metrics}
 * (Prometheus text format) by name and labels.
 */
public final class NodeMetrics {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().connectTimeout(TIMEOUT).version(HttpClient.Version.HTTP_1_1).build();

  private final Map<String, Double> values;

  private NodeMetrics(Map<String, Double> values) {
    this.values = values;
  }

  /** Asks all nodes; one that does not answer adds nothing. */
  public static NodeMetrics of(List<InetSocketAddress> nodes) throws InterruptedException {
    Map<String, Double> values = new HashMap<>();
    for (InetSocketAddress node : nodes) {
      URI uri = URI.create("http://" + node.getHostString() + ":" + node.getPort() + "/metrics");
      try {
        HttpRequest request = HttpRequest.newBuilder(uri).timeout(TIMEOUT).build();
        parse(CLIENT.send(request, HttpResponse.BodyHandlers.ofString()).body(), values);
      } catch (IOException e) {
        // A node that is too busy to answer, or gone: the run notices by itself.
        continue;
      }
    }
    return new NodeMetrics(values);
  }

  static NodeMetrics parse(String text) {
    Map<String, Double> values = new HashMap<>();
    parse(text, values);
    return new NodeMetrics(values);
  }

  private static void parse(String text, Map<String, Double> values) {
    text.lines()
        .filter(line -> !line.startsWith("#") && !line.contains("_bucket{"))
        .forEach(
            line -> {
              int end = line.lastIndexOf(' ');
              if (end > 0) {
                values.merge(line.substring(0, end), number(line.substring(end + 1)), Double::sum);
              }
            });
  }

  private static double number(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /** Whether no node has answered. */
  public boolean isEmpty() {
    return values.isEmpty();
  }

  /** All lines of a name, whatever their labels. */
  public double sum(String name) {
    return sum(name, "");
  }

  /** Those with a label, as in {@code area="heap"}. */
  public double sum(String name, String label) {
    double sum = 0;
    for (Map.Entry<String, Double> each : values.entrySet()) {
      String key = each.getKey();
      boolean isNamed = key.equals(name) || key.startsWith(name + "{");
      if (isNamed && key.contains(label)) {
        sum += each.getValue();
      }
    }
    return sum;
  }

  /** The values that a label has among the lines of a name. */
  public Set<String> labels(String name, String label) {
    Set<String> found = new TreeSet<>();
    String mark = label + "=\"";
    for (String key : values.keySet()) {
      int at = key.indexOf(mark);
      if (key.startsWith(name + "{") && at >= 0) {
        found.add(key.substring(at + mark.length(), key.indexOf('"', at + mark.length())));
      }
    }
    return found;
  }
}
