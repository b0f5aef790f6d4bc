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
        "drill 1: acknowledged; the drill failed at relay n3 at leaf:7900 (xhr), as relay n1 says:"
            + " viewers of the relay may see nothing new",
        verdict.sentence());
  }

  @Test
  void whatARelaySaysOfItselfCountsMoreThanTheWordOfAnother() {
    JsonObject good = relay("good:7900", "1", "failed", "xhr");
    JsonObject open = relay("good:7900", "1", "waiting");
    JsonObject lie = relay("good:7900", "1", "passed");
    JsonObject liar = relay("liar:7900", "2", "passed").put("relays", new JsonArray().add(lie));
    assertEquals(List.of("good:7900 failed", "liar:7900 passed"), states(answer(good, liar)));
    assertEquals(
        List.of("liar:7900 passed", "good:7900 waiting"),
        states(answer(liar, open)).stream().sorted(java.util.Comparator.reverseOrder()).toList());
    assertEquals(
        List.of("one:7900 failed"),
        states(answer(relay("one:7900", "1", "told")), answer(relay("one:7900", "1", "failed"))),
        "the node whose link may not ask comes first");
  }

  /** They would be a line of a log of hundreds of kilobytes. */
  @Test
  void ofManyRelaysThatFailFewAreNamed() {
    JsonArray many = new JsonArray();
    for (int i = 0; i < 1_000; i++) {
      many.add(relay("r" + i + ":1", "x" + i, "failed"));
    }
    List<RelaySaid> said =
        RelaySaid.of(List.of(answer(relay("one:1", "1", "passed").put("relays", many))));
    DrillVerdict verdict = new DrillVerdict(1, DrillFault.NONE, List.of(), false).with(said, true);
    assertEquals(9, verdict.failures().size());
    assertTrue(verdict.sentence().contains("the drill failed at 992 more relays"));
    assertTrue(verdict.sentence().length() < 2_000, verdict.sentence());
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

  private static RelayOrder order(String topic, long start, long number) {
    Way way = new Way(topic, "drill-" + start + "-" + number + "-", number);
    return RelayOrder.of(new DrillPlan(number, DrillFault.NONE, Set.of(), 5_000, 30_000, 0), way);
  }

  @Test
  void aNodeThatGoesOnToAnotherDrillSaysNoMoreOfTheOneBefore() {
    RelayOrder ninth = order("$drill/node/0", 1, 9);
    assertTrue(order("$drill/node/3", 1, 10).follows(ninth));
    assertTrue(order("$drill/node/0", 2, 1).follows(ninth), "it was started again");
    assertFalse(order("$drill/node/0", 1, 8).follows(ninth), "an old word comes late");
    assertFalse(ninth.follows(ninth));
    assertFalse(order("$drill/other/0", 1, 10).follows(ninth));
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
            good.copy().put("topic", "$drill/a\n/+"),
            good.copy().put("fault", "silent"),
            good.copy().put("ids", "x".repeat(201)),
            good.copy().put("ids", ""),
            good.copy().put("word", "more"),
            good.copy().put("fault", 3),
            good.copy().putNull("withinMs"))) {
      assertThrows(IllegalArgumentException.class, () -> RelayOrder.of(wrong), wrong.encode());
    }
  }
}
