package io.galop.ops.drill;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.galop.ops.drill.DrillEvent.Looked;
import io.galop.ops.drill.DrillEvent.Unknown;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a drill reads in the explanation of its record. */
class DrillSearchTest {
  private static JsonObject record(String topic, String data, boolean isHeld) {
    JsonObject store =
        new JsonObject().put("store", "cold").put("holds", isHeld).put("because", "late");
    return new JsonObject()
        .put("topic", topic)
        .put("data", data)
        .put("dataCut", false)
        .put("logged", new JsonObject().put("onDisk", true))
        .put("stores", new JsonArray().add(store));
  }

  private static Looked search(JsonObject... records) {
    JsonArray all = new JsonArray(List.of((Object[]) records));
    return DrillSearch.of(new JsonObject().put("records", all));
  }

  @Test
  void findsItInTheLogAndInStores() {
    assertEquals(new Looked(false, List.of()), search());
    assertEquals(new Looked(true, List.of()), search(record("$drill/a/1", "{}", true)));
    assertEquals(
        new Looked(true, List.of("store cold (late)")), search(record("$drill/a/1", "{}", false)));
  }

  @Test
  void tellsHowOftenItWasPlaced() {
    Looked found = search(record("$drill/a/1", "{}", true).put("timesPlaced", 2));
    assertEquals(new Looked(true, List.of(), "", List.of(), 2), found);
  }

  @Test
  void tellsANodeThatIsSilentFromOneThatCannotSay() {
    JsonArray unanswered =
        new JsonArray()
            .add(new JsonObject().put("node", "b").put("why", "late").put("reason", "no_answer"))
            .add(
                new JsonObject()
                    .put("node", "c")
                    .put("why", "it is starting")
                    .put("reason", "not_ready"));
    JsonArray records = new JsonArray().add(record("$drill/a/1", "{}", true));
    Looked found =
        DrillSearch.of(new JsonObject().put("records", records).put("unanswered", unanswered));
    List<Unknown> unknown = List.of(new Unknown("b", "", 0), new Unknown("c", "it is starting", 0));
    assertEquals(new Looked(true, List.of(), "", unknown), found);
    assertEquals(7, found.since(Map.of("b", 7L)).unknown().get(0).silentMs());
  }

  @Test
  void findsTheDeadLetterThatAStepHasMade() {
    String letter = "{\"reason\":\"script_failed\",\"detail\":\"it is suspended\"}";
    String why = "it became a dead letter on $dead-letter/script/s";
    JsonObject whole = record("$dead-letter/script/s", letter, true);
    assertEquals(
        new Looked(true, List.of(), why + " (script_failed, it is suspended)"), search(whole));
    JsonObject cut = record("$dead-letter/script/s", "{\"re", true).put("dataCut", true);
    assertEquals(new Looked(true, List.of(), why), search(cut));
  }

  /** The store that refused it holds its letter, and not the record. */
  @Test
  void aStoresDeadLetterIsNoStepsAndNotTheRecord() {
    JsonObject letter = record("$dead-letter/store/cold", "{\"reason\":\"store_refused\"}", true);
    assertEquals(
        new Looked(true, List.of("store cold (late)")),
        search(letter, record("$drill/a/1", "{}", false)));
  }
}
