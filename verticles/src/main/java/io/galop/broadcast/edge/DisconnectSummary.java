package io.galop.broadcast.edge;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What became of an order to send a viewer away, put together from the answers of nodes and of the
 * relays that they dial. A relay that several nodes dial is one; it has followed the order if it
 * did so for any of them.
 */
final class DisconnectSummary {
  private final JsonArray nodes = new JsonArray();
  private final JsonArray unanswered = new JsonArray();
  private final JsonArray unsaved = new JsonArray();

  /** Of all nodes, as they have said it. */
  private final List<JsonObject> relays = new ArrayList<>();

  private int ended;
  private boolean asksForTokens;

  /** A node has answered; see {@link io.galop.bus.ViewerLane#disconnect}. */
  void add(String node, JsonObject answer) {
    followed(nodes, node, answer);
    answer.getJsonArray("relays", new JsonArray()).forEach(relay -> relays.add((JsonObject) relay));
  }

  /** A node has not answered. */
  void addFailure(String node, String why) {
    unanswered.add(new JsonObject().put("node", node).put("why", why));
  }

  private void followed(JsonArray among, String name, JsonObject answer) {
    int here = answer.getInteger("ended");
    ended += here;
    asksForTokens |= answer.getBoolean("asksForTokens");
    among.add(new JsonObject().put("node", name).put("ended", here));
    if (!answer.getBoolean("saved")) {
      unsaved.add(name);
    }
  }

  /** To be called once, at the end. */
  JsonObject toJson(String subject, long beforeMs) {
    JsonArray byRelay = new JsonArray();
    relaysByName().forEach((name, answers) -> addRelay(byRelay, name, answers));
    return new JsonObject()
        .put("subject", subject)
        .put("before", Instant.ofEpochMilli(beforeMs).toString())
        .put("ended", ended)
        .put("nodes", nodes)
        .put("relays", byRelay)
        .put("unanswered", unanswered)
        .put("unsaved", unsaved);
  }

  /** Whether the order had any sense: somebody has tokens to refuse, or could not be asked. */
  boolean hasSense() {
    return asksForTokens || !unanswered.isEmpty();
  }

  /** A relay that has never been heard has no name: then it is its address. */
  private Map<String, List<JsonObject>> relaysByName() {
    Map<String, String> names = new HashMap<>();
    for (JsonObject relay : relays) {
      if (!relay.getString("node").isEmpty()) {
        names.put(relay.getString("relay"), relay.getString("node"));
      }
    }
    Map<String, List<JsonObject>> byName = new TreeMap<>();
    for (JsonObject relay : relays) {
      String own = relay.getString("node");
      String address = relay.getString("relay");
      String name = own.isEmpty() ? names.getOrDefault(address, address) : own;
      byName.computeIfAbsent(name, first -> new ArrayList<>()).add(relay);
    }
    return byName;
  }

  private void addRelay(JsonArray byRelay, String name, List<JsonObject> answers) {
    List<JsonObject> done = answers.stream().filter(one -> !one.containsKey("why")).toList();
    if (done.isEmpty()) {
      addFailure(name, answers.get(0).getString("why"));
      return;
    }
    followed(
        byRelay,
        name,
        new JsonObject()
            .put("ended", done.stream().mapToInt(one -> one.getInteger("ended")).sum())
            .put("saved", done.stream().allMatch(one -> one.getBoolean("saved")))
            .put("asksForTokens", done.get(0).getBoolean("asksForTokens")));
  }
}
