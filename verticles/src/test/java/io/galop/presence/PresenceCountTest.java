package io.galop.presence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.presence.PresenceCount.Missing;
import io.galop.record.TopicFilter;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PresenceCountTest {
  private static JsonObject node(JsonArray viewers, JsonObject... relays) {
    return new JsonObject().put("viewers", viewers).put("relays", new JsonArray(List.of(relays)));
  }

  private static JsonArray numbers(Integer... numbers) {
    return new JsonArray(List.of(numbers));
  }

  private static JsonObject relay(String address, String id, JsonArray viewers) {
    return new JsonObject()
        .put("relay", address)
        .put("node", "name-" + id)
        .put("id", id)
        .put("viewers", viewers);
  }

  private static JsonObject cut(String address) {
    return new JsonObject().put("relay", address).put("node", "").put("why", "no link");
  }

  @Test
  void addsUpWhatAllSay() {
    PresenceCount count =
        PresenceCount.of(
            2,
            Map.of(
                "a", node(numbers(1, 2), relay("r:1", "x", numbers(10, 20))),
                "b", node(numbers(3, 4))),
            Map.of());
    assertEquals(14, count.viewers(0));
    assertEquals(26, count.viewers(1));
    assertFalse(count.isPartial());
    assertEquals(
        new JsonArray()
            .add(new JsonObject().put("node", "a").put("viewers", 1L))
            .add(new JsonObject().put("node", "b").put("viewers", 3L))
            .add(new JsonObject().put("relay", "name-x").put("viewers", 10L)),
        count.detailed().getJsonArray("parts"));
  }

  private static JsonObject behind(JsonObject relay, JsonObject... others) {
    return relay.copy().put("relays", new JsonArray(List.of(others)));
  }

  /** Each relay behind others counts once, and what is said of it is that one's word. */
  @Test
  void relaysBehindRelaysCountToo() {
    JsonObject leaf = relay("l:1", "leaf", numbers(5));
    JsonObject one = behind(relay("m:1", "one", numbers(2)), leaf, cut("l:2"));
    JsonObject two = behind(relay("m:2", "two", numbers(3)), leaf);
    PresenceCount count = PresenceCount.of(1, Map.of("a", node(numbers(1), one, two)), Map.of());
    assertEquals(11, count.viewers(0));
    assertEquals(
        List.of(new Missing("relay", "l:2 behind name-one", "no link, says a")), count.missing());
  }

  @Test
  void aRelayHidesNoOther() {
    JsonObject lie = relay("m:2", "two", numbers(0));
    JsonObject evil = behind(relay("m:1", "evil", numbers(0)), lie);
    PresenceCount cutAway =
        PresenceCount.of(1, Map.of("a", node(numbers(1), evil, cut("m:2"))), Map.of());
    assertEquals(List.of(new Missing("relay", "m:2", "no link, says a")), cutAway.missing());
    JsonObject two = relay("m:2", "two", numbers(7));
    PresenceCount there =
        PresenceCount.of(
            1, Map.of("a", node(numbers(1), evil), "b", node(numbers(0), two)), Map.of());
    assertEquals(8, there.viewers(0), "what is said by whoever dials it holds");
  }

  /** Two nodes dial it by two names; one of them has lost a link that the other has. */
  @Test
  void aRelayCountsOnceHoweverManyNodesDialIt() {
    PresenceCount count =
        PresenceCount.of(
            1,
            Map.of(
                "a",
                node(numbers(0), relay("r:1", "x", numbers(5)), cut("s:1")),
                "b",
                node(numbers(0), relay("r.dmz:1", "x", numbers(5)), relay("s:1", "y", numbers(7)))),
            Map.of());
    assertEquals(12, count.viewers(0));
    assertFalse(count.isPartial());
  }

  @Test
  void whoSaysNothingIsNamed() {
    PresenceCount count =
        PresenceCount.of(
            1,
            Map.of("a", node(numbers(2), cut("r:1")), "c", node(numbers(2, 3))),
            Map.of("b", "it is asleep"));
    assertEquals(2, count.viewers(0));
    assertTrue(count.isPartial());
    assertEquals(
        List.of(
            new Missing("node", "b", "it is asleep"),
            new Missing("node", "c", "its answer is not to the question"),
            new Missing("relay", "r:1", "no link, says a")),
        count.missing());
  }

  @Test
  void aRelayThatSaysNonsenseIsMissing() {
    for (JsonArray wrong :
        List.of(numbers(-1), new JsonArray().add("5"), new JsonArray().addNull(), numbers())) {
      PresenceCount count =
          PresenceCount.of(1, Map.of("a", node(numbers(2), relay("r:1", "x", wrong))), Map.of());
      assertEquals(2, count.viewers(0));
      assertTrue(count.isPartial(), wrong.encode());
    }
  }

  /** What crosses a link comes from a zone that is trusted less. */
  @Test
  void aQuestionIsCheckedWhereItIsAnswered() {
    PresenceQuestion question = PresenceQuestion.ofAll(TopicFilter.parse("a/+/#", 100));
    assertEquals(question, PresenceQuestion.of(question.parameters()));
    assertEquals(question, PresenceQuestion.of(question.json()));
    for (String wrong :
        List.of(
            "",
            "[]",
            "{}",
            "{\"filters\":[],\"most\":1}",
            "{\"filters\":[\"a/#/b\"],\"most\":1}",
            "{\"filters\":[1],\"most\":1}",
            "{\"filters\":[\"a\"],\"most\":0}",
            "{\"filters\":[\"a\"]}")) {
      Map<String, String> parameters = Map.of("question", wrong);
      assertThrows(
          IllegalArgumentException.class, () -> PresenceQuestion.of(parameters), "for " + wrong);
    }
  }
}
