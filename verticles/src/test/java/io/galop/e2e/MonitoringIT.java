package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.servers.Ports;
import io.galop.servers.Prometheus;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The alerts and the dashboard in the documents, with a real Prometheus and promtool. */
@Timeout(300)
class MonitoringIT {
  private static final Path MONITORING = Path.of("..", "docs", "monitoring");
  private static final Pattern METRIC = Pattern.compile("\\b(galop|jvm)_[a-z_]+\\b(?=[{\\[) ]|$)");
  private static final String NDJSON = "application/x-ndjson";
  private static final String SCRIPT =
      """
      function enrich(record) {
        if (record.data.kind === 'throw') throw new Error('thrown')
        while (record.data.kind === 'loop') { }
        return record
      }
      """;

  /** What a node that has all faults at once makes fire, together with one that is dead. */
  private static final Set<String> FIRED =
      Set.of(
          "GalopCertificateEnds",
          "GalopDeadLetters",
          "GalopDown",
          "GalopRefusesRecords",
          "GalopScriptSuspended",
          "GalopStoreBehind",
          "GalopTopicsSilent");

  @TempDir Path directory;

  private static String read(String file) throws Exception {
    return Files.readString(MONITORING.resolve(file));
  }

  /** Each alert fires for its own fault, none for a sound node. */
  @Test
  void promtoolFindsTheRulesRight() throws Exception {
    Files.writeString(directory.resolve("alerts.yml"), read("alerts.yml"));
    Path test = directory.resolve("alerts-test.yml");
    Files.copy(Path.of("src", "test", "monitoring", "alerts-test.yml"), test);
    Process promtool =
        new ProcessBuilder("promtool", "test", "rules", test.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(promtool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, promtool.waitFor(), said);
    Set<String> tried = all("alertname=\"(\\w+)\"", Files.readString(test));
    assertEquals(all("alert: (\\w+)", read("alerts.yml")), tried);
  }

  private static Set<String> all(String pattern, String text) {
    Set<String> found = new TreeSet<>();
    Pattern.compile(pattern).matcher(text).results().forEach(one -> found.add(one.group(1)));
    return found;
  }

  @Test
  void prometheusTellsOfWhatIsWrong() throws Exception {
    try (GalopProcess node = faulty();
        GalopProcess dead = sound();
        Prometheus prometheus =
            new Prometheus(
                directory,
                read("alerts.yml").replaceAll("for: \\w+", "for: 0s"),
                List.of(node.address("management"), dead.address("management")))) {
      Await.until("asked", 120, () -> prometheus.metrics().contains("galop_node_ready"));
      dead.kill();
      breakIt(node);
      // Not all at once: dead letters are told of for a minute.
      Set<String> fired = new TreeSet<>();
      Await.until(
          "fired: " + FIRED,
          120,
          () -> {
            fired.addAll(prometheus.firing());
            return fired.containsAll(FIRED);
          });
      Set<String> wanted = metrics(read("alerts.yml"));
      wanted.addAll(metrics(expressions(read("dashboard.json"))));
      wanted.removeAll(prometheus.metrics());
      assertEquals(Set.of(), wanted, "metrics that no node has");
    }
  }

  private static Set<String> metrics(String text) {
    Set<String> found = new TreeSet<>();
    METRIC.matcher(text).results().forEach(one -> found.add(one.group()));
    return found;
  }

  private static String expressions(String dashboard) {
    StringBuilder all = new StringBuilder();
    for (Object panel : new JsonObject(dashboard).getJsonArray("panels")) {
      for (Object target : ((JsonObject) panel).getJsonArray("targets")) {
        all.append(((JsonObject) target).getString("expr")).append('\n');
      }
    }
    assertTrue(all.length() > 0, "a dashboard without a panel");
    return all.toString();
  }

  @Test
  void theLogIsJsonForThoseWhoGatherIt() throws Exception {
    Path data = directory.resolve("json");
    Map<String, String> json = Map.of("GALOP_LOG_FORMAT", "json");
    try (GalopProcess node = GalopProcess.run(data, List.of(), json, List.of())) {
      List<String> lines = node.text().lines().filter(line -> line.contains("opened the")).toList();
      assertEquals(1, lines.size(), node.text());
      JsonObject line = new JsonObject(lines.get(0));
      assertEquals("INFO", line.getString("level"));
      assertTrue(line.getString("formattedMessage").startsWith("opened the Log"), lines.get(0));
    }
    Map<String, String> wrong = Map.of("GALOP_LOG_FORMAT", "xml");
    AssertionError refused =
        assertThrows(
            AssertionError.class, () -> GalopProcess.run(data, List.of(), wrong, List.of()));
    assertTrue(refused.getMessage().contains("GALOP_LOG_FORMAT: must be text or json"));
  }

  private GalopProcess sound() {
    return GalopProcess.run(directory.resolve("sound"), List.of(), List.of());
  }

  private GalopProcess faulty() throws Exception {
    Certificate.make(directory.resolve("pem"), "mqtt");
    Files.writeString(directory.resolve("rule.js"), SCRIPT);
    Path config = directory.resolve("galop.yaml");
    Files.writeString(
        config,
        """
        ingest:
          mqtt:
            tls: {certificate: '%1$s/mqtt.crt', key: '%1$s/mqtt.key'}
        enrich:
          directory: '%1$s'
          chain:
            - script:
                file: rule.js
                topics: ["bad/#"]
                timeLimitMs: 500
                breaker: {hits: 1, backOffMs: 600000, maxBackOffMs: 600000}
                shadow: {seconds: 0}
        persist:
          log: {segmentBytes: 1048576, queueBytes: 131072, retentionBytes: 0, quotaBytes: 4194304}
          backup:
            redis: {port: %2$d}
        broadcast:
          freshness: [{filter: silent/#, maxAgeMs: 1000}]
        """
            .formatted(directory, Ports.free()));
    return GalopProcess.run(
        directory.resolve("faulty"), List.of(), List.of("--config", config.toString()));
  }

  private static void breakIt(GalopProcess node) throws Exception {
    publish(node, "{\"topic\":\"silent/1\",\"data\":{}}");
    publish(node, "{\"topic\":\"bad/1\",\"data\":{\"kind\":\"throw\"}}");
    publish(node, "{\"topic\":\"bad/2\",\"data\":{\"kind\":\"loop\"}}");
    String large = "{\"topic\":\"big\",\"data\":{\"text\":\"" + "x".repeat(30_000) + "\"}}";
    int status = 202;
    for (int i = 0; i < 1_000 && status == 202; i++) {
      status = publish(node, large);
    }
    assertEquals(429, status, "the Log's quota");
  }

  private static int publish(GalopProcess node, String line) throws Exception {
    return Stored.post(node.http("/publish"), NDJSON, line).statusCode();
  }
}
