package io.galop.ops.cluster;

import io.galop.node.AskedRecord;
import io.galop.ops.cluster.ClusterReports.Answers;
import io.galop.ops.cluster.ClusterReports.Unanswered;
import io.galop.ops.cluster.FoundRecords.Finding;
import io.galop.record.DerivedId;
import io.galop.record.Position;
import io.galop.record.Record;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Puts together what all nodes say of records. What nobody can say is {@code
 * {"known":false,"because":…}}. Pure functions.
 *
 * @param topic that was asked for; empty for any
 * @param facts answers of {@code explain/shard/<n>} by shard
 * @param stores answers of {@code explain/stores}
 * @param shown answers of {@code explain/shown}
 * @param steps answers of {@code explain/steps} by raw topic
 * @param names of nodes by their ids
 */
record Explanation(
    String topic,
    FoundRecords findings,
    Map<Integer, Answers> facts,
    Answers stores,
    Answers shown,
    Map<String, Answers> steps,
    Map<String, String> names) {

  static JsonObject unknown(String because) {
    return new JsonObject().put("known", false).put("because", because);
  }

  /** {@code {"records":[…],"unanswered":[…]}}. */
  JsonObject json() {
    JsonArray records = new JsonArray();
    Map<Integer, Integer> ofShard = new TreeMap<>();
    for (int i = 0; i < findings.all().size(); i++) {
      Finding one = findings.all().get(i);
      int inShard = ofShard.merge(one.record().position().shard(), 1, Integer::sum) - 1;
      records.add(record(one, i, inShard));
    }
    return new JsonObject().put("records", records).put("unanswered", unanswered());
  }

  /** Of each node once, whatever it was asked. */
  private JsonArray unanswered() {
    Map<String, Unanswered> all = new TreeMap<>(stores.unanswered());
    all.putAll(shown.unanswered());
    facts.values().forEach(answers -> all.putAll(answers.unanswered()));
    steps.values().forEach(answers -> all.putAll(answers.unanswered()));
    return Answers.unanswered(all);
  }

  private JsonObject record(Finding one, int index, int inShard) {
    AskedRecord asked = one.record();
    JsonObject json =
        asked
            .json()
            .put("time", time(TimeUnit.MICROSECONDS.toMillis(asked.timeUs())))
            .put("data", one.data())
            .put("dataCut", one.isCut())
            .put("inMemory", new JsonArray(one.inMemory()))
            .put("timesPlaced", one.times());
    putWay(json, one, inShard);
    StepsThen then =
        new StepsThen(
            json.getJsonObject("taken"), json.getJsonObject("placed"), json.getJsonObject("owner"));
    Optional<JsonObject> rawSteps = rawTopic(asked, topic).map(raw -> steps(raw, then));
    return json.put("stores", stores(index))
        .put("shown", shown(asked, index))
        .put("steps", rawSteps.orElseGet(() -> unknown(otherTopic())))
        .put("raw", raw(asked, rawSteps));
  }

  private static String otherTopic() {
    return "it came in on another topic, of which its id has a mark only; give that topic";
  }

  private static String time(long ms) {
    return Instant.ofEpochMilli(ms).toString();
  }

  private void putWay(JsonObject json, Finding one, int inShard) {
    int shard = one.record().position().shard();
    JsonObject all = new JsonObject();
    JsonArray owners = new JsonArray();
    int[] remembered = {0};
    facts
        .getOrDefault(shard, Answers.NONE)
        .given()
        .forEach(
            (node, answer) -> {
              remembered[0] = answer.getInteger("remembered");
              answer.getJsonArray("records").getJsonObject(inShard).forEach(into(all));
              if (answer.getBoolean("owner")) {
                owners.add(node);
              }
            });
    json.put(
        "owner",
        owners.isEmpty()
            ? unknown("no node that answered owns shard " + shard + " now")
            : new JsonObject().put("shard", shard).put("nodes", owners));
    String old =
        "only the last %d Batches of a shard are remembered, until its owner ends"
            .formatted(remembered[0]);
    json.put("taken", taken(all, old));
    json.put("placed", placed(all, one, old));
    json.put("logged", logged(all, old));
  }

  private static Consumer<Map.Entry<String, Object>> into(JsonObject all) {
    return fact -> all.put(fact.getKey(), fact.getValue());
  }

  /** The stamp is of one record of a Batch, so the time and the trace are those of its Batch. */
  private JsonObject taken(JsonObject facts, String old) {
    if (!facts.containsKey("door")) {
      return unknown(facts.containsKey("placedMs") ? "its Batch has no stamp of a door" : old);
    }
    String id = facts.getString("doorNode");
    JsonObject taken =
        new JsonObject()
            .put("door", facts.getString("door"))
            .put("node", names.getOrDefault(id, id))
            .put("time", time(TimeUnit.MICROSECONDS.toMillis(facts.getLong("takenUs"))));
    return facts.containsKey("trace") ? taken.put("trace", facts.getString("trace")) : taken;
  }

  private static JsonObject placed(JsonObject facts, Finding one, String old) {
    if (facts.containsKey("placedMs")) {
      return new JsonObject().put("time", time(facts.getLong("placedMs")));
    }
    JsonObject unknown = unknown(old);
    return one.notAfterMs() > 0 ? unknown.put("notAfter", time(one.notAfterMs())) : unknown;
  }

  private static JsonObject logged(JsonObject facts, String old) {
    JsonObject logged = facts.containsKey("loggedMs") ? new JsonObject() : unknown(old);
    if (facts.containsKey("loggedMs")) {
      logged.put("time", time(facts.getLong("loggedMs")));
    }
    return facts.containsKey("onDisk") ? logged.put("onDisk", facts.getBoolean("onDisk")) : logged;
  }

  private JsonArray stores(int index) {
    JsonArray all = new JsonArray();
    stores
        .given()
        .forEach(
            (node, answer) -> {
              for (Object each : answer.getJsonArray("stores")) {
                all.add(store(node, (JsonObject) each, index));
              }
            });
    return all;
  }

  private static JsonObject store(String node, JsonObject store, int index) {
    JsonObject of = store.getJsonArray("records").getJsonObject(index);
    JsonObject json =
        new JsonObject()
            .put("node", node)
            .put("store", store.getString("store"))
            .put("lagRecords", store.getLong("lagRecords"))
            .put("lagBytes", store.getLong("lagBytes"))
            .put("cursor", store.getString("cursor"));
    if (!of.containsKey("holds")) {
      return json.mergeIn(unknown(of.getString("why")));
    }
    json.put("holds", of.getBoolean("holds"));
    return of.getBoolean("holds") ? json : json.put("because", lacks(store));
  }

  /** Why a store may lack a record: what is likelier comes first. */
  private static String lacks(JsonObject store) {
    if (store.getLong("lagBytes") > 0) {
      return "it is behind the Log, or another node's sink fills it";
    }
    return store.getBoolean("sampled")
        ? "sampling left it out, it was deleted since, or another node's sink fills it"
        : "it was deleted since, it is a dead letter, or another node's sink fills it";
  }

  private JsonArray shown(AskedRecord asked, int index) {
    JsonArray all = new JsonArray();
    shown
        .given()
        .forEach(
            (node, answer) ->
                all.add(shown(node, asked, answer.getJsonArray("records").getJsonObject(index))));
    return all;
  }

  private static JsonObject shown(String node, AskedRecord asked, JsonObject of) {
    JsonObject json =
        new JsonObject()
            .put("node", node)
            .put("registrations", of.getInteger("registrations"))
            .put("newestOnly", of.getInteger("newestOnly"))
            .put("reach", reach(of))
            .put("fed", fed(of));
    String newest = of.getString("newest");
    if (newest == null) {
      return json.put("newer", unknown("the node keeps no value of the topic"));
    }
    boolean isNewer = Position.parse(newest).compareTo(asked.position()) > 0;
    return json.put("newer", isNewer ? newest : "");
  }

  private static JsonObject reach(JsonObject of) {
    JsonObject reach = of.getJsonObject("reach");
    return reach == null
        ? unknown(
            "it did not come through the node's ring, has left it, or the node is of an older version")
        : reach.copy().put("written", written(reach));
  }

  private static JsonObject written(JsonObject reach) {
    JsonObject written = reach.getJsonObject("written", unknown("the node is of an older version"));
    return written.containsKey("firstMs")
        ? new JsonObject()
            .put("registrations", written.getInteger("registrations"))
            .put("first", time(written.getLong("firstMs")))
            .put("last", time(written.getLong("lastMs")))
        : written;
  }

  private static JsonObject fed(JsonObject of) {
    if (!of.getBoolean("fed", false)) {
      return unknown("it is not in the node's ring, nor the latest of its topic there");
    }
    return of.containsKey("fedMs")
        ? new JsonObject().put("time", time(of.getLong("fedMs")))
        : unknown("it was loaded with the latest values, not fed as it came");
  }

  /** The topic on which a record came in, as far as its id says. */
  static Optional<String> rawTopic(AskedRecord asked, String topic) {
    Record record = new Record(asked.id(), asked.topic(), 0, new byte[0]);
    String origin = DerivedId.origin(record);
    for (String one : new String[] {asked.topic(), topic}) {
      Record raw = new Record(DerivedId.raw(asked.id()), one, 0, new byte[0]);
      if (!one.isEmpty() && DerivedId.origin(raw).equals(origin)) {
        return Optional.of(one);
      }
    }
    return Optional.empty();
  }

  private JsonObject steps(String rawTopic, StepsThen then) {
    JsonObject all = new JsonObject().put("topic", rawTopic);
    JsonArray nodes = new JsonArray();
    steps
        .getOrDefault(rawTopic, Answers.NONE)
        .given()
        .forEach(
            (node, answer) ->
                nodes.add(
                    new JsonObject()
                        .put("node", node)
                        .put("steps", then.of(node, answer.getJsonArray("steps")))));
    if (nodes.size() > 1) {
      all.put("enrichedBy", unknown("several nodes enrich, and which of them did is not noted"));
    }
    return nodes.isEmpty()
        ? unknown("no node with the role enrich answered")
        : all.put("nodes", nodes);
  }

  private static JsonObject raw(AskedRecord asked, Optional<JsonObject> steps) {
    if (!DerivedId.raw(asked.id()).equals(asked.id())) {
      return unknown(
          "a step made the record of "
              + DerivedId.raw(asked.id())
              + "; of a message is kept what became of it");
    }
    JsonArray nodes = steps.map(one -> one.getJsonArray("nodes")).orElse(null);
    if (nodes == null) {
      return unknown("the steps are not known");
    }
    boolean isPlain =
        nodes.stream().allMatch(one -> ((JsonObject) one).getJsonArray("steps").isEmpty());
    return isPlain
        ? new JsonObject().put("known", true).put("is", "data")
        : unknown("steps are configured for its topic, and what they made of it is kept");
  }
}
