package io.galop.alarm;

import io.galop.bus.OperatorLane;
import io.galop.cluster.Cluster;
import io.galop.cluster.Member;
import io.galop.config.Role;
import io.galop.node.Reports;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Answers for all nodes: each owner is asked for its own alarms, and who does not answer is named.
 * On the loop of alarms.
 */
final class AlarmDesk {
  private static final int MOST_IDS = 10_000;
  private static final int MOST_MINUTES = 7 * 24 * 60;
  private static final int MOST_REASON = 500;

  private final Loop loop;
  private final OperatorLane lane;
  private final Cluster cluster;

  /** Those that answered, and the names of those that did not. */
  private record Answers(List<JsonObject> given, JsonArray incomplete) {}

  AlarmDesk(Loop loop, OperatorLane lane, Cluster cluster) {
    this.loop = loop;
    this.lane = lane;
    this.cluster = cluster;
  }

  /** Says what it knows by these names. */
  void offer(Reports reports) {
    reports.offer("alarms", this::list);
    for (String act : List.of("acknowledge", "shelve", "unshelve")) {
      reports.offer("alarms/" + act, parameters -> act(act, parameters));
    }
  }

  private Future<JsonObject> list(Map<String, String> parameters) {
    AlarmList.Query query = AlarmList.Query.of(parameters);
    // Whoever looks must not act: nothing of the request but what a list is asked by goes on.
    return ask(query.json().put("do", "list"))
        .map(
            answers ->
                AlarmList.join(query.limit(), answers.given())
                    .put("incomplete", answers.incomplete()));
  }

  /**
   * Has alarms changed.
   *
   * @param parameters {@code order}: the body of the request; {@code by}: who it is
   */
  private Future<JsonObject> act(String act, Map<String, String> parameters) {
    JsonObject body = body(parameters.getOrDefault("order", ""));
    JsonObject order = checked(act, body).put("do", act).put("by", parameters.get("by"));
    return ask(order).map(answers -> joined(order, answers));
  }

  private static JsonObject body(String text) {
    try {
      return new JsonObject(text);
    } catch (DecodeException | ClassCastException e) {
      throw new IllegalArgumentException("the body must be a JSON object", e);
    }
  }

  private static JsonObject checked(String act, JsonObject body) {
    JsonObject order = new JsonObject();
    boolean mayBeRule = act.equals("acknowledge");
    if (body.getValue("ids") instanceof JsonArray ids
        && ids.size() <= MOST_IDS
        && ids.stream().allMatch(String.class::isInstance)) {
      order.put("ids", ids);
    } else if (mayBeRule && body.getValue("rule") instanceof String rule) {
      order.put("rule", rule);
    } else {
      throw new IllegalArgumentException(
          "the body must have {\"ids\":[…]} with at most %d ids%s"
              .formatted(MOST_IDS, mayBeRule ? ", or {\"rule\":\"…\"}" : ""));
    }
    if (act.equals("shelve")) {
      if (!(body.getValue("minutes") instanceof Integer minutes)
          || minutes < 1
          || minutes > MOST_MINUTES) {
        throw new IllegalArgumentException("minutes must be a number from 1 to " + MOST_MINUTES);
      }
      String reason = body.getValue("reason") instanceof String text ? text : "";
      if (reason.length() > MOST_REASON) {
        throw new IllegalArgumentException("reason must not be longer than " + MOST_REASON);
      }
      order.put("minutes", minutes).put("reason", reason);
    }
    return order;
  }

  private Future<Answers> ask(JsonObject request) {
    Promise<Answers> answered = Promise.promise();
    loop.run(() -> askAll(request).onComplete(answered));
    return answered.future();
  }

  private Future<Answers> askAll(JsonObject request) {
    List<Member> owners =
        cluster.members().stream().filter(one -> one.roles().contains(Role.PERSIST)).toList();
    List<JsonObject> given = new ArrayList<>();
    JsonArray incomplete = new JsonArray();
    List<Future<?>> asked = new ArrayList<>();
    for (Member owner : owners) {
      asked.add(
          loop.bring(lane.alarms(owner.id(), request.copy()))
              .onSuccess(given::add)
              .onFailure(failure -> incomplete.add(owner.name())));
    }
    return Future.join(asked)
        .transform(all -> Future.succeededFuture(new Answers(given, incomplete)));
  }

  private static JsonObject joined(JsonObject order, Answers answers) {
    Set<Object> told = new HashSet<>();
    JsonArray refused = new JsonArray();
    int changed = 0;
    for (JsonObject answer : answers.given()) {
      changed += answer.getJsonArray("changed").size();
      answer.getJsonArray("changed").forEach(told::add);
      for (Object one : answer.getJsonArray("refused")) {
        refused.add(one);
        told.add(((JsonObject) one).getString("id"));
      }
    }
    for (Object id : order.getJsonArray("ids", new JsonArray())) {
      if (told.add(id)) {
        String why =
            answers.incomplete().isEmpty()
                ? "no such alarm stands"
                : "no node that answers has it; no answer from "
                    + String.join(
                        ", ", answers.incomplete().stream().map(String::valueOf).toList());
        refused.add(new JsonObject().put("id", id).put("why", why));
      }
    }
    return new JsonObject()
        .put("changed", changed)
        .put("refused", refused)
        .put("incomplete", answers.incomplete());
  }
}
