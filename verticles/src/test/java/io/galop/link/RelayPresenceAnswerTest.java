package io.galop.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class RelayPresenceAnswerTest {
  private static JsonObject relay(String address, String id, Object viewers) {
    return new JsonObject()
        .put("relay", address)
        .put("node", "name-" + id)
        .put("id", id)
        .put("viewers", viewers);
  }

  private static final JsonObject OLD_QUESTION =
      new JsonObject().put("filters", new JsonArray(List.of("a/#"))).put("most", 9);

  private static final JsonObject QUESTION = OLD_QUESTION.copy().put("relays", true);

  private static final JsonObject UNNAMED =
      new JsonObject().put("relay", "some").put("why", "what is said of them cannot be read");

  private static JsonObject answer(Object... relays) {
    return new JsonObject()
        .put("viewers", new JsonArray(List.of(1)))
        .put("relays", new JsonArray(List.of(relays)));
  }

  @Test
  void isFlatHoweverManyLevelsThereAre() {
    JsonArray five = new JsonArray(List.of(5));
    JsonObject leaf = relay("l:1", "leaf", five);
    JsonObject cut = new JsonObject().put("relay", "l:2").put("why", "no link");
    JsonObject middle = relay("m:1", "middle", five).put("relays", new JsonArray(List.of(leaf)));
    JsonObject said = RelayPresenceAnswer.to(QUESTION, answer(middle, cut));
    assertEquals(answer(relay("m:1", "middle", five), leaf, cut), said);
    assertEquals(said.copy().put("id", "top"), RelayPresenceAnswer.heard(said, "top"));
  }

  /** Silence about those behind it would be taken for nobody. */
  @Test
  void tellsOlderVersionsTheSum() {
    JsonObject leaf = relay("l:1", "leaf", new JsonArray(List.of(5)));
    JsonObject one =
        relay("m:1", "one", new JsonArray(List.of(2))).put("relays", new JsonArray(List.of(leaf)));
    JsonObject sum = new JsonObject().put("viewers", new JsonArray(List.of(8L)));
    assertEquals(sum, RelayPresenceAnswer.to(OLD_QUESTION, answer(one, leaf)));
    JsonObject cut = new JsonObject().put("relay", "l:2").put("node", "").put("why", "no link");
    assertEquals(
        new JsonObject().put("viewers", new JsonArray()),
        RelayPresenceAnswer.to(OLD_QUESTION, answer(one, cut)),
        "which is no answer: the asker says that it is missing");
  }

  /** Whoever has taken a relay over says what he likes. */
  @Test
  void takesWhatItKnowsAndNoMore() {
    JsonObject deep = new JsonObject();
    for (int i = 0; i < 100_000; i++) {
      deep = new JsonObject().put("relays", new JsonArray().add(deep));
    }
    JsonArray one = new JsonArray(List.of(1));
    JsonObject said =
        answer(
                relay("l:1", "leaf", one).put("more", "x").put("relays", deep.getValue("relays")),
                relay("l:2", "typed", new JsonArray(List.of("x"))),
                new JsonObject().put("relay", 7).put("id", "x").put("node", "y"),
                "none",
                new JsonObject().put("relay", "x".repeat(1_000)).put("why", "long"))
            .put("relay", "another")
            .put("id", "another");
    assertEquals(
        answer(relay("l:1", "leaf", one), relay("l:2", "typed", new JsonArray()), UNNAMED)
            .put("id", "it"),
        RelayPresenceAnswer.heard(said, "it"));
    assertEquals(
        new JsonObject()
            .put("id", "it")
            .put("viewers", new JsonArray())
            .put("relays", new JsonArray()),
        RelayPresenceAnswer.heard(new JsonObject().put("relays", 3).put("viewers", "many"), "it"));
  }

  @Test
  void ofVeryManyItTakesNone() {
    JsonArray many = new JsonArray(Collections.nCopies(2_000, 1));
    assertEquals(
        answer(UNNAMED).put("id", "it"),
        RelayPresenceAnswer.heard(answer().put("relays", many), "it"));
    JsonObject plain = new JsonObject().put("viewers", new JsonArray(List.of(1)));
    assertEquals(
        plain, RelayPresenceAnswer.to(QUESTION, answer()), "who has none behind says so as ever");
  }

  /** A longer answer would end the link, and with it the feed. */
  @Test
  void saysThatThereAreMoreThanItHasRoomFor() {
    JsonArray many = new JsonArray(Collections.nCopies(1_000, 1_000_000));
    Object[] relays = new Object[64];
    for (int n = 0; n < relays.length; n++) {
      relays[n] = relay("l:" + n, "leaf" + n, many);
    }
    mustBeShort(RelayPresenceAnswer.to(QUESTION, answer(relays)));
    for (int n = 0; n < relays.length; n++) {
      relays[n] = relay("\ud55c".repeat(512), "\ud55c".repeat(500) + n, new JsonArray());
    }
    mustBeShort(RelayPresenceAnswer.to(QUESTION, answer(relays)));
  }

  private static void mustBeShort(JsonObject said) {
    assertTrue(said.encode().length() < 1_000, said.encode());
    assertEquals(new JsonArray(List.of(1)), said.getJsonArray("viewers"));
    assertTrue(
        said.getJsonArray("relays").getJsonObject(0).getString("why").contains("more relays"));
  }
}
