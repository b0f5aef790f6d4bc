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
 * @param by the relay in front of it, whose word all this is; empty: its own
 * @param failed where its viewers were not shown what they should have been
 */
record RelaySaid(String relay, String node, String by, RelayState state, List<DrillStage> failed) {
  RelaySaid {
    failed = List.copyOf(failed);
  }

  /**
   * Puts together what nodes that dial relays were answered: each relay once, however many nodes
   * have a link to it. Of several words the one that says more counts, and a relay's own before
   * what another says of it. Pure.
   *
   * @param answers as of {@link io.galop.node.DrillReports#RELAYS}
   */
  static List<RelaySaid> of(Collection<JsonObject> answers) {
    List<JsonObject> dialled = answers.stream().flatMap(answer -> relays(answer).stream()).toList();
    Map<String, RelaySaid> known = new LinkedHashMap<>();
    Map<String, RelaySaid> unreached = new LinkedHashMap<>();
    for (JsonObject one : dialled) {
      RelaySaid said = of(one, "");
      if (id(one).isEmpty()) {
        unreached.putIfAbsent(said.relay, said);
      } else {
        known.merge(id(one), said, RelaySaid::better);
      }
    }
    for (JsonObject one : dialled) {
      String by = one.getString("node", "");
      relays(one).forEach(leaf -> known.merge(id(leaf), of(leaf, by), RelaySaid::better));
    }
    known.values().forEach(said -> unreached.remove(said.relay));
    List<RelaySaid> told = new ArrayList<>(known.values());
    told.addAll(unreached.values());
    return told;
  }

  private static String id(JsonObject relay) {
    return relay.getString("id", "");
  }

  /** What a relay says of itself counts more than what another says of it. */
  private RelaySaid better(RelaySaid other) {
    boolean isOwn = by.isEmpty() && !other.by.isEmpty() && state != RelayState.UNKNOWN;
    return isOwn || state.weight() >= other.state.weight() ? this : other;
  }

  /** The same when it is asked no more: one that has not come to an end is not known. */
  RelaySaid atLast() {
    boolean isOpen = state == RelayState.WAITING || state == RelayState.WATCHING;
    return isOpen ? new RelaySaid(relay, node, by, RelayState.UNKNOWN, failed) : this;
  }

  private static List<JsonObject> relays(JsonObject answer) {
    return answer.getJsonArray("relays", new JsonArray()).stream()
        .map(JsonObject.class::cast)
        .toList();
  }

  private static RelaySaid of(JsonObject json, String by) {
    JsonArray words = json.getJsonArray("failed", new JsonArray());
    List<DrillStage> failed =
        Arrays.stream(DrillStage.values()).filter(stage -> words.contains(stage.word())).toList();
    return new RelaySaid(
        json.getString("relay", ""),
        json.getString("node", ""),
        by,
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
    String whose = by.isEmpty() ? "" : ", as relay " + by + " says";
    String why = "the drill failed at relay %s at %s%s%s".formatted(node, relay, what, whose);
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
