package io.galop.loadtest.queries;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.loadtest.Tool;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A few clients for a second, from memory and the embedded store, beside nginx if it is there. */
@Timeout(300)
class QueriesCommandIT {
  @TempDir Path directory;

  @Test
  void everyAnswerIsWholeWhereverItComesFrom() throws Exception {
    boolean hasNginx = Files.isExecutable(Path.of("/usr/sbin/nginx"));
    String sources = "RAM,RAM_EACH,EMBEDDED" + (hasNginx ? ",NGINX" : "");
    Path json = directory.resolve("queries.json");
    List<String> command = new ArrayList<>(List.of("queries", "--start", Tool.galopJar()));
    command.addAll(List.of("--from", sources, "--records", "300", "--clients", "5"));
    command.addAll(List.of("--every-ms", "20", "--loop-clients", "3", "--loop-seconds", "1"));
    command.addAll(List.of("--runs", "1", "--warm-up-seconds", "0", "--json", json.toString()));

    Tool.Ended ended = Tool.run(command);

    assertEquals(0, ended.exit(), ended.text());
    JsonArray rows = new JsonObject(Files.readString(json)).getJsonArray("queries");
    assertEquals(2 * sources.split(",").length, rows.size(), ended.text());
    for (int i = 0; i < rows.size(); i++) {
      JsonObject row = rows.getJsonObject(i);
      assertEquals(0, row.getInteger("wrong"), row.encode());
      assertTrue(row.getInteger("verified") > 0, row.encode());
      assertTrue(row.getInteger("answers") >= (i < rows.size() / 2 ? 5 : 1), row.encode());
    }
  }

  @Test
  void aScenarioAsksInTheSameWay() throws Exception {
    String text =
        """
        name: q
        measure:
          queries:
            sources: [ram]
            records: 50
            clients: [3]
            everyMs: 10
            loopClients: [2]
            loopSeconds: 0.5
            runs: 1
            warmUpSeconds: 0
        """;
    Path file = Files.writeString(directory.resolve("q.yaml"), text);
    String out = directory.resolve("q").toString();
    Tool.Ended ended =
        Tool.run(List.of("run", file.toString(), "--start", Tool.galopJar(), "--out", out));
    assertEquals(0, ended.exit(), ended.text());
    JsonObject report = new JsonObject(Files.readString(Path.of(out, "report.json")));
    JsonObject figures = report.getJsonObject("figures");
    assertEquals(0, figures.getDouble("RAM.2-in-a-closed-loop.wrong"), ended.text());
    assertTrue(figures.getDouble("RAM.3-once-each-10-ms-apart.p99Ms") > 0, ended.text());
    assertEquals(2, report.getJsonArray("tables").getJsonObject(0).getJsonArray("rows").size());
  }

  /** In the middle of its work, with a node and a store under way. */
  @Test
  void leavesNothingBehindWhenItIsEnded() throws Exception {
    Path temporary = Files.createDirectory(directory.resolve("tmp"));
    List<String> command = new ArrayList<>(List.of("queries", "--start", Tool.galopJar()));
    command.addAll(List.of("--from", "RAM,REDIS", "--records", "300", "--clients", "5"));
    command.addAll(List.of("--loop-seconds", "600", "--warm-up-seconds", "600"));
    command.addAll(List.of("--json", directory.resolve("queries.json").toString()));
    Process tool = Tool.start(List.of("-Djava.io.tmpdir=" + temporary), command);
    StringBuilder printed = new StringBuilder();
    try (BufferedReader lines = tool.inputReader()) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        printed.append(line).append('\n');
        if (line.startsWith("ready: ") && printed.toString().split("ready: ").length > 2) {
          // The process itself would close what it has printed.
          tool.toHandle().destroy();
        }
      }
    }
    assertTrue(tool.waitFor(60, TimeUnit.SECONDS), printed.toString());
    assertEquals(2, printed.toString().split("ready: ").length - 1, printed.toString());
    try (Stream<Path> left = Files.list(temporary)) {
      assertEquals(List.of(), left.toList());
    }
  }

  @Test
  void nginxHasNothingToServeWithoutAnAnswer() throws Exception {
    Tool.Ended ended = Tool.run(List.of("queries", "--start", Tool.galopJar(), "--from", "NGINX"));
    assertEquals(2, ended.exit(), ended.text());
    assertTrue(ended.text().contains("--from must not begin with NGINX"), ended.text());
  }
}
