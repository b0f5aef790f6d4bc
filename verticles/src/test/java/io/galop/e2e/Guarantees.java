package io.galop.e2e;

import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** What every transport must hold; each is checked on all rows at the same time. */
final class Guarantees {
  private static final int TOPICS = 10;
  private static final List<String> TOLD = List.of("silent/0");
  private static final Function<Row, JsonObject> FROM_NOW = row -> headers("since", "");
  private static final Function<Row, JsonObject> SNAPSHOT = row -> headers("snapshot", "true");

  private final Stage stage;

  Guarantees(Stage stage) {
    this.stage = stage;
  }

  private static JsonObject headers(String... namesAndValues) {
    JsonObject headers = new JsonObject();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      headers.put(namesAndValues[i], namesAndValues[i + 1]);
    }
    return headers;
  }

  private Numbered numbered(String prefix) {
    return new Numbered(stage.inside(), prefix, TOPICS);
  }

  /** Each record once, and those of a topic in order. */
  private static String exactly(Watcher viewer, List<String> expected) {
    List<String> ids = viewer.ids();
    if (ids.size() != expected.size() || !new HashSet<>(ids).equals(new HashSet<>(expected))) {
      return "not exactly " + expected.size() + " records but " + ids;
    }
    return viewer.disordered().isEmpty() ? "" : "out of order: " + viewer.disordered();
  }

  private static boolean hasAll(Watcher viewer, List<String> expected) {
    return viewer.seen().containsAll(expected);
  }

  Map<Row, String> allRecords() throws Exception {
    Round round = new Round("all", stage.rows());
    Numbered records = numbered("all");
    round.open(stage::live, records.filter(), FROM_NOW);
    round.await("live", viewer -> viewer.has("live"));
    for (int i = 0; i < 10; i++) {
      records.publish(30);
    }
    round.await("all records", viewer -> hasAll(viewer, records.all()));
    round.check(viewer -> exactly(viewer, records.all()));
    round.leave();
    return round.problems();
  }

  Map<Row, String> snapshot() throws Exception {
    Round round = new Round("snapshot", stage.rows());
    Numbered records = numbered("snapshot");
    records.publish(50);
    List<String> newest = records.newest();
    round.open(stage::live, records.filter(), SNAPSHOT);
    // While they register: what comes between snapshot and live must come, and once.
    for (int i = 0; i < 10; i++) {
      records.publish(10);
    }
    round.await("live", viewer -> viewer.has("live"));
    records.publish(10);
    round.await("the last records", viewer -> hasAll(viewer, records.newest()));
    round.check(viewer -> consecutive(viewer, newest));
    round.leave();
    return round.problems();
  }

  /** From the snapshot's record on, each topic's records follow each other without a gap. */
  private static String consecutive(Watcher viewer, List<String> newest) {
    Map<String, Integer> last = new HashMap<>();
    List<String> wrong = new ArrayList<>();
    for (JsonObject message : viewer.all("rec")) {
      String topic = message.getJsonObject("headers").getString("topic");
      int number = message.getJsonObject("body").getJsonObject("data").getInteger("n");
      Integer before = last.put(topic, number);
      if (before != null && number != before + TOPICS) {
        wrong.add(topic + ": " + number + " after " + before);
      }
      if (before == null && number < 50 - TOPICS) {
        wrong.add(topic + ": begins with " + number + ", which is older than " + newest);
      }
    }
    return last.size() == TOPICS && wrong.isEmpty() ? "" : last.size() + " topics; " + wrong;
  }

  Map<Row, String> resume() throws Exception {
    Round round = new Round("resume", stage.rows());
    Numbered records = numbered("resume");
    round.open(stage::live, records.filter(), FROM_NOW);
    round.await("live", viewer -> viewer.has("live"));
    List<String> before = records.publish(40);
    round.await("the first records", viewer -> hasAll(viewer, before));
    round.leave();
    List<String> missed = new ArrayList<>(records.publish(40));
    round.open(
        stage::live, records.filter(), row -> headers("since", round.viewer(row).positions()));
    round.await("live again", viewer -> viewer.has("live"));
    missed.addAll(records.publish(20));
    round.await("what it missed", viewer -> hasAll(viewer, missed));
    round.check(
        viewer ->
            viewer.completeness().equals(List.of(true))
                ? exactly(viewer, missed)
                : "resumed: " + viewer.completeness());
    round.leave();
    return round.problems();
  }

  /**
   * Who takes deltas, which streams and MQTT do not have, misses and mistakes nothing, also over a
   * break.
   */
  Map<Row, String> deltas() throws Exception {
    Round round = new Round("deltas", stage.rows());
    Numbered records = numbered("deltas");
    round.open(stage::live, records.filter(), row -> deltas(row, ""));
    round.await("live", viewer -> viewer.has("live"));
    List<String> before = records.publish(40);
    round.await("the first records", viewer -> hasAll(viewer, before));
    round.leave();
    List<String> missed = new ArrayList<>(records.publish(40));
    round.open(stage::live, records.filter(), row -> deltas(row, round.viewer(row).positions()));
    round.await("live again", viewer -> viewer.has("live"));
    missed.addAll(records.publish(40));
    round.await("what it missed", viewer -> hasAll(viewer, missed));
    round.check(viewer -> exactly(viewer, missed));
    round.check(viewer -> viewer.has("lost") ? "a delta could not be read" : "");
    round.check(
        viewer -> {
          long told = viewer.all("rec").stream().filter(one -> one.containsKey("told")).count();
          return told > (hasDeltas(viewer.transport()) ? TOPICS : -1) ? "" : told + " deltas";
        });
    round.leave();
    return round.problems();
  }

  private static boolean hasDeltas(String transport) {
    return !Row.OF_STREAMS.contains(transport) && !Row.OF_MQTT.contains(transport);
  }

  private static JsonObject deltas(Row row, String since) {
    return hasDeltas(row.transport())
        ? headers("since", since, "deltas", "true")
        : headers("since", since);
  }

  /** Positions of an epoch that no owner remembers: told so, and a snapshot. */
  Map<Row, String> incompleteResume() throws Exception {
    Round round = new Round("incomplete", stage.rows());
    Numbered records = numbered("incomplete");
    records.publish(40);
    round.open(stage::live, records.filter(), FROM_NOW);
    round.await("live", viewer -> viewer.has("live"));
    round.leave();
    round.open(
        stage::live,
        records.filter(),
        row -> headers("since", round.viewer(row).positions().replaceAll("\\.\\d+-", ".1-")));
    round.await("live again", viewer -> viewer.has("live"));
    round.check(
        viewer ->
            viewer.completeness().equals(List.of(false))
                ? exactly(viewer, records.newest())
                : "resumed: " + viewer.completeness());
    round.leave();
    return round.problems();
  }

  Map<Row, String> latest() throws Exception {
    Round round = new Round("latest", stage.rows());
    Numbered records = new Numbered(stage.inside(), "latest", 1);
    round.open(
        stage::live,
        records.filter(),
        row -> headers("since", "", "mode", "latest", "maxRate", "5"));
    round.await("live", viewer -> viewer.has("live"));
    for (int i = 0; i < 10; i++) {
      records.publish(30);
    }
    round.await("the newest record", viewer -> hasAll(viewer, records.newest()));
    round.check(
        viewer ->
            viewer.ids().size() > 150
                ? "not at most 5 a second but " + viewer.ids().size()
                : String.join(", ", viewer.disordered()));
    round.leave();
    return round.problems();
  }

  /** The owner of all shards stands still, and goes on. */
  Map<Row, String> stale() throws Exception {
    Round round = new Round("stale", stage.rows());
    Numbered records = numbered("stale");
    round.open(stage::live, records.filter(), FROM_NOW);
    round.await("live", viewer -> viewer.has("live"));
    stage.inside().freeze();
    try {
      round.await("told that the feed is stale", viewer -> viewer.has("stale"));
    } finally {
      stage.inside().thaw();
    }
    round.await("told that it is fresh", viewer -> viewer.has("fresh"));
    records.publish(40);
    round.await("all records", viewer -> hasAll(viewer, records.all()));
    round.check(viewer -> viewer.has("close") ? "it was cut off" : "");
    round.leave();
    return round.problems();
  }

  /** One topic falls silent for longer than it may, and is back. */
  Map<Row, String> silent() throws Exception {
    Round round = new Round("silent", stage.rows());
    Numbered records = new Numbered(stage.inside(), "silent", 1);
    round.open(stage::live, records.filter(), FROM_NOW);
    round.await("live", viewer -> viewer.has("live"));
    records.publish(1);
    round.await("told that the topic is silent", viewer -> topics(viewer, "stale").equals(TOLD));
    records.publish(1);
    round.await("told that it is back", viewer -> topics(viewer, "fresh").equals(TOLD));
    round.await("both records", viewer -> hasAll(viewer, records.all()));
    round.leave();
    return round.problems();
  }

  /** Topics that a word was said of. */
  private static List<String> topics(Watcher viewer, String word) {
    return viewer.all(word).stream()
        .map(one -> one.getJsonObject("headers", new JsonObject()).getString("topic", ""))
        .toList();
  }

  /** The node ends in order: viewers are told, come back to the other one, and miss nothing. */
  Map<Row, String> drain() throws Exception {
    Round round = new Round("drain", stage.rows());
    Numbered records = numbered("drain");
    round.open(stage::both, records.filter(), FROM_NOW);
    round.await("live", viewer -> viewer.has("live"));
    records.publish(40);
    stage.front().terminate();
    for (int i = 0; i < 10; i++) {
      records.publish(10);
    }
    round.await("back at the other node", viewer -> viewer.all("live").size() > 1);
    records.publish(40);
    round.await("all records", viewer -> hasAll(viewer, records.all()));
    round.check(Guarantees::goneInOrder);
    round.leave();
    return round.problems();
  }

  private static String goneInOrder(Watcher viewer) {
    List<Integer> codes =
        viewer.all("err").stream().map(one -> one.getInteger("failureCode")).toList();
    return codes.equals(List.of(3001)) && !viewer.completeness().contains(false)
        ? String.join(", ", viewer.disordered())
        : "told " + codes + ", resumed " + viewer.completeness();
  }
}
