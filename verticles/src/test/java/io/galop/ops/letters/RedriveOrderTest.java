package io.galop.ops.letters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.ops.letters.LetterDoor.Outcome;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is driven for an order, and what is answered. */
class RedriveOrderTest {
  private static final String SCRIPT = "$dead-letter/script/s";
  private static final String ID = "7:a#0\\t$dead-letter/script/s";

  private static RedriveOrder order(String body) {
    return RedriveOrder.of(new JsonObject(body), 1024);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{'ids':[]}",
        "{'ids':'a'}",
        "{'ids':['7:a\\todds/raw']}",
        "{'ids':['7:a\\t$dead-letter/x'],'filter':'$dead-letter/#'}",
        "{'ids':['7:a\\t$dead-letter/x','7:b\\t$dead-letter/x'],'data':'{}'}",
        "{'filter':'odds/raw'}",
        "{'filter':'#'}",
        "{'filter':'$dead-letter/#','limit':1001}",
        "{'filter':'$dead-letter/#','topic':'other'}",
        "{'ids':['7:a\\t$dead-letter/x'],'data':'{}','topic':'other'}",
      })
  void whatIsNoOrderIsRefused(String body) {
    String json = body.replace('\'', '"');
    assertThrows(IllegalArgumentException.class, () -> order(json));
    String many =
        IntStream.range(0, 201)
            .mapToObj(i -> "\"7:" + i + "\\t$dead-letter/x\"")
            .collect(Collectors.joining(",", "{\"ids\":[", "]}"));
    assertThrows(IllegalArgumentException.class, () -> order(many));
  }

  @Test
  void mendedDataAreCheckedAndTheFaultIsPlaced() {
    JsonObject body = new JsonObject().put("ids", new JsonArray().add("7:a\t" + SCRIPT));
    IllegalArgumentException wrong =
        assertThrows(
            IllegalArgumentException.class,
            () -> order(body.copy().put("data", "{\n  \"x\": 1,\n  \"y\": oops\n}").encode()));
    assertTrue(
        wrong.getMessage().startsWith("the mended data is no valid JSON: "), wrong::getMessage);
    assertTrue(wrong.getMessage().contains("(line 3, column "), wrong::getMessage);
    for (String data : List.of("[1]", "{} {}", "", "5")) {
      String json = body.copy().put("data", data).encode();
      assertThrows(IllegalArgumentException.class, () -> order(json), data);
    }
    assertEquals("{}", order(body.put("data", "{}").encode()).data().orElseThrow());
  }

  private static ChosenLetters chosen(RedriveOrder order) {
    ChosenLetters chosen = new ChosenLetters(order);
    for (String id : List.of("a", "a~1", "b")) {
      chosen.take(LetterPageTest.letter(SCRIPT, id, 7, "{\"x\":1}"));
    }
    chosen.take(LetterPageTest.letter("$dead-letter/kafka/plant", "k", 8, "{}"));
    chosen.take(LetterPageTest.letter(SCRIPT, "c", 9, "{}"));
    return chosen;
  }

  private static List<String> driven(ChosenLetters chosen) {
    return chosen.found().values().stream().map(line -> line.nextId()).toList();
  }

  @Test
  void ofANamedRecordTheLastAttemptIsDriven() {
    ChosenLetters chosen = chosen(order("{\"ids\":[\"" + ID + "\"]}"));
    assertEquals(List.of("a~2"), driven(chosen));
    assertEquals(1, chosen.all().size());
    assertFalse(chosen.isByFilter());
  }

  @Test
  void whatKeepsNoWholeRecordIsNotDriven() {
    String kafka = "{\"ids\":[\"8:k#0\\t$dead-letter/kafka/plant\"]}";
    ChosenLetters chosen = chosen(order(kafka));
    assertEquals(List.of(), driven(chosen));
    LetterPlace place = chosen.all().iterator().next();
    assertTrue(chosen.unfit(place).orElseThrow().contains("no whole record"));
  }

  @Test
  void aFilterTakesAllUpToItsLimit() {
    ChosenLetters all = chosen(order("{\"filter\":\"$dead-letter/#\"}"));
    assertEquals(List.of("a~2", "a~2", "b~1", "c~1"), driven(all));
    assertEquals(1, all.passedOver());
    ChosenLetters none = chosen(order("{\"filter\":\"$dead-letter/#\",\"reason\":\"too_large\"}"));
    assertEquals(List.of(), driven(none));
    ChosenLetters one = new ChosenLetters(order("{\"filter\":\"$dead-letter/#\",\"limit\":1}"));
    assertFalse(one.take(LetterPageTest.letter(SCRIPT, "a", 7, "{}")), "it wants no other");
  }

  @Test
  void eachLineIsToldWhatBecameOfIt() {
    String answer =
        "{\"accepted\":1,\"rejected\":[{\"line\":2,\"reason\":\"too_large\",\"detail\":\"by far\"}]}";
    List<Outcome> outcomes = LetterDoor.outcomes(new JsonObject(answer), 2);
    assertTrue(outcomes.get(0).isAcknowledged());
    assertEquals(Outcome.refused("too_large", "by far"), outcomes.get(1));
    JsonObject closing = new JsonObject("{\"accepted\":0,\"rejected\":[],\"error\":\"full\"}");
    assertEquals(List.of(Outcome.refused("unavailable", "full")), LetterDoor.outcomes(closing, 1));
  }

  @Test
  void aRecordThatBecomesALetterAgainIsNotPassedForDone() {
    ChosenLetters chosen = chosen(order("{\"filter\":\"$dead-letter/#\"}"));
    FailedAgain again = new FailedAgain(chosen.found().values());
    again.take(LetterPageTest.letter(SCRIPT, "a", 7, "{}"));
    again.take(LetterPageTest.letter(SCRIPT, "b~1", 7, "{}"));
    List<String> failed =
        chosen.found().values().stream()
            .filter(line -> again.of(line).isPresent())
            .map(line -> line.id() + " " + again.of(line).get().word())
            .toList();
    assertEquals(List.of("b failed_again"), failed);
  }
}
