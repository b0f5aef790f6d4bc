package io.galop.loadtest.queries;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.loadtest.Tool;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
  void nginxHasNothingToServeWithoutAnAnswer() throws Exception {
    Tool.Ended ended = Tool.run(List.of("queries", "--start", Tool.galopJar(), "--from", "NGINX"));
    assertEquals(2, ended.exit(), ended.text());
    assertTrue(ended.text().contains("--from must not begin with NGINX"), ended.text());
  }
}
