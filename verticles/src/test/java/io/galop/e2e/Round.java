package io.galop.e2e;

import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * One guarantee under test: a viewer on every row at the same time, and what is wrong with which.
 */
final class Round {
  private static final int TIMEOUT_SECONDS = 120;

  private final String name;
  private final List<Row> rows;
  private final Map<Row, Watcher> viewers = new LinkedHashMap<>();
  private final Map<Row, String> problems = new LinkedHashMap<>();
  private int opened;

  Round(String name, List<Row> rows) {
    this.name = name;
    this.rows = rows;
  }

  List<Row> rows() {
    return rows;
  }

  /** The viewer that was opened last on a row. */
  Watcher viewer(Row row) {
    return viewers.get(row);
  }

  /** Opens a viewer on each row that is still good, in place of the one before. */
  void open(Function<Row, List<String>> urls, String filter, Function<Row, JsonObject> headers) {
    opened++;
    for (Row row : good()) {
      String viewer = "%s %d on %s".formatted(name, opened, row);
      Map<String, JsonObject> registers = Map.of(filter, headers.apply(row));
      viewers.put(row, row.crowd().open(viewer, row.transport(), urls.apply(row), registers));
    }
  }

  /**
   * Waits until a condition holds for every viewer; a row where it does not is bad from then on.
   */
  void await(String what, Predicate<Watcher> condition) {
    long deadline = System.nanoTime() + TIMEOUT_SECONDS * 1_000_000_000L;
    boolean isOver = false;
    while (!isOver) {
      isOver = System.nanoTime() > deadline;
      rows.forEach(row -> row.crowd().refresh());
      List<Row> waiting = good().stream().filter(row -> !condition.test(viewer(row))).toList();
      if (isOver) {
        waiting.forEach(row -> fail(row, "not " + what + ": " + viewer(row)));
      }
      isOver |= waiting.isEmpty();
      pause();
    }
  }

  private static void pause() {
    try {
      Thread.sleep(20);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Checks every viewer; a row is bad if its problem is not empty. */
  void check(Function<Watcher, String> problem) {
    for (Row row : good()) {
      String found = problem.apply(viewer(row));
      if (!found.isEmpty()) {
        fail(row, found);
      }
    }
  }

  /** Lets every viewer say something. */
  void say(JsonObject message) {
    good().forEach(row -> row.crowd().say(viewer(row), message));
  }

  void leave() {
    viewers.forEach((row, viewer) -> row.crowd().leave(viewer));
  }

  void fail(Row row, String why) {
    problems.putIfAbsent(row, why);
  }

  private List<Row> good() {
    return rows.stream().filter(row -> !problems.containsKey(row)).toList();
  }

  /** Row → what is wrong; good rows are not in it. */
  Map<Row, String> problems() {
    return problems;
  }
}
