package io.galop.enrich;

import static io.galop.enrich.EnrichFixture.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.galop.record.Record;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The shipped example on the recorded race: what the whole path has to show later. */
@Timeout(120)
class BetfairTest {
  private static final Path EXAMPLE = Path.of("../docs/examples/betfair.yaml");
  private static final String RACE = "betfair-win-1.132153978.jsonl";

  @Test
  void theRecordedRaceBecomesItsRunnerChangesAndStatusChanges() throws Exception {
    Path file = data().resolve(RACE);
    assumeTrue(Files.exists(file), "no recorded race at " + file + "; set GALOP_DATA");
    List<String> lines = Files.readAllLines(file);
    try (EnrichFixture node = new EnrichFixture(example())) {
      for (int i = 0; i < lines.size(); i++) {
        byte[] message = lines.get(i).getBytes(StandardCharsets.UTF_8);
        await(node.send(new Record("line" + i, "odds/raw", 1, message)));
      }
      assertEquals(1211, node.stored.size());
      assertEquals(
          List.of("OPEN", "SUSPENDED", "CLOSED"),
          of(node, "race/1.132153978/status").map(data -> data.getString("status")).toList());
      assertRunnersAreAsRecorded(lines, node);
    }
  }

  /** Ladders, volumes of 0, prices that are no numbers: everything the stream had in a day. */
  @Test
  void aDayOfAnotherMarketHoldsNothingThatTheScriptFailsOn() throws Exception {
    Path file = data().resolve("betfair-place-1.181223995.jsonl");
    assumeTrue(Files.exists(file), "no recorded market at " + file + "; set GALOP_DATA");
    List<String> lines = Files.readAllLines(file);
    try (EnrichFixture node = new EnrichFixture(example())) {
      for (int from = 0; from < lines.size(); from += 500) {
        Record[] batch = new Record[Math.min(500, lines.size() - from)];
        for (int i = 0; i < batch.length; i++) {
          byte[] message = lines.get(from + i).getBytes(StandardCharsets.UTF_8);
          batch[i] = new Record("line" + (from + i), "odds/raw", 1, message);
        }
        await(node.send(batch));
      }
      long runners = node.stored.stream().filter(r -> r.topic().contains("/runner/")).count();
      long statuses = node.stored.stream().filter(r -> r.topic().endsWith("/status")).count();
      assertEquals(40_078, runners);
      assertEquals(statusChanges(lines), statuses);
      assertEquals(runners + statuses, node.stored.size());
    }
  }

  /** With time for the first call, which is slow where many tests run at once. */
  private static String example() throws IOException {
    String patient = "betfair.js\n        timeLimitMs: 30000";
    String example = Files.readString(EXAMPLE).replace("betfair.js", patient);
    assertTrue(example.contains(patient), example);
    return example;
  }

  private static long statusChanges(List<String> lines) {
    String last = "";
    long changes = 0;
    for (String line : lines) {
      JsonObject market = new JsonObject(line).getJsonArray("mc").getJsonObject(0);
      JsonObject definition = market.getJsonObject("marketDefinition", new JsonObject());
      String status = definition.getString("status", last);
      changes += status.equals(last) ? 0 : 1;
      last = status;
    }
    return changes;
  }

  private static void assertRunnersAreAsRecorded(List<String> lines, EnrichFixture node) {
    List<String> expected = new ArrayList<>();
    for (String line : lines) {
      JsonObject message = new JsonObject(line);
      JsonArray changes = message.getJsonArray("mc").getJsonObject(0).getJsonArray("rc");
      for (int i = 0; changes != null && i < changes.size(); i++) {
        JsonObject change = changes.getJsonObject(i);
        long timeUs = message.getLong("pt") * 1000;
        expected.add(change.getLong("id") + " " + change.getDouble("ltp") + " " + timeUs);
      }
    }
    List<Record> runners =
        node.stored.stream().filter(r -> r.topic().contains("/runner/")).toList();
    List<String> found = new ArrayList<>();
    for (Record record : runners) {
      JsonObject data = new JsonObject(EnrichFixture.text(record));
      assertTrue(record.topic().endsWith("/runner/" + data.getLong("runner")));
      assertTrue(data.getString("name").matches("[A-Z][A-Za-z ]+"), data::encode);
      found.add(data.getLong("runner") + " " + data.getDouble("odds") + " " + record.timeUs());
    }
    assertEquals(1208, found.size());
    assertEquals(expected.stream().sorted().toList(), found.stream().sorted().toList());
    assertEquals(14, runners.stream().map(Record::topic).distinct().count());
  }

  private static Stream<JsonObject> of(EnrichFixture node, String topic) {
    return node.stored.stream()
        .filter(record -> record.topic().equals(topic))
        .map(record -> new JsonObject(EnrichFixture.text(record)));
  }

  private static Path data() {
    String configured = System.getProperty("GALOP_DATA", System.getenv("GALOP_DATA"));
    return Path.of(configured == null ? "../../shared/data" : configured);
  }
}
