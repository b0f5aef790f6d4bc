package io.galop.ops.drill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.ops.drill.DrillRun.Way;
import io.galop.ops.drill.RelayOrder.Word;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a node says to relays of a drill, and makes of what they say. */
class RelaySaidTest {
  private static JsonObject relay(String address, String id, String state, String... failed) {
    JsonObject relay = new JsonObject().put("relay", address).put("node", "n" + id);
    if (id.isEmpty()) {
      return relay.put("why", "there is no link to it");
    }
    return relay.put("id", id).put("state", state).put("failed", new JsonArray(List.of(failed)));
  }

  private static JsonObject answer(JsonObject... relays) {
    return new JsonObject().put("relays", new JsonArray(List.of((Object[]) relays)));
  }

  private static List<String> states(JsonObject... answers) {
    return RelaySaid.of(List.of(answers)).stream()
        .map(said -> said.relay() + " " + said.state().word())
        .toList();
  }

  @Test
  void aRelayCountsOnceWhoeverHasALinkToIt() {
    JsonObject cut = answer(relay("one:7900", "", ""));
    JsonObject sound = answer(relay("one:7900", "1", "passed"));
    assertEquals(List.of("one:7900 passed"), states(sound, sound));
    assertEquals(List.of("one:7900 passed"), states(cut, sound));
    assertEquals(List.of("one:7900 unknown"), states(cut, cut));
    assertEquals(
        List.of("one:7900 failed"),
        states(
            answer(relay("one:7900", "1", "unknown")), answer(relay("one:7900", "1", "failed"))));
    assertEquals(List.of(), states(answer(), new JsonObject()));
  }

  @Test
  void thoseBehindARelayCountToo() {
    JsonObject leaf = relay("leaf:7900", "3", "failed", "xhr", "odd");
    JsonObject one = relay("one:7900", "1", "passed").put("relays", new JsonArray().add(leaf));
    JsonObject two = relay("two:7900", "2", "strange").put("relays", new JsonArray().add(leaf));
    assertEquals(
        List.of("one:7900 passed", "two:7900 unknown", "leaf:7900 failed"),
        states(answer(one, two)));
    List<RelaySaid> said = RelaySaid.of(List.of(answer(one, two)));
    DrillVerdict verdict = new DrillVerdict(1, DrillFault.NONE, List.of(), false).with(said, true);
    assertEquals(
        "drill 1: acknowledged; the drill failed at relay n3 at leaf:7900 (xhr): viewers of the"
            + " relay may see nothing new",
        verdict.sentence());
  }

  @Test
  void whatIsNotKnownOfARelayIsNoFailure() {
    List<RelaySaid> said =
        RelaySaid.of(
            List.of(
                answer(
                    relay("a:1", "", ""),
                    relay("b:1", "2", "told"),
                    relay("c:1", "3", "waiting"))));
    DrillVerdict verdict = new DrillVerdict(1, DrillFault.NONE, List.of(), false).with(said, true);
    assertTrue(verdict.isPassed());
    assertEquals(3, verdict.relays().size());
  }

  /** Nodes that store may have no viewers of their own. */
  @Test
  void relaysFindWhatIsPlantedWhereNobodyElseWatches() {
    List<RelaySaid> passed = RelaySaid.of(List.of(answer(relay("a:1", "1", "passed"))));
    List<RelaySaid> failed = RelaySaid.of(List.of(answer(relay("a:1", "1", "failed", "watch"))));
    List<RelaySaid> unknown = RelaySaid.of(List.of(answer(relay("a:1", "1", "told"))));
    DrillVerdict here = new DrillVerdict(1, DrillFault.LOST, List.of(), false);
    assertTrue(here.with(passed, false).isDetected());
    assertFalse(here.with(failed, false).isDetected());
    assertFalse(here.with(failed, false).isPassed());
    assertFalse(here.with(passed, true).isDetected(), "those here have not found it");
    DrillVerdict nobody = here.with(unknown, false);
    assertEquals(DrillFault.NONE, nobody.fault());
    assertTrue(nobody.isPassed() && !nobody.isDetected());
    DrillVerdict plain = new DrillVerdict(1, DrillFault.NONE, List.of(), false);
    assertFalse(plain.with(passed, false).isDetected());
  }

  @Test
  void anOrderIsReadAsItIsSaid() {
    Way way = new Way("$drill/node/0", "drill-1-17-", 17);
    DrillPlan plan = new DrillPlan(17, DrillFault.LOST, Set.of(), 5_000, 30_000, 0);
    RelayOrder order = RelayOrder.of(plan, way);
    assertEquals(order, RelayOrder.of(order.json()));
    RelayOrder sent = order.with(Word.SENT);
    assertEquals(sent, RelayOrder.of(sent.json()));
    DrillPlan late = new DrillPlan(17, DrillFault.LATE, Set.of(), 5_000, 30_000, 0);
    assertEquals(DrillFault.NONE, RelayOrder.of(late, way).fault());
  }

  /** It opens topics to a relay's own viewers, and whoever dials may be of a later version. */
  @Test
  void anOrderOfAnotherTopicOrWithoutSomethingIsRefused() {
    Way way = new Way("$drill/node/0", "drill-1-17-", 17);
    DrillPlan plan = new DrillPlan(17, DrillFault.NONE, Set.of(), 5_000, 30_000, 0);
    JsonObject good = RelayOrder.of(plan, way).json();
    for (JsonObject wrong :
        List.of(
            new JsonObject(),
            good.copy().put("topic", "odds/1"),
            good.copy().put("topic", "$drill/#"),
            good.copy().put("ids", "x".repeat(201)),
            good.copy().put("ids", ""),
            good.copy().put("word", "more"),
            good.copy().put("fault", 3),
            good.copy().putNull("withinMs"))) {
      assertThrows(IllegalArgumentException.class, () -> RelayOrder.of(wrong), wrong.encode());
    }
  }
}
