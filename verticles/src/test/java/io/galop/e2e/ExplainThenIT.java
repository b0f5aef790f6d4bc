package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code galop explain} tells with which version of a script a record of before was enriched. */
@Timeout(300)
class ExplainThenIT {
  /** Longer than what a node that is alone takes for unsure. */
  private static final long SLACK_MS = 3_000;

  @TempDir private Path directory;
  private int published;

  private static String script(int version) {
    return "function enrich(r) { r.data.version = %d; return r; }\n".formatted(version);
  }

  private static JsonObject record(GalopProcess node, String id) throws Exception {
    JsonArray records =
        new JsonObject(Stored.get(node.management("/explain?id=" + id)).body())
            .getJsonArray("records");
    return records.isEmpty() ? new JsonObject() : records.getJsonObject(0);
  }

  private static JsonObject step(JsonObject record) {
    return record
        .getJsonObject("steps")
        .getJsonArray("nodes")
        .getJsonObject(0)
        .getJsonArray("steps")
        .getJsonObject(0);
  }

  private String publish(GalopProcess node) throws Exception {
    String id = "r" + published++;
    String line = "{\"topic\":\"raw/1\",\"id\":\"%s\",\"data\":{\"v\":1}}\n".formatted(id);
    String kind = "application/x-ndjson";
    assertEquals(202, Stored.post(node.http("/publish"), kind, line).statusCode());
    return id;
  }

  /** A record that came long enough after the last change, so that its version is certain. */
  private String certain(GalopProcess node) {
    String[] last = {""};
    Await.until(
        "the version of a record is certain",
        120,
        () -> {
          last[0] = publish(node);
          JsonObject record = record(node, last[0]);
          return !record.isEmpty() && step(record).getJsonObject("then").containsKey("version");
        });
    return last[0];
  }

  @Test
  void tellsTheVersionOfThen() throws Exception {
    Path file = Files.writeString(directory.resolve("s.js"), script(1));
    String chain = "enrich.chain=[{script: {topics: [raw/+], file: s.js, shadow: {seconds: 0}}}]";
    List<String> settings = List.of("--set", chain, "--set", "enrich.directory=" + directory);
    try (GalopProcess node = GalopProcess.run(directory.resolve("data"), List.of(), settings)) {
      String first = certain(node);
      TimeUnit.MILLISECONDS.sleep(SLACK_MS); // a change so soon after it may have come before it
      String url = "http://" + node.address("management");
      String before = step(record(node, first)).getString("version");
      Path next = Files.createDirectory(directory.resolve("next")).resolve(file.getFileName());
      Files.writeString(next, script(2));
      Cli.ok("script", "deploy", next.toString(), "--url", url);
      String near = publish(node);
      String second = certain(node);
      String now = step(record(node, second)).getString("version");
      assertNotEquals(before, now);
      assertThen(before, record(node, first), 1);
      assertThen(now, record(node, second), 2);
      JsonObject unsure = step(record(node, near)).getJsonObject("then");
      String told = unsure.getString("version", "" + unsure.getJsonArray("versions"));
      assertTrue(told.contains(now), unsure.encode());
      String text = Cli.ok("explain", first, "--url", url);
      assertTrue(text.contains("script s.js %s now, then %s".formatted(now, before)), text);
    }
  }

  private static void assertThen(String version, JsonObject record, int made) {
    String all = record.encodePrettily();
    assertEquals(version, step(record).getJsonObject("then").getString("version"), all);
    assertTrue(record.getString("data").contains("\"version\":" + made), all);
  }
}
