package io.galop.servers;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** A Prometheus of its own, which asks nodes each second and judges rules as often. */
public final class Prometheus implements AutoCloseable {
  private static final int END_SECONDS = 60;
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final int port = Ports.free();
  private final Child process;

  /**
   * Starts it.
   *
   * @param directory for its configuration and data
   * @param rules in YAML
   * @param targets {@code host:port} of management ports
   */
  public Prometheus(Path directory, String rules, List<String> targets) throws IOException {
    Files.writeString(directory.resolve("rules.yml"), rules);
    Path config = directory.resolve("prometheus.yml");
    Files.writeString(
        config,
        """
        global: {scrape_interval: 1s, evaluation_interval: 1s}
        rule_files: [rules.yml]
        scrape_configs:
          - job_name: galop
            static_configs:
              - targets: %s
        """
            .formatted(new JsonArray(targets).encode()));
    process =
        new Child(
            List.of(
                "prometheus",
                "--config.file=" + config,
                "--storage.tsdb.path=" + directory.resolve("prometheus"),
                "--web.listen-address=127.0.0.1:" + port),
            directory.resolve("prometheus.log"));
  }

  /** The names of the alerts that fire. */
  public Set<String> firing() throws IOException, InterruptedException {
    Set<String> names = new TreeSet<>();
    JsonObject data = ask("/api/v1/alerts").getJsonObject("data");
    for (Object each : data.getJsonArray("alerts")) {
      JsonObject alert = (JsonObject) each;
      if ("firing".equals(alert.getString("state"))) {
        names.add(alert.getJsonObject("labels").getString("alertname"));
      }
    }
    return names;
  }

  /** The names of all metrics that it has. */
  public Set<String> metrics() throws IOException, InterruptedException {
    Set<String> names = new TreeSet<>();
    ask("/api/v1/label/__name__/values")
        .getJsonArray("data")
        .forEach(each -> names.add(String.valueOf(each)));
    return names;
  }

  private JsonObject ask(String path) throws IOException, InterruptedException {
    URI address = URI.create("http://127.0.0.1:" + port + path);
    return new JsonObject(
        HTTP.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString()).body());
  }

  @Override
  public void close() {
    process.end(END_SECONDS);
  }
}
