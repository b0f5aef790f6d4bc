package io.galop.loadtest.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.loadtest.Tool;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;

/** The packed load test searches for the knee of a packed node and reports it. */
@Timeout(300)
class RunCommandIT {
  /** A goal that a busy machine meets: how fast it is is not what is tested. */
  private static final String SCENARIO =
      """
      name: short
      inject: {door: tcp-protobuf, topics: 16}
      goal: {p99Ms: 5000, achieved: 0.5, backlogSlope: 10}
      measure:
        knee:
          fromPerSecond: 100
          toPerSecond: 400
          growth: 4
          precision: 0.5
          warmUpSeconds: 1
          stepSeconds: 2
          confirmSeconds: 1
          holdSeconds: [1]
          holdPercents: [80]
      """;

  private static final String DELAY =
      """
      start:
        files:
          slow.js: |
            function enrich(record) {
              var end = Date.now() + 20;
              while (Date.now() < end) {}
              return record;
            }
        config:
          enrich:
            chain: [{script: {file: slow.js, maxStatements: 10000000000, timeLimitMs: 60000}}]
      """;

  @TempDir Path directory;

  private Tool.Ended run(String scenario, String out, String... options) throws Exception {
    Path file = Files.writeString(directory.resolve("s.yaml"), scenario);
    List<String> all = new ArrayList<>(List.of("run", file.toString(), "--start", Tool.galopJar()));
    all.addAll(List.of("--out", directory.resolve(out).toString()));
    all.addAll(List.of(options));
    return Tool.run(all);
  }

  private JsonObject report(String out) throws Exception {
    return new JsonObject(Files.readString(directory.resolve(out).resolve("report.json")));
  }

  @Test
  void reportsTheKneeAndComparesIt() throws Exception {
    Tool.Ended ended = run(SCENARIO, "a");
    assertEquals(0, ended.exit(), ended.text());
    JsonObject report = report("a");
    assertEquals(400, report.getJsonObject("figures").getDouble("kneePerSecond"), 1);
    assertEquals(1, report.getJsonObject("figures").getDouble("completeness"));
    String page = Files.readString(directory.resolve("a").resolve("report.html"));
    for (String plot : List.of("Rate", "Latency, door to viewer", "Processors used", "Sockets")) {
      assertTrue(page.contains("<b>" + plot), plot);
    }
    Path picture = directory.resolve("a").resolve("report.svg");
    Document svg =
        DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(picture.toFile());
    assertTrue(svg.getDocumentElement().getTextContent().contains("Rate records/s"));
    assertTrue(report.getJsonObject("figures").containsKey("gcPauses"));
    String a = directory.resolve("a").toString();
    assertEquals(0, Tool.run(List.of("compare", a, a)).exit());
    List<String> gate = List.of("compare", a, a, "--fail-if", "kneePerSecond<1.1");
    assertEquals(1, Tool.run(gate).exit());
  }

  @Test
  void aPlantedDelayLowersTheKneeAndIsNamed() throws Exception {
    Tool.Ended ended = run(DELAY + SCENARIO, "b", "--fail-if", "kneePerSecond<400");
    assertEquals(1, ended.exit(), ended.text());
    assertTrue(report("b").getJsonObject("figures").getDouble("kneePerSecond") < 300, ended.text());
    assertTrue(
        ended.text().contains("The stage that records came to wait in is enrich"), ended.text());
  }

  /** The node's own ports, all free ones, as it says them. */
  private static List<String> ports(Process node) throws Exception {
    List<String> lines = new ArrayList<>();
    BufferedReader said = node.inputReader();
    String line = said.readLine();
    while (line != null && !line.endsWith(" ready")) {
      lines.add(line);
      line = said.readLine();
    }
    return Stream.of("http", "tcp", "mqtt", "bridge", "management")
        .map(name -> lines.stream().filter(each -> each.startsWith("listening " + name + " ")))
        .map(found -> found.findFirst().orElseThrow(() -> new AssertionError("" + lines)))
        .map(found -> found.substring(found.lastIndexOf(':') + 1))
        .toList();
  }

  @Test
  void measuresANodeThatRuns() throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx256m", "-jar", Tool.galopJar(), "run"));
    command.addAll(List.of("--set", "node.dataDir=" + directory.resolve("data")));
    for (String port :
        List.of("http", "management", "ingest.tcp", "ingest.mqtt", "ingest.bridge")) {
      command.addAll(List.of("--set", port + ".port=0"));
    }
    Process node = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      List<String> ports = ports(node);
      Path file = Files.writeString(directory.resolve("s.yaml"), SCENARIO);
      List<String> all = new ArrayList<>(List.of("run", file.toString()));
      all.addAll(List.of("--against", "http://127.0.0.1:" + ports.get(0)));
      all.addAll(List.of("--ports", String.join(",", ports.subList(1, 5))));
      all.addAll(List.of("--out", directory.resolve("d").toString()));
      Tool.Ended ended = Tool.run(all);
      assertEquals(0, ended.exit(), ended.text());
      JsonObject figures = report("d").getJsonObject("figures");
      assertEquals(1, figures.getDouble("completeness"), ended.text());
      assertTrue(figures.getDouble("serverProcessors") > 0, ended.text());
    } finally {
      node.destroyForcibly().waitFor();
    }
  }

  @Test
  void aNodeThatIsNotThereIsSaidSo() throws Exception {
    Path file = Files.writeString(directory.resolve("s.yaml"), SCENARIO);
    Tool.Ended ended =
        Tool.run(
            List.of(
                "run", file.toString(), "--against", "http://127.0.0.1:9", "--ports", "9,9,9,9"));
    assertEquals(1, ended.exit(), ended.text());
    assertTrue(ended.text().contains("/metrics does not answer"), ended.text());
  }

  @Test
  void aMistakeIsToldByFileLineAndKey() throws Exception {
    Tool.Ended ended = run(SCENARIO.replace("topics:", "topic:"), "c");
    assertEquals(2, ended.exit());
    assertTrue(ended.text().contains("inject.topic: unknown key"), ended.text());
    assertTrue(ended.text().contains("s.yaml:2)"), ended.text());
  }
}
