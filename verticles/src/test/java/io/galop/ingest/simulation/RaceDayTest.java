package io.galop.ingest.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.ingest.SimulationConfig;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RaceDayTest {
  private static final long START_US = 1_800_000_000_000_000L;

  private record Made(String topic, long timeUs, JsonObject data) {}

  private static List<Made> day(long seed, int seconds) {
    SimulationConfig config = new SimulationConfig(true, seed, 3, 6, 100, 2, 60, 20);
    RaceDay day = new RaceDay(config, START_US);
    List<Made> made = new ArrayList<>();
    for (int i = 0; i <= seconds * 20; i++) {
      day.advance(
          START_US + i * 50_000L,
          (topic, timeUs, data) -> made.add(new Made(topic, timeUs, new JsonObject(data))));
    }
    return made;
  }

  @Test
  void isTheSameForTheSameSeed() {
    assertEquals(day(1, 30), day(1, 30));
    assertNotEquals(day(1, 30), day(2, 30));
  }

  @Test
  void takesEveryRaceThroughItsPhasesInOrder() {
    Map<String, List<String>> phases = new LinkedHashMap<>();
    for (Made made : day(1, 400)) {
      if (made.topic.endsWith("/status")) {
        phases
            .computeIfAbsent(made.data.getString("market"), m -> new ArrayList<>())
            .add(made.data.getString("status"));
      }
    }
    assertTrue(phases.size() >= 12, "so few races: " + phases);
    List<List<String>> whole = List.copyOf(phases.values()).subList(3, phases.size() - 3);
    for (List<String> one : whole) {
      assertEquals(List.of("OPEN", "SUSPENDED", "IN_PLAY", "CLOSED"), one);
    }
  }

  @Test
  void keepsItsRateAndSize() {
    List<Made> runners =
        day(1, 100).stream().filter(made -> made.topic.contains("/runner/")).toList();
    assertTrue(runners.size() > 9_500 && runners.size() < 11_000, "made " + runners.size());
    double bytes =
        runners.stream()
            .mapToInt(made -> made.topic.length() + made.data.encode().length() + 60)
            .average()
            .orElse(0);
    assertTrue(bytes > 250 && bytes < 330, "bytes of a line: " + bytes);
  }

  @Test
  void pricesRunnersAsAMarketDoes() {
    Map<String, Double> last = new LinkedHashMap<>();
    for (Made made : day(1, 40)) {
      if (made.topic.contains("/runner/")) {
        double odds = made.data.getDouble("odds");
        assertTrue(odds >= 1.01 && odds <= 1000, "odds " + odds);
        assertEquals(
            made.topic,
            "race/" + made.data.getString("market") + "/runner/" + made.data.getInteger("runner"));
        last.put(made.topic, odds);
      }
    }
    Map<String, Double> book = new LinkedHashMap<>();
    last.forEach((topic, odds) -> book.merge(topic.split("/")[1], 1 / odds, Double::sum));
    assertTrue(book.values().stream().anyMatch(sum -> sum > 0.8 && sum < 1.3), book.toString());
  }

  @Test
  void movesFasterTowardsTheStart() {
    Map<String, Long> startUs = new LinkedHashMap<>();
    int early = 0;
    int late = 0;
    for (Made one : day(1, 300)) {
      String market = one.data.getString("market");
      if (one.topic.endsWith("/status")) {
        Instant start = Instant.parse(one.data.getString("start"));
        startUs.put(market, start.toEpochMilli() * 1000);
      } else if (one.topic.contains("/runner/")) {
        long leftUs = startUs.get(market) - one.timeUs;
        early += leftUs > 30_000_000 ? 1 : 0;
        late += leftUs > 0 && leftUs <= 30_000_000 ? 1 : 0;
      }
    }
    assertTrue(early > 0 && late > 2 * early, early + " early, " + late + " late");
  }

  @Test
  void measuresEverySecond() {
    List<Made> measured =
        day(1, 10).stream().filter(made -> made.topic.equals("sensor/wind-speed")).toList();
    assertEquals(11, measured.size());
    assertEquals("m/s", measured.get(0).data.getString("unit"));
    assertTrue(measured.get(0).data.getDouble("value") > 0);
  }

  @Test
  void stepsAsTheLadderDoes() {
    assertEquals(101, PriceLadder.nearest(0.5));
    assertEquals(198, PriceLadder.nearest(1.984));
    assertEquals(305, PriceLadder.nearest(3.04));
    assertEquals(100_000, PriceLadder.nearest(5000));
    assertEquals(199, PriceLadder.shorter(200));
    assertEquals(202, PriceLadder.longer(200));
    assertEquals("-3.05", PriceLadder.write(new StringBuilder(), -305).toString());
    assertEquals("3.5", PriceLadder.write(new StringBuilder(), 350).toString());
    assertEquals("12", PriceLadder.write(new StringBuilder(), 1200).toString());
  }
}
