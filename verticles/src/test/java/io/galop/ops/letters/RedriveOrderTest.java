package io.galop.ops.letters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.letter.LatestLetters.Attempt;
import io.galop.ops.letters.LetterDoor.Outcome;
import io.galop.ops.letters.LetterSearch.Walked;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is driven for an order. */
class RedriveOrderTest {
  private static final String SCRIPT = "$dead-letter/script/s";
  private static final String ID = "7:a#0\\t$dead-letter/script/s";
  private static final Walked WHOLE = new Walked(Optional.empty(), Set.of());

  static RedriveOrder order(String body) {
    return RedriveOrder.read(Buffer.buffer(body));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{}",
        "{'ids':[]}",
        "{'ids':'a'}",
        "{'ids':['7:a\\todds/raw']}",
        "{'ids':['7:a\\t$dead-letter/x'],'filter':'$dead-letter/#'}",
        "{'ids':['7:a\\t$dead-letter/x','7:b\\t$dead-letter/x'],'data':'{}'}",
        "{'filter':'$dead-letter/#'}",
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
    assertEquals("{}", order(body.copy().put("data", "{}").encode()).data().orElseThrow());
    String long1 = "{\"x\":\"%s\"}".formatted("y".repeat(8 * 1024));
    IllegalArgumentException tooLong =
        assertThrows(IllegalArgumentException.class, () -> order(body.put("data", long1).encode()));
    assertTrue(tooLong.getMessage().contains("at most 8192"), tooLong::getMessage);
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

  private static List<String> driven(ChosenLetters chosen, Walked walked) {
    return chosen.driven(walked).values().stream().map(Attempt::id).toList();
  }

  @Test
  void ofANamedRecordTheLastAttemptIsDriven() {
    ChosenLetters chosen = chosen(order("{\"ids\":[\"" + ID + "\"]}"));
    assertEquals(List.of("a~2"), driven(chosen, WHOLE));
    assertEquals(1, chosen.all().size());
  }

  @Test
  void whatKeepsNoWholeRecordIsNotDriven() {
    String kafka = "{\"ids\":[\"8:k#0\\t$dead-letter/kafka/plant\"]}";
    ChosenLetters chosen = chosen(order(kafka));
    assertEquals(List.of(), driven(chosen, WHOLE));
    LetterPlace place = chosen.all().iterator().next();
    Outcome outcome = chosen.undriven(place, WHOLE);
    assertEquals("refused no_record", outcome.word() + " " + outcome.reason());
  }

  @Test
  void whereTheLastAttemptIsNotKnownNothingIsDriven() {
    ChosenLetters chosen =
        chosen(order("{\"ids\":[\"" + ID + "\",\"9:c#0\\t$dead-letter/script/s\"]}"));
    Walked without = new Walked(Optional.empty(), Set.of("n2/redis"));
    assertEquals(List.of(), driven(chosen, without));
    LetterPlace first = chosen.all().iterator().next();
    Outcome outcome = chosen.undriven(first, without);
    assertEquals("refused incomplete", outcome.word() + " " + outcome.reason());
    assertTrue(outcome.why().contains("n2/redis"), outcome::why);
    Walked some = new Walked(Optional.of(new LetterPlace(9, "c#0", SCRIPT)), Set.of());
    assertEquals(List.of("a~2"), driven(chosen, some), "of c there may be more");
    Outcome unread = chosen.undriven(new LetterPlace(9, "c#0", SCRIPT), some);
    assertTrue(unread.why().contains("name fewer"), unread::why);
    assertEquals(List.of("a~2", "c~1"), driven(chosen, WHOLE));
  }
}
