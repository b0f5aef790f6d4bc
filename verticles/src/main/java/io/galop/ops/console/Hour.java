package io.galop.ops.console;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * Figures of the last hour, one row every five seconds, so that a page that is loaded anew keeps
 * its plots. 720 rows of 13 numbers, 75 KB, whatever the node does; a new row takes the place of
 * the oldest. For one thread.
 *
 * <p>Invariant: {@code rows} counts all rows ever put; row {@code n} lies at {@code n % ROWS}.
 */
final class Hour {
  static final int EVERY_SECONDS = 5;
  static final int ROWS = 3_600 / EVERY_SECONDS;

  private static final JsonObject EMPTY = new JsonObject();

  private static final List<Figure> FIGURES =
      List.of(
          of("taken", "records", "taken"),
          of("acknowledged", "records", "acknowledged"),
          of("rejected", "records", "rejected"),
          of("enriched", "records", "enriched"),
          of("placed", "records", "placed"),
          of("deadLetters", "records", "deadLetters"),
          of("logQueueBytes", "log", "queueBytes"),
          of("feedLagRecords", "feed", "lagRecords"),
          of("connections", "browsers", "connections"),
          of("sent", "browsers", "sent"),
          new Figure("storeLagBytes", Hour::storeLag),
          new Figure("latestP99Us", Hour::latestP99));

  private static final int WIDTH = 1 + FIGURES.size();

  private final long[] cells = new long[ROWS * WIDTH];
  private long rows;

  private record Figure(String name, ToLongFunction<JsonObject> in) {}

  private static Figure of(String name, String part, String field) {
    return new Figure(name, status -> status.getJsonObject(part, EMPTY).getLong(field, 0L));
  }

  private static long storeLag(JsonObject status) {
    long most = 0;
    JsonArray sinks = status.getJsonArray("sinks", new JsonArray());
    for (int i = 0; i < sinks.size(); i++) {
      most = Math.max(most, sinks.getJsonObject(i).getLong("lagBytes", 0L));
    }
    return most;
  }

  /** Of the last stage that counted something: stages stand in the order of the way. */
  private static long latestP99(JsonObject status) {
    double last = 0;
    JsonObject stages = status.getJsonObject("latencyMs", EMPTY);
    for (String stage : stages.fieldNames()) {
      last = stages.getJsonObject(stage).getDouble("p99", 0.0);
    }
    return Math.round(last * 1_000);
  }

  /** Whether the next row is due: seconds apart, or after a step of the clock. */
  boolean isDue(long timeMs) {
    if (rows == 0) {
      return true;
    }
    long since = timeMs - cells[(int) ((rows - 1) % ROWS) * WIDTH];
    return since < 0 || since >= EVERY_SECONDS * 1_000L - 500;
  }

  /** Adds the row of a status, as {@code /status} answers it. */
  void put(JsonObject status) {
    int at = (int) (rows % ROWS) * WIDTH;
    cells[at] = status.getLong("timeMs");
    for (int i = 0; i < FIGURES.size(); i++) {
      cells[at + 1 + i] = FIGURES.get(i).in().applyAsLong(status);
    }
    rows++;
  }

  /** {@code {"figures":["timeMs",…],"rows":[[…],…]}}, the oldest row first. */
  JsonObject json() {
    JsonArray names = new JsonArray().add("timeMs");
    FIGURES.forEach(figure -> names.add(figure.name()));
    JsonArray all = new JsonArray();
    for (long row = Math.max(0, rows - ROWS); row < rows; row++) {
      JsonArray one = new JsonArray();
      int at = (int) (row % ROWS) * WIDTH;
      for (int i = 0; i < WIDTH; i++) {
        one.add(cells[at + i]);
      }
      all.add(one);
    }
    return new JsonObject().put("figures", names).put("rows", all);
  }
}
