package io.galop.alarm;

import io.galop.alarm.AlarmState.Word;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The alarms that somebody asked for, what matters most before the others, and a line for each
 * rule: <code>
 * {"alarms":[…],"groups":[{"rule":…,"severity":…,"count":n,"unacknowledged":n}],"left":n}</code>.
 */
final class AlarmList {
  /** As many are shown unless somebody asks for another number. */
  static final int USUAL_LIMIT = 1_000;

  /** More are never shown at once. */
  static final int MOST = 10_000;

  private static final Comparator<JsonObject> ORDER =
      Comparator.<JsonObject>comparingInt(one -> rank(one.getString("state")))
          .thenComparingInt(one -> severity(one.getString("severity")))
          .thenComparing(one -> -one.getLong("since"))
          .thenComparing(one -> one.getString("id"));

  private AlarmList() {}

  /**
   * What is asked for.
   *
   * @param state only these; empty: all
   * @param rule only of this rule; empty: all
   */
  record Query(Optional<Word> state, String rule, int limit) {
    /**
     * Out of the parameters of a request.
     *
     * @throws IllegalArgumentException naming the parameter and what it may be
     */
    static Query of(Map<String, String> parameters) {
      String state = parameters.getOrDefault("state", "");
      Optional<Word> word =
          Arrays.stream(Word.values()).filter(one -> one.word().equals(state)).findFirst();
      if (!state.isEmpty() && word.filter(one -> one != Word.NORMAL).isEmpty()) {
        throw new IllegalArgumentException(
            "state must be unacknowledged, acknowledged, returned, shelved or suppressed");
      }
      return new Query(word, parameters.getOrDefault("rule", ""), limit(parameters));
    }

    private static int limit(Map<String, String> parameters) {
      String text = parameters.getOrDefault("limit", String.valueOf(USUAL_LIMIT));
      if (!text.matches("\\d{1,5}") || Integer.parseInt(text) > MOST) {
        throw new IllegalArgumentException("limit must be a number from 0 to " + MOST);
      }
      return Integer.parseInt(text);
    }

    /** The same as texts by the names of {@link #of}. */
    JsonObject json() {
      return new JsonObject()
          .put("state", state.map(Word::word).orElse(""))
          .put("rule", rule)
          .put("limit", String.valueOf(limit));
    }

    private boolean wants(AlarmState alarm) {
      return (state.isEmpty() || state.get() == alarm.word())
          && (rule.isEmpty() || rule.equals(alarm.rule()));
    }
  }

  private static int rank(String state) {
    return Word.valueOf(state.toUpperCase(Locale.ROOT)).ordinal();
  }

  private static int severity(String word) {
    return List.of("critical", "high", "medium", "low").indexOf(word);
  }

  /** Those of a node. */
  static JsonObject of(Query query, Consumer<Consumer<AlarmState>> standing) {
    List<AlarmState> found = new ArrayList<>();
    standing.accept(
        alarm -> {
          if (query.wants(alarm)) {
            found.add(alarm);
          }
        });
    Map<String, JsonObject> groups = new HashMap<>();
    found.forEach(
        alarm -> add(groups, alarm.rule(), alarm.severity().word(), 1, alarm.isDue() ? 1 : 0));
    List<JsonObject> shown =
        found.stream().sorted(STATES).limit(query.limit()).map(AlarmRecord::json).toList();
    return answer(shown, groups, found.size() - shown.size());
  }

  private static final Comparator<AlarmState> STATES =
      Comparator.comparing(AlarmState::word)
          .thenComparing(AlarmState::severity)
          .thenComparing(one -> -one.sinceMs())
          .thenComparing(AlarmState::id);

  private static void add(
      Map<String, JsonObject> groups, String rule, String severity, int count, int due) {
    JsonObject group =
        groups.computeIfAbsent(
            rule,
            name ->
                new JsonObject()
                    .put("rule", name)
                    .put("severity", severity)
                    .put("count", 0)
                    .put("unacknowledged", 0));
    group.put("count", group.getInteger("count") + count);
    group.put("unacknowledged", group.getInteger("unacknowledged") + due);
  }

  /** Those of several nodes in one. */
  static JsonObject join(int limit, List<JsonObject> answers) {
    Map<String, JsonObject> alarms = new HashMap<>();
    Map<String, JsonObject> groups = new HashMap<>();
    int left = 0;
    for (JsonObject answer : answers) {
      left += answer.getInteger("left");
      for (Object one : answer.getJsonArray("alarms")) {
        JsonObject alarm = (JsonObject) one;
        // Two owners may both answer for a moment: the newer state counts.
        alarms.merge(
            alarm.getString("id"),
            alarm,
            (a, b) -> a.getLong("changed") >= b.getLong("changed") ? a : b);
      }
      for (Object one : answer.getJsonArray("groups")) {
        JsonObject group = (JsonObject) one;
        add(
            groups,
            group.getString("rule"),
            group.getString("severity"),
            group.getInteger("count"),
            group.getInteger("unacknowledged"));
      }
    }
    List<JsonObject> shown = alarms.values().stream().sorted(ORDER).limit(limit).toList();
    return answer(shown, groups, left + alarms.size() - shown.size());
  }

  private static JsonObject answer(
      List<JsonObject> alarms, Map<String, JsonObject> groups, int left) {
    List<JsonObject> byRule =
        groups.values().stream()
            .sorted(
                Comparator.<JsonObject>comparingInt(group -> severity(group.getString("severity")))
                    .thenComparing(group -> -group.getInteger("count"))
                    .thenComparing(group -> group.getString("rule")))
            .toList();
    return new JsonObject()
        .put("alarms", new JsonArray(alarms))
        .put("groups", new JsonArray(byRule))
        .put("left", left);
  }
}
