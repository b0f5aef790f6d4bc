package io.galop.ops.cluster;

import io.galop.node.AskedRecord;
import io.galop.ops.cluster.ClusterReports.Answers;
import io.galop.ops.cluster.ClusterReports.Unanswered;
import io.galop.record.Topic;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Which record is to be explained.
 *
 * @param topic empty for any
 * @param limit most records of an answer
 * @param afterTopic of the last record of the page before; empty for the first page
 * @param fromUs first event time that stores are searched for
 * @param toUs the last one
 */
record ExplainQuery(
    String id, String topic, int limit, String afterTopic, String afterId, long fromUs, long toUs) {
  private static final int MOST_RECORDS = 50;
  private static final int MOST_HOURS = 24 * 366;
  private static final int LONGEST = 4_096;
  private static final char BETWEEN = '\0';

  /** Clocks of publishers may be ahead. */
  private static final long AHEAD_HOURS = 24;

  /**
   * The one of a request.
   *
   * @throws IllegalArgumentException naming the parameter and what it may be
   */
  static ExplainQuery of(Map<String, String> parameters, long nowMs) {
    String id = parameters.getOrDefault("id", "");
    if (id.isEmpty() || id.length() > LONGEST) {
      throw new IllegalArgumentException("id must be that of a record");
    }
    String topic = parameters.getOrDefault("topic", "");
    String wrong = topic.isEmpty() ? "" : Topic.check(topic, LONGEST);
    if (!wrong.isEmpty()) {
      throw new IllegalArgumentException("topic " + wrong);
    }
    int hours = number(parameters, "hours", "24", MOST_HOURS);
    String[] after = after(parameters.getOrDefault("next", ""));
    return new ExplainQuery(
        id,
        topic,
        number(parameters, "limit", "10", MOST_RECORDS),
        after[0],
        after[1],
        TimeUnit.MILLISECONDS.toMicros(nowMs - TimeUnit.HOURS.toMillis(hours)),
        TimeUnit.MILLISECONDS.toMicros(nowMs + TimeUnit.HOURS.toMillis(AHEAD_HOURS)));
  }

  private static int number(Map<String, String> parameters, String name, String normal, int most) {
    String text = parameters.getOrDefault(name, normal);
    if (text.matches("[1-9][0-9]{0,4}") && Integer.parseInt(text) <= most) {
      return Integer.parseInt(text);
    }
    throw new IllegalArgumentException(name + " must be a whole number from 1 to " + most);
  }

  private static String[] after(String next) {
    if (next.isEmpty()) {
      return new String[] {"", ""};
    }
    try {
      String text = new String(Base64.getUrlDecoder().decode(next), StandardCharsets.UTF_8);
      int at = text.indexOf(BETWEEN);
      return new String[] {text.substring(0, at), text.substring(at + 1)};
    } catch (IllegalArgumentException | StringIndexOutOfBoundsException wrong) {
      throw new IllegalArgumentException("next must be that of the page before", wrong);
    }
  }

  /** The question for what is in memory: one more tells whether there is another page. */
  Map<String, String> inMemory() {
    Map<String, String> question = new HashMap<>();
    question.put("id", id);
    question.put("topic", topic);
    question.put("limit", Integer.toString(Math.min(AskedRecord.MOST, limit + 1)));
    question.put("afterTopic", afterTopic);
    question.put("afterId", afterId);
    return question;
  }

  /** Without a topic a store would have to be read as a whole; it has one page only. */
  boolean mayBeInStores() {
    return !topic.isEmpty() && afterTopic.isEmpty();
  }

  /** The question for what is in stores. */
  Map<String, String> inStores() {
    return Map.of(
        "id", id, "topic", topic, "fromUs", Long.toString(fromUs), "toUs", Long.toString(toUs));
  }

  /** The answer with records. */
  JsonObject answer(JsonObject explained, FoundRecords findings, Answers inMemory) {
    JsonObject answer = new JsonObject().put("id", id);
    if (!topic.isEmpty()) {
      answer.put("topic", topic);
    }
    Map<String, Unanswered> unanswered = new TreeMap<>(inMemory.unanswered());
    explained
        .getJsonArray("unanswered")
        .forEach(
            one ->
                unanswered.put(
                    ((JsonObject) one).getString("node"), Unanswered.of((JsonObject) one)));
    answer.put("records", explained.getJsonArray("records"));
    if (findings.hasMore()) {
      AskedRecord last = findings.all().get(findings.all().size() - 1).record();
      byte[] next = (last.topic() + BETWEEN + last.id()).getBytes(StandardCharsets.UTF_8);
      answer.put("next", Base64.getUrlEncoder().withoutPadding().encodeToString(next));
    }
    return answer.put("unanswered", Answers.unanswered(unanswered));
  }

  /** The answer without a record, and why it may have none. */
  JsonObject notFound(Answers inMemory, Answers searched, boolean isOfRelay) {
    Map<String, Unanswered> unanswered = new TreeMap<>(inMemory.unanswered());
    unanswered.putAll(searched.unanswered());
    JsonObject answer = new JsonObject().put("id", id);
    if (!topic.isEmpty()) {
      answer.put("topic", topic);
    }
    return answer
        .put("records", new JsonArray())
        .put("because", because(searched, isOfRelay))
        .put("unanswered", Answers.unanswered(unanswered));
  }

  private String because(Answers searched, boolean isOfRelay) {
    if (isOfRelay) {
      return "this is a relay, which asks no node inside; ask one of those";
    }
    if (!mayBeInStores()) {
      return "no node has it in memory; give its topic, and the stores are searched too";
    }
    StringBuilder gaps = new StringBuilder();
    searched
        .given()
        .forEach(
            (node, answer) ->
                answer.getJsonArray("stores").forEach(one -> gap(gaps, node, (JsonObject) one)));
    return "no node has it in memory, and no store has it with an event time in the hours that were"
        + " searched: it was never taken, or refused, dropped, deleted, or has another time"
        + gaps;
  }

  private static void gap(StringBuilder gaps, String node, JsonObject store) {
    if (store.containsKey("why")) {
      gaps.append("; the store ").append(store.getString("store")).append(" of ").append(node);
      gaps.append(" gave no answer: ").append(store.getString("why"));
    } else if (!store.getBoolean("whole")) {
      gaps.append("; the store ").append(store.getString("store")).append(" of ").append(node);
      gaps.append(" was searched back to ");
      gaps.append(Instant.ofEpochMilli(TimeUnit.MICROSECONDS.toMillis(store.getLong("reachedUs"))));
      gaps.append(" only: it has too many records of the topic; give fewer hours");
    }
  }
}
