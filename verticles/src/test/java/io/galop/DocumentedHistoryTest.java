package io.galop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.broadcast.edge.TestTokens;
import io.galop.config.ConfigLoader;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
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

/** What docs/protocol.md says of rows is said to a node; viewers get rows of what they may see. */
@Timeout(180)
class DocumentedHistoryTest {
  private static final long NOON_US = 1_763_640_000_000_000L;
  private static final Pattern EXAMPLE = Pattern.compile("(?m)^    (curl '[^']*/history/.*)$");
  @TempDir private Path directory;

  private GalopNode start(List<String> more) {
    List<String> sets = new ArrayList<>(more);
    for (String part :
        List.of("http", "management", "ingest.tcp", "ingest.mqtt", "ingest.bridge")) {
      sets.add(part + ".port=0");
    }
    sets.add("node.dataDir=" + directory.resolve("data"));
    return GalopNode.start(ConfigLoader.load(Optional.empty(), Map.of(), sets, Map.of()));
  }

  private static void publish(GalopNode node) throws Exception {
    StringBuilder lines = new StringBuilder();
    for (int n = 0; n < 4; n++) {
      lines.append(
          "{\"topic\":\"sensor/boiler\",\"id\":\"%d\",\"time\":%d,\"data\":{\"celsius\":%s,\"motor\":{\"rpm\":%d}}}%n"
              .formatted(n, NOON_US + n * 1_000_000L, 19.5 + n * 0.5, 900 + n));
    }
    URI uri = URI.create("http://" + node.listeners().get("http") + "/publish");
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .header("Content-Type", "application/x-ndjson")
            .POST(HttpRequest.BodyPublishers.ofString(lines.toString()))
            .build();
    assertEquals(
        202, HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).statusCode());
  }

  private String run(String command) throws Exception {
    Path out = directory.resolve("out");
    Process process =
        new ProcessBuilder("sh", "-c", command.replace("curl ", "curl -sS --fail-with-body "))
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    int exit = process.waitFor();
    String text = Files.readString(out);
    assertEquals(0, exit, command + ": " + text);
    return text;
  }

  @Test
  void theExamplesAnswerWhatIsWritten() throws Exception {
    String page = Files.readString(Path.of("../docs/protocol.md"), StandardCharsets.UTF_8);
    List<String> answers = new ArrayList<>();
    try (GalopNode node = start(List.of())) {
      publish(node);
      Matcher example = EXAMPLE.matcher(page);
      while (example.find()) {
        String address = node.listeners().get("http");
        answers.add(run(example.group(1).replace("127.0.0.1:8080", address)));
      }
    }
    assertEquals(3, answers.size());
    String row = answers.get(0).replace("[", "").replace("]", "");
    assertTrue(page.contains("    " + row + "\n"), row);
    assertEquals(
        "time,topic,part,celsius.min,celsius.max,celsius.avg,celsius.last,celsius.count,"
            + "motor.rpm.min,motor.rpm.max,motor.rpm.avg,motor.rpm.last,motor.rpm.count\r\n"
            + NOON_US
            + ",sensor/boiler,false,19.5,21,20.25,21,4,900,903,901.5,903,4\r\n",
        answers.get(1));
    assertEquals(4, new JsonArray(answers.get(2)).size());
  }

  /** The lone node keeps answers for others who ask the same: compressed ones for those only. */
  @Test
  void keptAnswersAreCompressedForThoseWhoTakeIt() throws Exception {
    try (GalopNode node = start(List.of())) {
      publish(node);
      String ask = "curl 'http://%s/history/sensor/%%23'".formatted(node.listeners().get("http"));
      String plain = run(ask);
      assertEquals(4, new JsonArray(plain).size());
      for (int time = 0; time < 3; time++) {
        assertEquals(plain, run(ask + " --compressed"));
        assertEquals(plain, run(ask + " -H 'Accept-Encoding: gzip;q=0'"));
      }
      assertEquals(4, run(ask + " -H 'Accept: text/csv' --compressed").lines().count() - 1);
      String head = run(ask + " --compressed -D - -o " + directory.resolve("body"));
      assertTrue(head.contains("content-encoding: gzip"), head);
    }
  }

  @Test
  void aViewersRowsHaveWhatTheTokenLeaves() throws Exception {
    TestTokens issuer = TestTokens.of("HS256", directory);
    JsonObject view =
        new JsonObject().put("maxRate", 0.5).put("omit", new JsonArray().add("motor"));
    String part = issuer.sign(TestTokens.claims("anna", 60, "#").put("view", view));
    String ask = "curl -H 'Authorization: Bearer %s' 'http://%s/history/sensor/boiler?%s'";
    try (GalopNode node = start(issuer.settings())) {
      publish(node);
      String address = node.listeners().get("http");
      String rows = "every=1m&fields=celsius,motor.rpm&agg=last,count";
      String whole = run(ask.formatted(issuer.token("otto", 60, "#"), address, rows));
      assertTrue(whole.contains("\"motor.rpm\":{\"last\":903,\"count\":4}"), whole);
      JsonObject shown = new JsonArray(run(ask.formatted(part, address, rows))).getJsonObject(0);
      assertEquals(
          new JsonObject().put("celsius", new JsonObject().put("last", 20.5).put("count", 2)),
          shown.getJsonObject("data"));
      assertEquals("[]", run(ask.formatted(part, address, "points=9&fields=motor.rpm")));
      String csv = run(ask.formatted(part, address, "format=csv&fields=celsius,motor.rpm"));
      assertEquals(3, csv.lines().count(), csv);
      assertTrue(csv.lines().toList().get(1).endsWith(",19.5,"), csv);
    }
  }
}
