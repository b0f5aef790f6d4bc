package io.galop.enrich;

import io.galop.config.enrich.EnricherConfig;
import io.galop.config.enrich.LookupConfig;
import io.galop.config.enrich.SchemaConfig;
import io.galop.config.enrich.ScriptConfig;
import io.galop.enrich.step.Scope;
import io.galop.node.Node;
import io.galop.node.Reports;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Locale;
import java.util.Map;

/**
 * The steps that records of a topic go through on this node now, by the name {@code explain/steps}:
 * {@code {"steps":[{"step":"script","file":…,"version":…,"history":[…]},…]}}. From any thread.
 */
final class StepsReport implements Reports.Report {
  private final Node node;

  StepsReport(Node node) {
    this.node = node;
  }

  @Override
  public Future<JsonObject> answer(Map<String, String> parameters) {
    String topic = parameters.getOrDefault("topic", "");
    return versions().map(versions -> new JsonObject().put("steps", steps(topic, versions)));
  }

  /** {@code {file:{"version":…,"history":[…]},…}} of the scripts that are in use. */
  private Future<JsonObject> versions() {
    return node.reports()
        .find("scripts")
        .map(report -> report.answer(Map.of()).map(StepsReport::versions))
        .orElse(Future.succeededFuture(new JsonObject()));
  }

  private static JsonObject versions(JsonObject report) {
    JsonObject versions = new JsonObject();
    for (Object one : report.getJsonArray("scripts")) {
      JsonObject script = (JsonObject) one;
      JsonObject known = new JsonObject().put("version", script.getString("version"));
      if (!versions.containsKey(script.getString("file"))) { // of two with one file: which?
        known.put("history", script.getJsonArray("history"));
      }
      versions.put(script.getString("file"), known);
    }
    return versions;
  }

  private JsonArray steps(String topic, JsonObject versions) {
    JsonArray steps = new JsonArray();
    for (EnricherConfig step : node.config().enrich().chain()) {
      if (new Scope(step.topics()).covers(topic)) {
        steps.add(step(step, versions));
      }
    }
    return steps;
  }

  private static JsonObject step(EnricherConfig step, JsonObject versions) {
    String brick = step.getClass().getSimpleName().replace("Config", "").toLowerCase(Locale.ROOT);
    JsonObject json = new JsonObject().put("step", brick);
    if (step instanceof ScriptConfig script) {
      json.put("file", script.file());
      if (versions.containsKey(script.file())) {
        json.mergeIn(versions.getJsonObject(script.file()));
      }
    } else if (step instanceof SchemaConfig schema) {
      json.put("file", schema.file());
    } else if (step instanceof LookupConfig lookup) {
      json.put("table", lookup.table());
    }
    return json;
  }
}
