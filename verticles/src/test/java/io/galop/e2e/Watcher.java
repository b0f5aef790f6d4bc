package io.galop.e2e;

import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** One viewer of a {@link Crowd}, and all that it was told, in the order of its arrival. */
final class Watcher {
  private final String name;
  private final String transport;
  private final List<JsonObject> messages = new ArrayList<>();

  Watcher(String name, String transport) {
    this.name = name;
    this.transport = transport;
  }

  String name() {
    return name;
  }

  String transport() {
    return transport;
  }

  synchronized void onMessage(JsonObject message) {
    messages.add(message);
  }

  /** All messages. */
  synchronized List<JsonObject> all() {
    return List.copyOf(messages);
  }

  /** All messages of a type. */
  List<JsonObject> all(String type) {
    return all().stream().filter(message -> type.equals(message.getString("type"))).toList();
  }

  boolean has(String type) {
    return !all(type).isEmpty();
  }

  /** Ids of the records seen, as often and in the order in which they were seen. */
  List<String> ids() {
    return all("rec").stream().map(one -> one.getJsonObject("body").getString("id")).toList();
  }

  /** Ids of the records seen, each once. */
  TreeSet<String> seen() {
    return new TreeSet<>(ids());
  }

  /** What {@code resumed} said, in order. */
  List<Boolean> completeness() {
    return all("resumed").stream().map(one -> one.getBoolean("complete")).toList();
  }

  /** The newest Position of each shard, as {@code since} takes them. */
  String positions() {
    Map<String, String> newest = new HashMap<>();
    for (JsonObject message : all()) {
      String text = message.getJsonObject("headers", message).getString("pos", "");
      for (String position : text.split(",")) {
        if (!position.isEmpty()) {
          newest.put(position.substring(0, position.indexOf('.')), position);
        }
      }
    }
    return String.join(",", newest.values());
  }

  /** Topics whose records came in another order than that of their numbers. */
  synchronized List<String> disordered() {
    Map<String, Integer> last = new HashMap<>();
    List<String> wrong = new ArrayList<>();
    for (JsonObject message : all("rec")) {
      String topic = message.getJsonObject("headers").getString("topic");
      int number = message.getJsonObject("body").getJsonObject("data").getInteger("n");
      Integer before = last.put(topic, number);
      if (before != null && before >= number) {
        wrong.add(topic + ": " + number + " after " + before);
      }
    }
    return wrong;
  }

  /** Which records it lacks, and everything else that it was told. */
  String missing(Set<String> expected) {
    TreeSet<String> missing = new TreeSet<>(expected);
    missing.removeAll(seen());
    List<JsonObject> words =
        all().stream().filter(one -> !"rec".equals(one.getString("type"))).toList();
    return "%s lacks %d of %d: %s; it was told %s"
        .formatted(name, missing.size(), expected.size(), missing, words);
  }

  @Override
  public String toString() {
    List<JsonObject> all = all();
    return name + " was told " + all.subList(Math.max(0, all.size() - 5), all.size());
  }
}
