package io.galop.enrich.script;

import io.galop.json.NotJson;
import io.galop.json.PlainJsonWriter;
import io.galop.record.DerivedId;
import io.galop.record.Record;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The rule of betfair.js in Java, between the same reading and writing. */
final class JavaBetfair {
  private static final List<String> LADDERS = List.of("atb", "atl", "batb", "batl");
  private final Map<String, Map<Object, Map<String, Object>>> markets = new HashMap<>();
  private final Map<String, Object> statuses = new HashMap<>();
  private final PlainJsonWriter json = new PlainJsonWriter(PlainJson.DEEPEST, 1 << 16);

  int call(Record record) throws ScriptFailure {
    Map<String, Object> message = PlainJson.read(record.data(), JsonNodes.PLAIN);
    List<Record> outputs = new ArrayList<>();
    long timeUs = ((Number) message.get("pt")).longValue() * 1000;
    for (Object change : list(message.get("mc"))) {
      change(record, map(change), timeUs, outputs);
    }
    return outputs.size();
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> map(Object value) {
    return (Map<String, Object>) value;
  }

  private static List<?> list(Object value) {
    return value == null ? List.of() : (List<?>) value;
  }

  private void change(Record raw, Map<String, Object> change, long timeUs, List<Record> outputs)
      throws ScriptFailure {
    String id = (String) change.get("id");
    var runners = markets.computeIfAbsent(id, key -> new HashMap<>());
    Map<String, Object> definition = map(change.get("marketDefinition"));
    if (definition != null) {
      for (Object one : list(definition.get("runners"))) {
        Object name = map(one).get("name");
        runners.computeIfAbsent(map(one).get("id"), key -> new HashMap<>()).put("name", name);
      }
    }
    for (Object one : list(change.get("rc"))) {
      Map<String, Object> data = runner(id, runners, map(one));
      String topic = "race/" + id + "/runner/" + map(one).get("id");
      outputs.add(record(raw, topic, timeUs, outputs.size() + 1, data));
    }
    if (definition != null && !definition.get("status").equals(statuses.get(id))) {
      statuses.put(id, definition.get("status"));
      String topic = "race/" + id + "/status";
      outputs.add(record(raw, topic, timeUs, outputs.size() + 1, definition));
    }
  }

  private static Map<String, Object> runner(
      String market, Map<Object, Map<String, Object>> runners, Map<String, Object> change) {
    Map<String, Object> runner = runners.computeIfAbsent(change.get("id"), key -> new HashMap<>());
    change.computeIfPresent(
        "ltp", (key, price) -> runner.put("odds", price) == null ? price : price);
    change.computeIfPresent("tv", (key, sum) -> runner.put("volume", sum) == null ? sum : sum);
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("market", market);
    data.put("runner", change.get("id"));
    for (String field : List.of("name", "odds", "volume")) {
      runner.computeIfPresent(field, (key, value) -> put(data, field, value));
    }
    for (String ladder : LADDERS) {
      change.computeIfPresent(ladder, (key, value) -> put(data, ladder, value));
    }
    return data;
  }

  private static Object put(Map<String, Object> data, String field, Object value) {
    data.put(field, value);
    return value;
  }

  private Record record(Record raw, String topic, long timeUs, int number, Map<String, Object> data)
      throws ScriptFailure {
    try {
      return new Record(DerivedId.of(raw, number, topic), topic, timeUs, json.bytes(data));
    } catch (NotJson e) {
      throw new ScriptFailure(e.getMessage());
    }
  }
}
