package io.galop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.ConfigLoader;
import io.galop.config.GalopConfig;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What {@code docs/watch.md} says of queues is what a node shows. */
@Timeout(180)
class QueuesTest {
  private static final Pattern METRIC = Pattern.compile("`(galop_[a-z_]+)");

  /** Only a node that has such parts has numbers of them; their own tests look at these. */
  private static final Pattern OF_PARTS =
      Pattern.compile(
          "galop_(verticle|enrich_script|enrich_lookup|ingest_poll|ingest_kafka|ingest_publisher"
              + "|link|telemetry)_.*");

  @TempDir Path directory;

  private GalopConfig config() {
    List<String> sets = new ArrayList<>(List.of("node.dataDir=" + directory));
    for (String part : List.of("http", "management", "ingest.tcp", "ingest.mqtt")) {
      sets.add(part + ".port=0");
    }
    sets.add("ingest.bridge.port=0");
    sets.add("broadcast.mqtt={enabled: true, port: 0}");
    return ConfigLoader.load(Optional.empty(), Map.of(), sets, Map.of());
  }

  @Test
  void everyQueueIsInTheMetrics() throws Exception {
    String document = Files.readString(Path.of("..", "docs", "watch.md"));
    int from = document.indexOf("## Queues");
    String section = document.substring(from, document.indexOf("\n## ", from));
    TreeSet<String> missing = new TreeSet<>();
    Matcher named = METRIC.matcher(section);
    while (named.find()) {
      missing.add(named.group(1));
    }
    assertTrue(missing.size() > 20, "the section names metrics");
    missing.removeIf(name -> OF_PARTS.matcher(name).matches());
    try (GalopNode node = GalopNode.start(config())) {
      URI metrics = URI.create("http://" + node.listeners().get("management") + "/metrics");
      String shown =
          HttpClient.newHttpClient()
              .send(HttpRequest.newBuilder(metrics).build(), BodyHandlers.ofString())
              .body();
      missing.removeIf(name -> shown.contains("\n" + name));
      assertEquals(new TreeSet<>(), missing, shown);
    }
  }
}
