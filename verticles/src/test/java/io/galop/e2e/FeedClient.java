package io.galop.e2e;

import io.galop.record.Position;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * One of Galop's own clients in a process of its own, with what it says of the feed. All take the
 * same words and print the same events; docs/clients.md lists both.
 */
final class FeedClient implements AutoCloseable {
  private static final int PATIENCE_SECONDS = 120;

  private final String name;
  private final Process process;
  private final List<JsonObject> events = Collections.synchronizedList(new ArrayList<>());

  private FeedClient(String name, ProcessBuilder program) {
    this.name = name;
    try {
      process = program.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    } catch (IOException e) {
      throw new UncheckedIOException(name + " is needed; ./test installs it", e);
    }
    Thread reader = new Thread(this::read, name);
    reader.setDaemon(true);
    reader.start();
  }

  /** How each of the clients is started. */
  record Kind(String name, List<String> command, Map<String, String> environment) {
    /** Watches a filter with a snapshot. */
    FeedClient watch(URI live, String filter, String... options) {
      List<String> all = new ArrayList<>(command);
      all.addAll(List.of(live.toString(), filter));
      all.addAll(List.of(options));
      ProcessBuilder program = new ProcessBuilder(all);
      program.environment().putAll(environment);
      return new FeedClient(name, program);
    }
  }

  /** Packs and installs all of them below a directory. */
  static List<Kind> install(Path directory) throws Exception {
    Path app = ClientPackages.npm(directory.resolve("app"));
    String script = ClientPackages.copy(app, "test/conform.mjs").toString();
    Path python = ClientPackages.pip(directory);
    Map<String, String> path = Map.of("PYTHONPATH", directory.resolve("site").toString());
    String program = ClientPackages.python("test/conform.py").toString();
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    // A small heap and no second compiler: many start at once.
    List<String> viewer =
        List.of(
            java,
            "-Xmx64m",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-cp",
            ClientPackages.java(directory.resolve("java")),
            "io.galop.conform.Conform");
    return List.of(
        new Kind("Java", viewer, Map.of()),
        new Kind("JavaScript", List.of("node", script), Map.of()),
        new Kind("Python", List.of(python.toString(), program), path));
  }

  private void read() {
    try (BufferedReader lines = process.inputReader()) {
      lines.lines().forEach(line -> events.add(new JsonObject(line)));
    } catch (IOException | UncheckedIOException e) {
      events.add(new JsonObject().put("event", "cut").put("why", e.getMessage()));
    }
  }

  /** Says a word to it: hold, go or end. */
  void say(String word) throws IOException {
    Writer to = process.outputWriter();
    to.write(word + "\n");
    to.flush();
  }

  List<JsonObject> all(Predicate<JsonObject> fits) {
    synchronized (events) {
      return events.stream().filter(fits).toList();
    }
  }

  /** Events with a field of a value, in the order in which they came. */
  List<JsonObject> all(String event, String field, Object value) {
    return all(one -> event.equals(one.getString("event")) && value.equals(one.getValue(field)));
  }

  List<JsonObject> records() {
    return all(one -> "record".equals(one.getString("event")));
  }

  List<String> ids() {
    return records().stream().map(one -> one.getString("id")).toList();
  }

  /** Waits until it has told something of which the field has the value, so many times. */
  void await(String event, String field, Object value, int times) {
    String what = name + " tells " + event + " " + value + " for the " + times + ". time";
    Await.until(what, PATIENCE_SECONDS, () -> isThere(event, field, value, times));
  }

  private boolean isThere(String event, String field, Object value, int times) {
    if (!process.isAlive()) {
      throw new AssertionError(name + " has ended: " + last());
    }
    return all(event, field, value).size() >= times;
  }

  void await(String event, String field, Object value) {
    await(event, field, value, 1);
  }

  /** What it told last, for messages. */
  List<JsonObject> last() {
    List<JsonObject> all = all(one -> true);
    return all.subList(Math.max(0, all.size() - 20), all.size());
  }

  /** Records that do not lie behind the one before in their shard; none if each came once. */
  List<JsonObject> outOfOrder() {
    Map<Integer, Position> last = new HashMap<>();
    List<JsonObject> wrong = new ArrayList<>();
    for (JsonObject record : records()) {
      Position position = Position.parse(record.getString("position"));
      Position before = last.put(position.shard(), position);
      if (before != null && position.compareTo(before) <= 0) {
        wrong.add(record);
      }
    }
    return wrong;
  }

  @Override
  public String toString() {
    return name;
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
