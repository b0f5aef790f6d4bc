package io.galop.ops.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.node.AskedRecord;
import io.galop.ops.cluster.ClusterReports.Answers;
import io.galop.ops.cluster.ClusterReports.Unanswered;
import io.galop.record.DerivedId;
import io.galop.record.Position;
import io.galop.record.Record;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What nodes say is put together, and what nobody says is said to be unknown. */
class ExplanationTest {
  private static JsonObject in(String topic, String id, String pos, long notAfterMs) {
    return new AskedRecord(topic, id, 5_000_000, Position.parse(pos))
        .json()
        .put("data", "{}")
        .put("dataCut", false)
        .put("notAfterMs", notAfterMs);
  }

  private static JsonObject records(JsonObject... all) {
    JsonArray records = new JsonArray();
    for (JsonObject one : all) {
      records.add(one);
    }
    return new JsonObject().put("records", records);
  }

  private static Answers given(String node, JsonObject answer) {
    return new Answers(Map.of(node, answer), Map.of());
  }

  private static Answers given(Map<String, JsonObject> all) {
    return new Answers(all, Map.of());
  }

  private static JsonObject shard(boolean isOwner, JsonObject... facts) {
    return records(facts).put("owner", isOwner).put("remembered", 256);
  }

  private static JsonObject only(Explanation explanation) {
    return explanation.json().getJsonArray("records").getJsonObject(0);
  }

  private static final FoundRecords ONE =
      FoundRecords.inMemory(Map.of("a", records(in("t/1", "x", "3.2-7", 9_000))), 10);

  private static Explanation of(Answers facts, Answers stores, Answers shown, Answers steps) {
    return new Explanation(
        "", ONE, Map.of(3, facts), stores, shown, Map.of("t/1", steps), Map.of("id-d", "door-1"));
  }

  @Test
  void theWayIsToldByWhoeverKnowsIt() {
    JsonObject known =
        new JsonObject()
            .put("onDisk", true)
            .put("door", "tcp")
            .put("doorNode", "id-d")
            .put("takenUs", 1_000_000)
            .put("trace", "4bf92f3577b34da6a3ce929d0e0e4736")
            .put("placedMs", 2_000)
            .put("loggedMs", 3_000);
    JsonObject one =
        only(
            of(
                given(Map.of("a", shard(true, known), "b", shard(false, new JsonObject()))),
                Answers.NONE,
                Answers.NONE,
                given("e", new JsonObject().put("steps", new JsonArray()))));
    assertEquals(new JsonArray().add("a"), one.getJsonObject("owner").getJsonArray("nodes"));
    assertEquals(
        new JsonObject()
            .put("door", "tcp")
            .put("node", "door-1")
            .put("time", "1970-01-01T00:00:01Z")
            .put("trace", "4bf92f3577b34da6a3ce929d0e0e4736"),
        one.getJsonObject("taken"));
    assertEquals("1970-01-01T00:00:02Z", one.getJsonObject("placed").getString("time"));
    assertEquals("1970-01-01T00:00:03Z", one.getJsonObject("logged").getString("time"));
    assertTrue(one.getJsonObject("logged").getBoolean("onDisk"));
    assertEquals("data", one.getJsonObject("raw").getString("is"));
  }

  @Test
  void whatNobodySaysIsUnknownWithAReason() {
    JsonObject one =
        only(
            of(
                given("a", shard(false, new JsonObject())),
                Answers.NONE,
                Answers.NONE,
                Answers.NONE));
    for (String fact : new String[] {"owner", "taken", "placed", "logged", "steps", "raw"}) {
      assertFalse(one.getJsonObject(fact).getBoolean("known"), fact);
      assertFalse(one.getJsonObject(fact).getString("because").isEmpty(), fact);
    }
    assertTrue(one.getJsonObject("placed").getString("because").contains("256"));
    assertEquals("1970-01-01T00:00:09Z", one.getJsonObject("placed").getString("notAfter"));
  }

  @Test
  void aStoreSaysWhyItLacksARecord() {
    JsonArray stores = new JsonArray();
    stores.add(store("full", 0, false, new JsonObject().put("holds", true)));
    stores.add(store("late", 9, false, new JsonObject().put("holds", false)));
    stores.add(store("some", 0, true, new JsonObject().put("holds", false)));
    stores.add(store("away", 0, false, new JsonObject().put("why", "refused")));
    JsonObject one =
        only(
            of(
                Answers.NONE,
                given("a", new JsonObject().put("stores", stores)),
                Answers.NONE,
                Answers.NONE));
    JsonArray told = one.getJsonArray("stores");
    assertTrue(told.getJsonObject(0).getBoolean("holds"));
    assertFalse(told.getJsonObject(0).containsKey("because"));
    assertTrue(told.getJsonObject(1).getString("because").startsWith("it is behind the Log"));
    assertTrue(told.getJsonObject(2).getString("because").startsWith("sampling left it out"));
    assertFalse(told.getJsonObject(3).containsKey("holds"));
    assertEquals("refused", told.getJsonObject(3).getString("because"));
  }

  private static JsonObject store(String name, long lag, boolean isSampled, JsonObject record) {
    return records(record)
        .put("store", name)
        .put("lagBytes", lag)
        .put("lagRecords", lag)
        .put("cursor", "1:2")
        .put("sampled", isSampled);
  }

  @Test
  void aNewerValueConflates() {
    JsonObject old = new JsonObject().put("registrations", 5).put("newestOnly", 2);
    JsonObject newest = old.copy().put("newest", "3.2-7").put("fed", true).put("fedMs", 4_000);
    JsonObject one =
        only(
            of(
                Answers.NONE,
                Answers.NONE,
                given(
                    new TreeMap<>(
                        Map.of(
                            "n1", records(newest),
                            "n2", records(old.copy().put("newest", "3.4-1")),
                            "n3", records(old)))),
                Answers.NONE));
    JsonArray shown = one.getJsonArray("shown");
    assertEquals("", shown.getJsonObject(0).getValue("newer"));
    assertEquals(
        "1970-01-01T00:00:04Z", shown.getJsonObject(0).getJsonObject("fed").getString("time"));
    assertEquals("3.4-1", shown.getJsonObject(1).getValue("newer"));
    assertFalse(shown.getJsonObject(1).getJsonObject("fed").getBoolean("known"));
    assertFalse(shown.getJsonObject(2).getJsonObject("newer").getBoolean("known"));
    assertEquals(5, shown.getJsonObject(2).getInteger("registrations"));
  }

  @Test
  void whenItWasWrittenIsToldByEachNodesOwnClock() {
    JsonObject at =
        new JsonObject().put("registrations", 2).put("firstMs", 1_000).put("lastMs", 1_250);
    JsonObject unknown = new JsonObject().put("known", false).put("because", "it is");
    JsonObject one =
        only(
            of(
                Answers.NONE,
                Answers.NONE,
                given(
                    new TreeMap<>(
                        Map.of("n1", reached(at), "n2", reached(unknown), "n3", reached(null)))),
                Answers.NONE));
    JsonArray shown = one.getJsonArray("shown");
    assertEquals(
        new JsonObject()
            .put("registrations", 2)
            .put("first", "1970-01-01T00:00:01Z")
            .put("last", "1970-01-01T00:00:01.250Z"),
        written(shown, 0));
    assertEquals(unknown, written(shown, 1));
    assertTrue(written(shown, 2).getString("because").contains("older version"));
    assertEquals(
        3, shown.getJsonObject(0).getJsonObject("reach").getInteger("sent"), "the rest stays");
  }

  private static JsonObject reached(JsonObject written) {
    JsonObject reach = new JsonObject().put("sent", 3);
    JsonObject all = new JsonObject().put("registrations", 5).put("newestOnly", 2);
    return records(all.put("reach", written == null ? reach : reach.put("written", written)));
  }

  private static JsonObject written(JsonArray shown, int index) {
    return shown.getJsonObject(index).getJsonObject("reach").getJsonObject("written");
  }

  @Test
  void eachRecordIsThereOnceAndPagesFollowOnEachOther() {
    Map<String, JsonObject> found =
        Map.of(
            "a", records(in("t/1", "x", "3.2-7", 9), in("t/2", "x", "1.2-1", 9)),
            "b", records(in("t/1", "x", "3.4-1", 4), in("t/1", "x#1", "3.2-8", 9)));
    FoundRecords first = FoundRecords.inMemory(found, 2);
    assertTrue(first.hasMore());
    assertEquals("3.4-1", first.records().get(0).position().toString(), "the last attempt");
    assertEquals(4, first.all().get(0).notAfterMs());
    assertEquals(List.of("a", "b"), first.all().get(0).inMemory());
    assertEquals("x#1", first.records().get(1).id());
    ExplainQuery query = ExplainQuery.of(Map.of("id", "x", "limit", "2"), 0);
    JsonObject explained = records().put("unanswered", new JsonArray());
    String next = query.answer(explained, first, Answers.NONE).getString("next");
    ExplainQuery second = ExplainQuery.of(Map.of("id", "x", "next", next), 0);
    assertEquals("t/1", second.afterTopic());
    assertEquals("x#1", second.afterId());
    assertEquals("3", query.inMemory().get("limit"), "one more tells whether there are more");
  }

  @Test
  void whoDoesNotAnswerIsNamed() {
    Answers silent = new Answers(Map.of(), Map.of("z", new Unanswered("it is late", "no_answer")));
    Explanation explanation = of(silent, silent, Answers.NONE, Answers.NONE);
    assertEquals(
        "[{\"why\":\"it is late\",\"reason\":\"no_answer\",\"node\":\"z\"}]",
        explanation.json().getJsonArray("unanswered").encode());
    ExplainQuery query = ExplainQuery.of(Map.of("id", "x", "topic", "t"), 0);
    JsonObject none = query.notFound(silent, Answers.NONE, false);
    assertEquals("z", none.getJsonArray("unanswered").getJsonObject(0).getString("node"));
    assertTrue(none.getString("because").contains("no store has it"));
  }

  @Test
  void aStoreThatWasNotReadToItsEndIsNamed() {
    JsonObject store =
        new JsonObject()
            .put("store", "big")
            .put("whole", false)
            .put("reachedUs", 1_000_000)
            .put("records", new JsonArray());
    Answers searched = given("a", new JsonObject().put("stores", new JsonArray().add(store)));
    String because =
        ExplainQuery.of(Map.of("id", "x", "topic", "t"), 0)
            .notFound(Answers.NONE, searched, false)
            .getString("because");
    assertTrue(because.contains("big of a was searched back to 1970-01-01T00:00:01Z"), because);
  }

  @Test
  void wrongParametersAreNamed() {
    for (Map<String, String> wrong :
        List.of(
            Map.of("topic", "t"),
            Map.of("id", "x", "topic", "a//b"),
            Map.of("id", "x", "topic", "a/#"),
            Map.of("id", "x", "limit", "51"),
            Map.of("id", "x", "hours", "0"),
            Map.of("id", "x", "next", "!"),
            Map.of("id", "x", "next", "QUJD"))) {
      assertThrows(IllegalArgumentException.class, () -> ExplainQuery.of(wrong, 0), "" + wrong);
    }
  }

  @Test
  void theRawTopicIsKnownOfIdsWithoutAMark() {
    Position any = Position.parse("0.2-1");
    var raw = new AskedRecord("t", "x", 0, any);
    assertEquals("t", Explanation.rawTopic(raw, "").orElseThrow());
    var marked = new AskedRecord("out", mark("in"), 0, any);
    assertTrue(Explanation.rawTopic(marked, "").isEmpty());
    assertTrue(Explanation.rawTopic(marked, "other").isEmpty());
    assertEquals("in", Explanation.rawTopic(marked, "in").orElseThrow());
  }

  private static String mark(String topic) {
    return DerivedId.of(new Record("x", topic, 0, new byte[0]), 1, "out");
  }
}
