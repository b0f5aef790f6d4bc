package io.galop.loadtest.experiments.reads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.loadtest.Tool;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The packed load test asks packed nodes in all ways, with threads bound where that can be. */
@Timeout(300)
class ReadsIT {
  private static final String SCENARIO =
      """
      name: reads
      start:
        jvmFlags: [-Xmx128m]
        config:
          persist: {cold: {enabled: false}}
      measure:
        reads:
          eventLoops: [2]
          threads: [%s]
          stored: 400
          topics: 4
          connections: 4
          warmUpSeconds: 0.5
          closedSeconds: 0.5
          ratePerSecond: 100
          rateSeconds: 0.5
          rounds: 1
      """;

  @TempDir Path directory;

  @Test
  void everyWayAnswersInItsWay() throws Exception {
    String threads = Files.isExecutable(Path.of("/usr/bin/taskset")) ? "bound" : "free";
    Path file = Files.writeString(directory.resolve("s.yaml"), SCENARIO.formatted(threads));
    String out = directory.resolve("out").toString();
    Tool.Ended ended =
        Tool.run(List.of("run", file.toString(), "--start", Tool.galopJar(), "--out", out));
    assertEquals(0, ended.exit(), ended.text());
    JsonObject report = new JsonObject(Files.readString(directory.resolve("out/report.json")));
    JsonObject figures = report.getJsonObject("figures");
    for (Way way : Way.values()) {
      String key = way + ".2." + threads + ".";
      assertTrue(figures.getDouble(key + "requestsPerSecond") > 0, ended.text());
      assertTrue(figures.getDouble(key + "p999Ms") >= figures.getDouble(key + "p50Ms"));
      assertEquals(1, figures.getDouble(key + "completeness"), ended.text());
    }
    assertTrue(figures.getDouble("bytes-only.2.free.requestsPerSecond") > 0, ended.text());
    String page = Files.readString(directory.resolve("out/report.html"));
    assertTrue(page.contains("In a closed loop"), "the tables are on the page");
    assertTrue(page.contains("<b>Latency of answers"), "the plots are on the page");
    String gate = "cached-buffer.2." + threads + ".requestsPerSecond<1.1";
    assertEquals(1, Tool.run(List.of("compare", out, out, "--fail-if", gate)).exit());
  }

  @Test
  void aNodeThatRunsCannotBeCompared() throws Exception {
    Path file = Files.writeString(directory.resolve("s.yaml"), SCENARIO.formatted("free"));
    Tool.Ended ended = Tool.run(List.of("run", file.toString(), "--against", "http://127.0.0.1:9"));
    assertEquals(2, ended.exit(), ended.text());
    assertTrue(ended.text().contains("needs --start"), ended.text());
  }
}
