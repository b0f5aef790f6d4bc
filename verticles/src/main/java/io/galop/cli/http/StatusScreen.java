package io.galop.cli.http;

import static java.time.temporal.ChronoUnit.SECONDS;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Lays out two answers of {@code GET /status} for people; what a node does not run is left out. */
final class StatusScreen {
  private static final JsonObject NOTHING = new JsonObject();
  private final JsonObject before;
  private final JsonObject now;
  private final double seconds;
  private final List<String> lines = new ArrayList<>();

  /**
   * @param before an earlier answer, or the same: then there are no rates
   */
  StatusScreen(JsonObject before, JsonObject now) {
    this.before = before;
    this.now = now;
    this.seconds = (now.getLong("timeMs") - before.getLong("timeMs")) / 1000.0;
  }

  List<String> lines() {
    head();
    members();
    listeners();
    tls();
    records();
    if (now.containsKey("polled")) {
      polled();
    }
    if (now.containsKey("log")) {
      log();
      sinks();
      feed();
    }
    if (now.containsKey("browsers")) {
      browsers();
    }
    verticles();
    return lines;
  }

  private void head() {
    Duration up = Duration.ofMillis(now.getLong("uptimeMs"));
    lines.add(
        "%s is %s, up %d:%02d:%02d"
            .formatted(
                now.getString("node"),
                state(),
                up.toHours(),
                up.toMinutesPart(),
                up.toSecondsPart()));
    now.getJsonObject("reasons")
        .forEach(reason -> line("why", since(reason.getKey()) + reason.getValue()));
    now.getJsonObject("warnings", NOTHING)
        .forEach(warning -> line("warning", since(warning.getKey()) + warning.getValue()));
    JsonObject headroom = now.getJsonObject("headroom", NOTHING);
    if (headroom.containsKey("next")) {
      line("headroom", HeadroomCommand.words(headroom));
    }
  }

  private String state() {
    if (!now.getBoolean("ready")) {
      return "NOT READY";
    }
    return conditions().anyMatch(one -> one.getString("level").equals("refusing"))
        ? "ready for viewers and REFUSES RECORDS"
        : "ready";
  }

  private Stream<JsonObject> conditions() {
    return objects(now.getJsonArray("conditions", new JsonArray())).stream();
  }

  /** The part, and since when it has been so. */
  private String since(String part) {
    return conditions()
        .filter(one -> one.getString("part").equals(part))
        .map(one -> " since " + Instant.parse(one.getString("since")).truncatedTo(SECONDS))
        .findFirst()
        .map(when -> part + when + ": ")
        .orElse(part + ": ");
  }

  private void line(String title, String text) {
    lines.add("  %-10s %s".formatted(title, text));
  }

  private void members() {
    String self = now.getString("node");
    for (JsonObject member : objects(now.getJsonArray("members"))) {
      String roles = words(member.getJsonArray("roles"));
      String name = member.getString("name");
      line(
          name.equals(self) ? "this node" : "node",
          "%s: %s; owns %d shards".formatted(name, roles, member.getLong("shards")));
    }
  }

  private void listeners() {
    line(
        "listeners",
        now.getJsonObject("listeners").stream()
            .map(listener -> listener.getKey() + " " + listener.getValue())
            .collect(Collectors.joining(", ")));
  }

  private void tls() {
    for (JsonObject one : objects(now.getJsonArray("tls", new JsonArray()))) {
      line(
          "TLS",
          "%s: certificate of %s, valid until %s"
              .formatted(
                  one.getString("listener"), one.getString("certificate"), one.getString("until")));
    }
  }

  private void records() {
    line(
        "records",
        Stream.of("taken", "acknowledged", "rejected", "enriched", "placed")
            .map(what -> what + " " + count("records", what))
            .collect(Collectors.joining(", ")));
    line("scripts", "dead letters " + count("records", "deadLetters"));
    for (JsonObject script : objects(now.getJsonArray("scripts", new JsonArray()))) {
      JsonObject candidate = ScriptAnswers.candidate(script);
      String trial =
          candidate.isEmpty()
              ? ""
              : "; %s is %s"
                  .formatted(candidate.getString("version"), ScriptAnswers.phase(candidate));
      line("script", script.getString("file") + " " + script.getString("version") + trial);
    }
  }

  private void log() {
    JsonObject log = now.getJsonObject("log");
    String text =
        "%,d MB in %d segments, %,d bytes wait for the disk"
            .formatted(
                log.getLong("bytes") / 1_000_000,
                log.getLong("segments"),
                log.getLong("queueBytes"));
    String full = log.getBoolean("overQuota") ? "; OVER QUOTA, records are refused" : "";
    String damaged =
        log.getLong("damaged") > 0 ? "; %d DAMAGED ranges".formatted(log.getLong("damaged")) : "";
    line("Log", text + full + damaged);
  }

  private void polled() {
    for (JsonObject source : objects(now.getJsonArray("polled"))) {
      String counts =
          Stream.of("changed", "unchanged", "failed", "topics")
              .map(what -> what + " " + source.getLong(what))
              .collect(Collectors.joining(", "));
      String state =
          source.getBoolean("asking")
              ? "%.1f s old, ".formatted(source.getDouble("ageSeconds")) + counts
              : "polled by another node";
      line("polled", source.getString("name") + ": " + state);
    }
  }

  private void sinks() {
    for (JsonObject sink : objects(now.getJsonArray("sinks"))) {
      String lag =
          Stream.of(
                  lag(sink, "lagRecords", "records"),
                  lag(sink, "lagBytes", "bytes"),
                  lag(sink, "lagSeconds", "s"))
              .filter(text -> !text.isEmpty())
              .collect(Collectors.joining(", "));
      String counts =
          Stream.of("stored", "retries", "deadLetters")
              .filter(sink::containsKey)
              .map(what -> ", " + inWords(what) + " " + count(sink, sameIn("sinks", sink), what))
              .collect(Collectors.joining());
      line("sink", sink.getString("name") + ": behind " + lag + counts);
    }
  }

  private static String lag(JsonObject sink, String field, String unit) {
    if (!sink.containsKey(field)) {
      return "";
    }
    Number lag = sink.getNumber(field);
    return lag instanceof Double
        ? String.format(Locale.ROOT, "%,.1f %s", lag.doubleValue(), unit)
        : String.format(Locale.ROOT, "%,d %s", lag.longValue(), unit);
  }

  private static String inWords(String field) {
    return field.equals("deadLetters") ? "dead letters" : field;
  }

  /** The one of the same name in the earlier answer; itself where there was none. */
  private JsonObject sameIn(String list, JsonObject one) {
    return objects(before.getJsonArray(list, new JsonArray())).stream()
        .filter(other -> other.getString("name").equals(one.getString("name")))
        .findFirst()
        .orElse(one);
  }

  private void feed() {
    line(
        "feed",
        "%,d followers, the slowest %,d records behind; dropped %s"
            .formatted(
                now.getJsonObject("feed").getLong("followers"),
                now.getJsonObject("feed").getLong("lagRecords"),
                count("feed", "dropped")));
  }

  private void browsers() {
    line(
        "browsers",
        "%,d connections, records sent %s, disconnected %s"
            .formatted(
                now.getJsonObject("browsers").getLong("connections"),
                count("browsers", "sent"),
                count("browsers", "disconnects")));
  }

  private void verticles() {
    for (JsonObject verticle : objects(now.getJsonArray("verticles", new JsonArray()))) {
      String counts =
          Stream.of("published", "rejected", "consumed", "dropped", "errors")
              .map(what -> what + " " + count(verticle, sameIn("verticles", verticle), what))
              .collect(Collectors.joining(", "));
      line(
          "verticle",
          "%s: instances %d, %s"
              .formatted(verticle.getString("name"), verticle.getLong("instances"), counts));
    }
  }

  private String count(String section, String field) {
    return count(
        now.getJsonObject(section, NOTHING), before.getJsonObject(section, NOTHING), field);
  }

  /** A count, and how fast it grows; a node that was started in between has no rate. */
  private String count(JsonObject section, JsonObject sectionBefore, String field) {
    long count = section.getLong(field, 0L);
    long grown = count - sectionBefore.getLong(field, 0L);
    return seconds > 0 && grown > 0
        ? String.format(Locale.ROOT, "%,d (%,.0f/s)", count, grown / seconds)
        : String.format(Locale.ROOT, "%,d", count);
  }

  private static String words(JsonArray words) {
    return words.stream().map(Object::toString).collect(Collectors.joining(", "));
  }

  private static List<JsonObject> objects(JsonArray array) {
    return array.stream().map(JsonObject.class::cast).toList();
  }
}
