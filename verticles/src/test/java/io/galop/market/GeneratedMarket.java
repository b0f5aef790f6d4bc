package io.galop.market;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Horse-race markets in the form in which an odds exchange streams them, made up from a fixed seed:
 * what tests replay where no recording is at hand. They have the shape of real ones: a definition
 * that comes again and again, a status that goes from OPEN over SUSPENDED to CLOSED, most messages
 * with one change and some with a dozen, ladders, volumes of 0, prices that are no numbers, and
 * publish times that stand still or jump.
 */
final class GeneratedMarket {
  private static final long FIRST_PUBLISH_MS = Instant.parse("2026-05-01T09:00:00Z").toEpochMilli();
  private static final String[] FIRST = {"Brave", "Silver", "Quiet", "Northern", "Second", "Lucky"};
  private static final String[] LAST = {"Harbour", "Anvil", "Meadow", "Signal", "Falcon", "Tide"};

  /** How a market is made: so many messages about so many runners. */
  private record Shape(String id, long seed, int messages, int runners, boolean ladders) {}

  private final Shape shape;
  private final SplittableRandom random;
  private final List<String> lines = new ArrayList<>();
  private long publishMs = FIRST_PUBLISH_MS;

  private GeneratedMarket(Shape shape) {
    this.shape = shape;
    this.random = new SplittableRandom(shape.seed());
  }

  /** A small one with names and last prices only. */
  static List<String> win() {
    return new GeneratedMarket(new Shape("1.900000001", 1, 480, 14, false)).make();
  }

  /** A day of one with ladders, whose runners have no names. */
  static List<String> place() {
    return new GeneratedMarket(new Shape("1.900000002", 2, 22_000, 10, true)).make();
  }

  private List<String> make() {
    int last = shape.messages() - 1;
    for (int i = 0; i <= last; i++) {
      publishMs += shape.ladders() ? random.nextInt(400) : 50_000 + random.nextInt(20_000);
      JsonObject change = new JsonObject().put("id", shape.id());
      String status = i == last ? "CLOSED" : i == last - 1 ? "SUSPENDED" : "OPEN";
      if (i == 0 || i >= last - 1 || i % 240 == 239) {
        change.put("marketDefinition", definition(status, i > last - 20));
      } else {
        change.put("rc", runnerChanges());
      }
      lines.add(
          new JsonObject()
              .put("op", "mcm")
              .put("clk", Integer.toString(i))
              .put("pt", publishMs)
              .put("mc", new JsonArray().add(change))
              .encode());
    }
    return lines;
  }

  private JsonObject definition(String status, boolean isInPlay) {
    JsonArray runners = new JsonArray();
    for (int i = 0; i < shape.runners(); i++) {
      JsonObject runner = new JsonObject().put("status", "ACTIVE").put("sortPriority", i + 1);
      runner.put("id", runner(i));
      if (!shape.ladders()) {
        runner.put("name", FIRST[i % FIRST.length] + " " + LAST[(i + i / 6) % LAST.length]);
      }
      runners.add(runner);
    }
    return new JsonObject()
        .put("bettingType", "ODDS")
        .put("marketTime", "2026-05-01T16:20:00.000Z")
        .put("venue", "Generated Park")
        .put("inPlay", isInPlay)
        .put("status", status)
        .put("runners", runners);
  }

  private JsonArray runnerChanges() {
    JsonArray changes = new JsonArray();
    int many = random.nextInt(100) < 80 ? 1 : 1 + random.nextInt(Math.min(12, shape.runners()));
    int first = random.nextInt(shape.runners());
    for (int i = 0; i < many; i++) {
      JsonObject change = new JsonObject();
      if (shape.ladders()) {
        putLadders(change);
      } else {
        change.put("ltp", price());
      }
      changes.add(change.put("id", runner((first + i) % shape.runners())));
    }
    return changes;
  }

  private void putLadders(JsonObject change) {
    int kind = random.nextInt(100);
    if (kind < 60) {
      change.put("atb", new JsonArray().add(new JsonArray().add(price()).add(random.nextInt(500))));
    }
    if (kind >= 45) {
      change.put("atl", new JsonArray().add(new JsonArray().add(price()).add(0)));
    }
    if (kind < 5) {
      change.put("ltp", price()).put("tv", random.nextInt(3) * 12.5);
    } else if (kind < 10) {
      change.put("spn", "Infinity").put("spf", "NaN");
    }
  }

  private double price() {
    return (101 + random.nextInt(3_000)) / 100.0;
  }

  private static long runner(int index) {
    return 30_000_000L + 7_919L * index;
  }
}
