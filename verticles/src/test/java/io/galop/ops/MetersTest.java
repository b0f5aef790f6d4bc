package io.galop.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.GalopNode;
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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whoever sees a number for the first time can tell what it counts, and in which unit. */
@Timeout(180)
class MetersTest {
  private static final Pattern HELP = Pattern.compile("(?m)^# HELP (galop_\\S+) (.*)$");

  /** A text begins with what is counted: a noun in the plural, a time, or what 1 stands for. */
  private static final Pattern UNIT =
      Pattern.compile(
          "1: .*|(Event loops|Seconds|Time|Age|How late|About how many)\\b.*|[A-Z][a-z]+s\\b.*");

  @TempDir Path directory;

  private GalopConfig config() throws Exception {
    Files.writeString(directory.resolve("idle.js"), "function start(galop) {}\n");
    Path script =
        Files.writeString(
            directory.resolve("same.js"), "function enrich(record) { return record; }\n");
    List<String> sets = new ArrayList<>(List.of("node.dataDir=" + directory.resolve("data")));
    sets.add("enrich.directory=" + directory);
    for (String part :
        List.of("http", "management", "ingest.tcp", "ingest.mqtt", "ingest.bridge")) {
      sets.add(part + ".port=0");
    }
    sets.add("ingest.ring.paths=[" + directory.resolve("ring") + "]");
    sets.add(
        "ingest.poll.sources=[{name: a, url: 'http://127.0.0.1:1/', intervalMs: 1000, topic:"
            + " a/b}]");
    sets.add("enrich.chain=[{script: {file: '" + script + "'}}]");
    sets.add("broadcast.mqtt={enabled: true, port: 0}");
    sets.add("verticles=[{name: 'js:idle.js'}]");
    return ConfigLoader.load(Optional.empty(), Map.of(), sets, Map.of());
  }

  @Test
  void everyNumberSaysWhatItCountsAndInWhichUnit() throws Exception {
    try (GalopNode node = GalopNode.start(config())) {
      URI metrics = URI.create("http://" + node.listeners().get("management") + "/metrics");
      String shown =
          HttpClient.newHttpClient()
              .send(HttpRequest.newBuilder(metrics).build(), BodyHandlers.ofString())
              .body();
      List<String> unexplained = new ArrayList<>();
      int seen = 0;
      Matcher help = HELP.matcher(shown);
      while (help.find()) {
        seen++;
        if (!UNIT.matcher(help.group(2).strip()).matches()) {
          unexplained.add(help.group());
        }
      }
      assertTrue(seen > 100, "the node has all kinds of parts: " + seen);
      assertEquals(List.of(), unexplained);
    }
  }
}
