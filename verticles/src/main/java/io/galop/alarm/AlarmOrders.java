package io.galop.alarm;

import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What somebody orders of this node's alarms: {@code {"do":…,"by":…,"ids":[…]|"rule":…}}. The
 * answer names those that were changed and those that were refused; others are not here. On the
 * loop of alarms.
 */
final class AlarmOrders {
  private final AlarmEngine engine;

  AlarmOrders(AlarmEngine engine) {
    this.engine = engine;
  }

  /** Succeeds with {@code {"changed":[ids],"refused":[…]}} when the changes are on disk. */
  Future<JsonObject> follow(JsonObject order) {
    AlarmEvent event = event(order, System.currentTimeMillis());
    Map<String, Future<String>> outcomes = new LinkedHashMap<>();
    for (String id : ids(order)) {
      engine.order(id, event).ifPresent(outcome -> outcomes.put(id, outcome));
    }
    return Future.join(new ArrayList<>(outcomes.values()))
        .transform(all -> answer(order, outcomes));
  }

  private static Future<JsonObject> answer(JsonObject order, Map<String, Future<String>> outcomes) {
    JsonArray changed = new JsonArray();
    JsonArray refused = new JsonArray();
    outcomes.forEach(
        (id, outcome) -> {
          String why =
              String.valueOf(outcome.succeeded() ? outcome.result() : outcome.cause().getMessage());
          if (why.isEmpty()) {
            changed.add(id);
          } else if (order.containsKey("ids")) {
            refused.add(new JsonObject().put("id", id).put("why", why));
          }
        });
    return Future.succeededFuture(new JsonObject().put("changed", changed).put("refused", refused));
  }

  private static AlarmEvent event(JsonObject order, long nowMs) {
    String by = order.getString("by");
    return switch (order.getString("do")) {
      case "acknowledge" -> new AlarmEvent.Acknowledge(by, nowMs);
      case "shelve" ->
          new AlarmEvent.Shelve(
              by,
              nowMs + TimeUnit.MINUTES.toMillis(order.getInteger("minutes")),
              order.getString("reason", ""),
              nowMs);
      case "unshelve" -> new AlarmEvent.Unshelve(by, nowMs);
      default -> throw new IllegalArgumentException("no alarm can be told to " + order);
    };
  }

  private List<String> ids(JsonObject order) {
    if (order.containsKey("rule")) {
      return engine.ids(order.getString("rule"));
    }
    return order.getJsonArray("ids").stream().map(String::valueOf).distinct().toList();
  }
}
