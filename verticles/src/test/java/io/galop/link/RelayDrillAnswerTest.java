package io.galop.link;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is taken of a relay's word about a drill. */
class RelayDrillAnswerTest {
  private static JsonObject relay(String address, String id) {
    return new JsonObject().put("relay", address).put("node", "leaf 1").put("id", id);
  }

  private static JsonArray words(String... words) {
    return new JsonArray(List.of(words));
  }

  @Test
  void whatIsSaidIsReadOnTheOtherSideAsAFlatList() {
    JsonObject deeper = relay("deeper:7900", "3").put("state", "passed").put("failed", words());
    JsonObject leaf =
        relay("leaf:7900", "2")
            .put("state", "failed")
            .put("failed", words("xhr"))
            .put("relays", new JsonArray().add(deeper));
    JsonObject cut =
        new JsonObject().put("relay", "cut:7900").put("node", "").put("why", "no link");
    JsonObject report =
        new JsonObject()
            .put("state", "passed")
            .put("failed", words())
            .put("relays", new JsonArray().add(leaf).add(cut));
    JsonObject heard = RelayDrillAnswer.heard(RelayDrillAnswer.said(report), "1");
    JsonObject plain = leaf.copy();
    plain.remove("relays");
    assertEquals(
        new JsonObject()
            .put("id", "1")
            .put("state", "passed")
            .put("failed", words())
            .put("relays", new JsonArray().add(plain).add(deeper)),
        heard);
  }

  @Test
  void whatIsNoWordAndNoNameIsNotTaken() {
    JsonObject said =
        new JsonObject()
            .put("id", "another")
            .put("state", "<b>passed</b>")
            .put("failed", new JsonArray().add("xhr").add(7).add("call 0900").addNull())
            .put(
                "relays",
                new JsonArray()
                    .add("x")
                    .add(relay("a b", "2"))
                    .add(relay("a:1", "x\ny"))
                    .add(relay("a:1", "2").put("why", "secret").put("state", 9)));
    assertEquals(
        new JsonObject()
            .put("id", "1")
            .put("failed", words("xhr"))
            .put("relays", new JsonArray().add(relay("a:1", "2").put("failed", words()))),
        RelayDrillAnswer.heard(said, "1"));
    JsonObject odd = new JsonObject().put("failed", "x").put("relays", 3);
    assertEquals(
        new JsonObject().put("id", "1").put("failed", words()).put("relays", new JsonArray()),
        RelayDrillAnswer.heard(odd, "1"));
  }

  @Test
  void anAnswerKeepsToTheFrameOfARelay() {
    JsonArray many = new JsonArray();
    for (int i = 0; i < 1_001; i++) {
      many.add(relay("r" + i + ":1", "" + i).put("failed", words()));
    }
    JsonObject report = new JsonObject().put("state", "passed").put("failed", words());
    assertEquals(report, RelayDrillAnswer.said(report.copy().put("relays", many)));
    assertEquals(
        new JsonArray(),
        RelayDrillAnswer.heard(new JsonObject().put("relays", many), "1").getJsonArray("relays"));
  }
}
