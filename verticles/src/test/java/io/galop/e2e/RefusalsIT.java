package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a user of the packed jar is told who does something wrong, and that nothing else is lost.
 */
@Timeout(180)
class RefusalsIT {
  private static final String NDJSON = "application/x-ndjson";

  @TempDir Path directory;

  @Test
  void aWrongConfigurationStopsTheStartAndNamesEveryProblem() throws Exception {
    Path file = directory.resolve("wrong.yaml");
    Files.writeString(file, "http:\n  prot: 8080\npersist:\n  ack: sometimes\n");
    for (String command : List.of("check", "run")) {
      Cli.Ended ended =
          command.equals("check")
              ? Cli.run("check", file.toString())
              : Cli.run("run", "--config", file.toString());
      assertEquals(2, ended.code());
      assertTrue(ended.text().contains("http.prot"), ended.text());
      assertTrue(ended.text().contains("did you mean 'port'"), ended.text());
      assertTrue(ended.text().contains("persist.ack"), ended.text());
      assertFalse(ended.text().contains("\tat "), "a stack trace: " + ended.text());
    }
  }

  @Test
  void aListenerForOthersWithoutTokenAndTlsIsRefused() throws Exception {
    Cli.Ended ended =
        Cli.run("run", "--set", "http.host=0.0.0.0", "--set", "node.dataDir=" + directory);
    assertEquals(2, ended.code());
    assertTrue(ended.text().contains("ingest.token"), ended.text());
    assertTrue(ended.text().contains("http.insecure"), ended.text());
  }

  @Test
  void aTemporaryDirectoryThatCannotBeUsedIsNamed() throws Exception {
    Path file = Files.writeString(directory.resolve("file"), "");
    List<String> jvm = List.of("-Djava.io.tmpdir=" + file.resolve("none"));
    List<String> run = List.of("run", "--set", "node.dataDir=" + directory.resolve("data"));
    List<String> ports =
        Stream.of("http", "management", "ingest.tcp", "ingest.mqtt", "ingest.bridge")
            .flatMap(listener -> Stream.of("--set", listener + ".port=0"))
            .toList();
    List<String> args = Stream.of(run, ports).flatMap(List::stream).toList();
    try (GalopProcess node = GalopProcess.start(jvm, args)) {
      assertEquals(1, node.awaitExit(120), node.text());
      assertTrue(node.text().contains("SQLite's library cannot be unpacked into "), node.text());
      assertTrue(node.text().contains("-Djava.io.tmpdir="), node.text());
      assertFalse(node.complaints().contains("\tat "), "a stack trace: " + node.text());
    }
    List<String> without = List.of("--set", "persist.cold.enabled=false");
    try (GalopProcess node = GalopProcess.run(directory.resolve("data"), jvm, without)) {
      HttpResponse<String> page = Stored.get(node.http("/"));
      assertEquals(200, page.statusCode(), page.body());
      assertTrue(node.text().contains("the temporary directory"), node.text());
    }
  }

  @Test
  void aMalformedLineInTheMiddleLosesNothingElse() throws Exception {
    String lines =
        """
        {"topic":"a/1","data":{"n":1},"id":"one"}
        {"topic":"a/1","data":{"n":2
        {"topic":"a/+","data":{"n":3}}
        {"topic":"a/1","data":{"n":4},"id":"four"}
        """;
    try (GalopProcess node = GalopProcess.run(directory, List.of(), List.of())) {
      HttpResponse<String> answer = Stored.post(node.http("/publish"), NDJSON, lines);
      assertEquals(202, answer.statusCode(), answer.body());
      JsonObject body = new JsonObject(answer.body());
      assertEquals(2, body.getInteger("accepted"));
      JsonObject second = body.getJsonArray("rejected").getJsonObject(0);
      assertEquals(2, second.getInteger("line"));
      assertEquals("malformed", second.getString("reason"));
      JsonObject third = body.getJsonArray("rejected").getJsonObject(1);
      assertEquals(3, third.getInteger("line"));
      assertEquals("topic_not_allowed", third.getString("reason"));
      assertEquals(
          List.of("four", "one"),
          Stored.history(node.http("/history/a/1")).stream().map(Seen::id).sorted().toList());
    }
  }

  @Test
  void aRecordThatIsTooLargeIsRefused() throws Exception {
    List<String> small = List.of("--set", "ingest.limits.maxDataBytes=64");
    try (GalopProcess node = GalopProcess.run(directory, List.of(), small)) {
      String data = "{\"text\":\"" + "x".repeat(64) + "\"}";
      HttpResponse<String> answer = Stored.post(node.http("/publish/a"), "application/json", data);
      assertEquals(413, answer.statusCode());
      JsonObject rejected = new JsonObject(answer.body()).getJsonArray("rejected").getJsonObject(0);
      assertEquals("too_large", rejected.getString("reason"));
      assertTrue(rejected.getString("detail").contains("64"), answer.body());
    }
  }

  @Test
  void atTheDiskQuotaRecordsAreRefusedUntilTheStoreIsBack() throws Exception {
    List<String> tiny =
        List.of(
            "--set", "persist.log.segmentBytes=1048576",
            "--set", "persist.log.queueBytes=131072",
            "--set", "persist.log.retentionBytes=0",
            "--set", "persist.log.quotaBytes=4194304");
    try (GalopProcess node = GalopProcess.run(directory, List.of(), tiny)) {
      int accepted;
      try (Connection other = Stored.lock(directory)) {
        accepted = fillUp(node);
        other.rollback();
      }
      Await.until("room again", 120, () -> post(node, accepted).statusCode() == 202);
      assertEquals(accepted + 1, Stored.history(node.http("/history/big?limit=10000")).size());
    }
  }

  /** Publishes until the quota is reached; how many records were acknowledged. */
  private static int fillUp(GalopProcess node) throws Exception {
    int accepted = 0;
    HttpResponse<String> answer = post(node, accepted);
    while (answer.statusCode() == 202 && accepted < 1_000) {
      accepted++;
      answer = post(node, accepted);
    }
    assertEquals(429, answer.statusCode(), answer.body());
    assertTrue(answer.body().contains("over_quota"), answer.body());
    assertTrue(answer.headers().firstValue("Retry-After").isPresent());
    return accepted;
  }

  private static HttpResponse<String> post(GalopProcess node, int n) throws Exception {
    String data = "{\"text\":\"" + "x".repeat(30_000) + "\"}";
    String line = "{\"topic\":\"big\",\"id\":\"%d\",\"data\":%s}".formatted(n, data);
    return Stored.post(node.http("/publish"), NDJSON, line);
  }
}
