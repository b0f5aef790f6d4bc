package io.galop.cli.http;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An answer of {@code GET /explain} in words, for a terminal. Pure functions. */
final class ExplainText {
  private ExplainText() {}

  static List<String> lines(JsonObject answer) {
    List<String> lines = new ArrayList<>();
    JsonArray records = answer.getJsonArray("records");
    if (records.isEmpty()) {
      lines.add("%s: not known, because %s".formatted(id(answer), answer.getString("because")));
    }
    objects(records).forEach(record -> add(record, lines));
    if (answer.containsKey("next")) {
      lines.add("there are more: --next " + answer.getString("next"));
    }
    objects(answer.getJsonArray("unanswered"))
        .forEach(
            node ->
                lines.add(
                    "NO ANSWER from %s: %s"
                        .formatted(node.getString("node"), node.getString("why"))));
    return lines;
  }

  private static String id(JsonObject answer) {
    String topic = answer.getString("topic", "");
    return topic.isEmpty() ? answer.getString("id") : answer.getString("id") + " on " + topic;
  }

  private static Stream<JsonObject> objects(JsonArray all) {
    return all.stream().map(JsonObject.class::cast);
  }

  private static void add(JsonObject record, List<String> lines) {
    lines.add(record.getString("id") + " on " + record.getString("topic"));
    put(lines, "event time", record.getString("time"));
    int times = record.getInteger("timesPlaced", 1);
    String again = times > 1 ? ", the last of " + times + " under its id" : "";
    put(lines, "position", record.getString("pos") + again);
    put(lines, "owner", known(record.getJsonObject("owner"), ExplainText::owner));
    put(lines, "taken", known(record.getJsonObject("taken"), ExplainText::taken));
    put(lines, "placed", known(record.getJsonObject("placed"), at -> at.getString("time")));
    put(lines, "on disk", logged(record.getJsonObject("logged")));
    JsonArray memory = record.getJsonArray("inMemory");
    put(lines, "in memory", memory.isEmpty() ? "of no node" : "of " + joined(memory));
    objects(record.getJsonArray("stores")).forEach(one -> put(lines, "store", store(one)));
    objects(record.getJsonArray("shown")).forEach(one -> put(lines, "shown", shown(one)));
    steps(record.getJsonObject("steps")).forEach(one -> put(lines, "steps", one));
    put(lines, "raw", known(record.getJsonObject("raw"), raw -> "the data is what was published"));
    put(
        lines,
        "data",
        record.getString("data") + (record.getBoolean("dataCut") ? "… (there is more)" : ""));
  }

  private static void put(List<String> lines, String name, String what) {
    lines.add("  %-10s %s".formatted(name, what));
  }

  private interface Words {
    String of(JsonObject known);
  }

  private static String known(JsonObject fact, Words words) {
    if (fact.getBoolean("known", true)) {
      return words.of(fact);
    }
    String bound =
        fact.containsKey("notAfter") ? " (not after " + fact.getString("notAfter") + ")" : "";
    return "not known, because " + fact.getString("because") + bound;
  }

  private static String joined(JsonArray words) {
    return words.stream().map(String::valueOf).collect(Collectors.joining(", "));
  }

  private static String owner(JsonObject owner) {
    return "%s, of shard %d"
        .formatted(joined(owner.getJsonArray("nodes")), owner.getInteger("shard"));
  }

  private static String taken(JsonObject taken) {
    String trace = taken.containsKey("trace") ? ", in the trace " + taken.getString("trace") : "";
    return "by the door %s of %s with its Batch at %s%s"
        .formatted(
            taken.getString("door"), taken.getString("node"), taken.getString("time"), trace);
  }

  private static String logged(JsonObject logged) {
    String at = known(logged, one -> one.getString("time"));
    if (!logged.containsKey("onDisk")) {
      return at;
    }
    return (logged.getBoolean("onDisk") ? "yes; when: " : "not yet; when: ") + at;
  }

  private static String store(JsonObject store) {
    String has =
        known(store, one -> one.getBoolean("holds") ? "has it" : "has it not: " + why(one));
    return "%s of %s: %s; behind the Log by about %d records, %d bytes, cursor %s"
        .formatted(
            store.getString("store"),
            store.getString("node"),
            has,
            store.getLong("lagRecords"),
            store.getLong("lagBytes"),
            store.getString("cursor"));
  }

  private static String why(JsonObject store) {
    return store.getString("because", "");
  }

  private static String shown(JsonObject shown) {
    return "%s: fed %s; %d registrations watch the topic now, %d of them its newest value only; %s; %s"
        .formatted(
            shown.getString("node"),
            known(shown.getJsonObject("fed"), at -> at.getString("time")),
            shown.getInteger("registrations"),
            shown.getInteger("newestOnly"),
            reach(shown.getJsonObject("reach")),
            newer(shown.getValue("newer")));
  }

  /** A node of an older version does not say it. */
  private static String reach(@Nullable JsonObject reach) {
    return reach == null
        ? "to whom it went is not known"
        : known(
            reach,
            to ->
                "sent to %d, leaving to %d, waiting for %d, not known of %d; %s"
                    .formatted(
                        to.getInteger("sent"),
                        to.getInteger("leaving"),
                        to.getInteger("waiting"),
                        to.getInteger("unknown"),
                        written(to)));
  }

  private static String written(JsonObject reach) {
    JsonObject written = reach.getJsonObject("written");
    if (written == null || written.containsKey("because")) {
      String when = written == null ? "not known" : known(written, none -> "");
      return "when it was written to sockets: " + when;
    }
    int others = reach.getInteger("sent") - written.getInteger("registrations");
    return "written to the sockets of %d from %s to %s%s"
        .formatted(
            written.getInteger("registrations"),
            written.getString("first"),
            written.getString("last"),
            others == 0 ? "" : ", of the other %d it is not known when".formatted(others));
  }

  /** Whether a viewer that is behind may have been shown a newer value instead. */
  private static String newer(Object newer) {
    if (newer instanceof JsonObject unknown) {
      return known(unknown, none -> "");
    }
    return String.valueOf(newer).isEmpty()
        ? "it is the newest value"
        : "conflated for those who are behind by the newer value " + newer;
  }

  private static List<String> steps(JsonObject steps) {
    if (!steps.containsKey("nodes")) {
      return List.of(known(steps, none -> ""));
    }
    List<String> lines = new ArrayList<>();
    objects(steps.getJsonArray("nodes"))
        .map(node -> node.getString("node") + ": " + chain(node.getJsonArray("steps")))
        .forEach(lines::add);
    if (steps.containsKey("enrichedBy")) {
      lines.add("by which node: " + known(steps.getJsonObject("enrichedBy"), none -> ""));
    }
    return lines;
  }

  private static String chain(JsonArray steps) {
    return steps.isEmpty()
        ? "none for the topic now"
        : objects(steps).map(ExplainText::step).collect(Collectors.joining(", next "));
  }

  private static String step(JsonObject step) {
    String now =
        Stream.of("step", "file", "table", "version")
            .filter(step::containsKey)
            .map(step::getString)
            .collect(Collectors.joining(" "));
    return step.containsKey("then") ? now + " now, " + then(step.getJsonObject("then")) : now;
  }

  private static String then(JsonObject then) {
    if (!then.containsKey("versions")) {
      return "then " + known(then, one -> one.getString("version"));
    }
    return "then one of %s: %s"
        .formatted(joined(then.getJsonArray("versions")), then.getString("because"));
  }
}
