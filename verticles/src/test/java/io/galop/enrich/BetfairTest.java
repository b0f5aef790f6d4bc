package io.galop.enrich;

import static io.galop.enrich.EnrichFixture.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.market.Market;
import io.galop.record.Record;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The shipped example on whole races: what the whole path has to show later. */
@Tag("slow")
@Timeout(180)
class BetfairTest {
  private static final Path EXAMPLE = Path.of("../docs/examples/betfair.yaml");

  static List<Market> wins() {
    return Market.wins();
  }

  static List<Market> places() {
    return Market.places();
  }

  @ParameterizedTest
  @MethodSource("wins")
  void aRaceBecomesItsRunnerChangesAndStatusChanges(Market race) throws Exception {
    List<String> lines = race.lines();
    try (EnrichFixture node = new EnrichFixture(example())) {
      for (int i = 0; i < lines.size(); i++) {
        byte[] message = lines.get(i).getBytes(StandardCharsets.UTF_8);
        await(node.send(new Record("line" + i, "odds/raw", 1, message)));
      }
      assertEquals(
          List.of("OPEN", "SUSPENDED", "CLOSED"),
          statuses(node).map(data -> data.getString("status")).toList());
      assertRunnersAreAsSent(lines, node);
    }
  }

  /** Ladders, volumes of 0, prices that are no numbers: everything the stream has in a day. */
  @ParameterizedTest
  @MethodSource("places")
  void aDayOfAMarketHoldsNothingThatTheScriptFailsOn(Market market) throws Exception {
    List<String> lines = market.lines();
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
      long statuses = statuses(node).count();
      assertEquals(runnerChanges(lines).count(), runners);
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

  private static void assertRunnersAreAsSent(List<String> lines, EnrichFixture node) {
    List<String> expected = new ArrayList<>();
    Set<Long> ids = new HashSet<>();
    for (String line : lines) {
      long timeUs = new JsonObject(line).getLong("pt") * 1000;
      runnerChanges(List.of(line))
          .forEach(
              change -> {
                ids.add(change.getLong("id"));
                expected.add(change.getLong("id") + " " + change.getDouble("ltp") + " " + timeUs);
              });
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
    assertEquals(expected.size() + 3, node.stored.size(), "three changes of status beside them");
    assertEquals(expected.stream().sorted().toList(), found.stream().sorted().toList());
    assertEquals(ids.size(), runners.stream().map(Record::topic).distinct().count());
  }

  private static Stream<JsonObject> runnerChanges(List<String> lines) {
    return lines.stream()
        .flatMap(line -> new JsonObject(line).getJsonArray("mc").stream())
        .flatMap(market -> ((JsonObject) market).getJsonArray("rc", new JsonArray()).stream())
        .map(JsonObject.class::cast);
  }

  private static Stream<JsonObject> statuses(EnrichFixture node) {
    return node.stored.stream()
        .filter(record -> record.topic().endsWith("/status"))
        .map(record -> new JsonObject(EnrichFixture.text(record)));
  }
}
