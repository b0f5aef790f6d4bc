package io.galop.ops.drill;

import io.galop.ops.drill.DrillVerdict.Failure;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What one relay says of a drill.
 *
 * @param relay its address, as it is dialled
 * @param node its name; empty if it has never said it
 * @param failed where its viewers were not shown what they should have been
 */
record RelaySaid(String relay, String node, RelayState state, List<DrillStage> failed) {
  RelaySaid {
    failed = List.copyOf(failed);
  }

  /**
   * Puts together what nodes that dial relays were answered: each relay once, however many nodes
   * have a link to it. Of several words the first that says something counts: a node without a link
   * to it knows nothing. Pure.
   *
   * @param answers as of {@link io.galop.node.DrillReports#RELAYS}
   */
  static List<RelaySaid> of(Collection<JsonObject> answers) {
    List<JsonObject> all = new ArrayList<>();
    for (JsonObject answer : answers) {
      all.addAll(relays(answer));
    }
    for (JsonObject one : List.copyOf(all)) {
      all.addAll(relays(one));
    }
    Map<String, RelaySaid> known = new LinkedHashMap<>();
    Map<String, RelaySaid> unreached = new LinkedHashMap<>();
    for (JsonObject one : all) {
      RelaySaid said = of(one);
      String id = one.getString("id", "");
      if (id.isEmpty()) {
        unreached.putIfAbsent(said.relay, said);
      } else {
        known.merge(id, said, (a, b) -> a.state == RelayState.UNKNOWN ? b : a);
      }
    }
    known.values().forEach(said -> unreached.remove(said.relay));
    List<RelaySaid> told = new ArrayList<>(known.values());
    told.addAll(unreached.values());
    return told;
  }

  private static List<JsonObject> relays(JsonObject answer) {
    return answer.getJsonArray("relays", new JsonArray()).stream()
        .map(JsonObject.class::cast)
        .toList();
  }

  private static RelaySaid of(JsonObject json) {
    JsonArray words = json.getJsonArray("failed", new JsonArray());
    List<DrillStage> failed =
        Arrays.stream(DrillStage.values()).filter(stage -> words.contains(stage.word())).toList();
    return new RelaySaid(
        json.getString("relay", ""),
        json.getString("node", ""),
        RelayState.of(json.getString("state", "")),
        failed);
  }

  /** What failed there, if anything has. */
  Optional<Failure> failure() {
    if (state != RelayState.FAILED) {
      return Optional.empty();
    }
    String where = failed.stream().map(DrillStage::word).collect(Collectors.joining(", "));
    String what = where.isEmpty() ? "" : " (" + where + ")";
    String why = "the drill failed at relay %s at %s%s".formatted(node, relay, what);
    return Optional.of(new Failure(DrillStage.RELAY, why));
  }

  JsonObject json() {
    JsonArray words = new JsonArray();
    failed.forEach(stage -> words.add(stage.word()));
    return new JsonObject()
        .put("relay", relay)
        .put("node", node)
        .put("state", state.word())
        .put("failed", words);
  }
}
