package io.galop.ops.letters;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.ops.audit.ActHandler.Answer;
import io.galop.ops.letters.LetterDoor.Outcome;
import io.galop.ops.letters.LetterSearch.Range;
import io.galop.ops.letters.LetterSearch.Walked;
import io.galop.record.DeadLetterData;
import io.galop.record.DerivedId;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.galop.record.Reason;
import io.galop.record.Record;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is told of an order whose letters are found, or not wholly, and fail again, or not. */
@Timeout(120)
class RedriveRunTest {
  private static final String SCRIPT = "$dead-letter/script/s";
  private static final String ORDER =
      "{\"ids\":[\"7:a#0\\t%s\",\"9:b#0\\t%s\"]}".formatted(SCRIPT, SCRIPT);
  private static final Walked WHOLE = new Walked(Optional.empty(), Set.of());
  private static final Walked WITHOUT = new Walked(Optional.empty(), Set.of("n2"));

  private final Vertx vertx = Vertx.vertx();
  private final List<String> sent = new CopyOnWriteArrayList<>();
  private final List<Placed> letters =
      new CopyOnWriteArrayList<>(
          List.of(
              LetterPageTest.letter(SCRIPT, "a", 7, "{}"),
              LetterPageTest.letter(SCRIPT, "b", 9, "{}")));
  private Walked first = WHOLE;
  private Walked second = WHOLE;

  /** What a step leaves as the records come in. */
  private List<Placed> more = List.of();

  @AfterEach
  void close() throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  private Future<Walked> walk(Range range, Predicate<Placed> taker) {
    for (Placed letter : letters) {
      assertTrue(taker.test(letter), "there is room");
    }
    return Future.succeededFuture(sent.isEmpty() ? first : second);
  }

  private Future<List<Outcome>> send(List<String> lines) {
    lines.forEach(line -> sent.add(new JsonObject(line).getString("id")));
    letters.addAll(more);
    JsonObject all = new JsonObject().put("accepted", lines.size());
    return Future.succeededFuture(LetterDoor.outcomes(all, lines.size()));
  }

  private String follow() throws Exception {
    Loop loop = Loop.current(vertx);
    RedriveRun run = new RedriveRun(loop, this::walk, this::send);
    JsonObject body =
        loop.call(() -> run.follow(RedriveOrderTest.order(ORDER)))
            .toCompletionStage()
            .toCompletableFuture()
            .get(60, TimeUnit.SECONDS);
    Answer answer = RedriveJson.answer(body);
    assertEquals(String.join(", ", sent), answer.noted().getOrDefault("sentAs", ""));
    return answer.status()
        + body.getJsonArray("letters").stream()
            .map(JsonObject.class::cast)
            .map(one -> " " + one.getString("outcome") + "/" + one.getString("reason", ""))
            .collect(Collectors.joining());
  }

  @Test
  void whatIsTakenIsTold() throws Exception {
    assertEquals("200 acknowledged/ acknowledged/", follow());
    assertEquals(List.of("a~1", "b~1"), sent);
  }

  @Test
  void withoutAWholeWalkNothingIsSent() throws Exception {
    first = WITHOUT;
    assertEquals("409 refused/incomplete refused/incomplete", follow());
    assertEquals(List.of(), sent);
    first = new Walked(Optional.of(new LetterPlace(8, "x", SCRIPT)), Set.of());
    assertEquals("409 acknowledged/ refused/incomplete", follow());
    assertEquals(List.of("a~1"), sent);
  }

  @Test
  void whereItIsNotKnownWhetherOneFailedAgainThatIsTold() throws Exception {
    second = WITHOUT;
    assertEquals("202 acknowledged_unchecked/unchecked acknowledged_unchecked/unchecked", follow());
    second = new Walked(Optional.of(new LetterPlace(9, "x", SCRIPT)), Set.of());
    sent.clear();
    assertEquals("202 acknowledged/ acknowledged_unchecked/unchecked", follow());
  }

  @Test
  void whatALaterStepRefusesOnAnotherTopicHasFailedAgain() throws Exception {
    Record driven = new Record("a~1", "odds/raw", 7, new byte[0]);
    more = List.of(refused(driven, "odds/clean"));
    assertEquals("409 failed_again/script_failed acknowledged/", follow());
    letters.removeAll(more);
    sent.clear();
    more = List.of(refused(new Record("a~1", "odds/other", 7, new byte[0]), "odds/clean"));
    assertEquals("200 acknowledged/ acknowledged/", follow(), "it is another publisher's");
  }

  private static Placed refused(Record from, String topic) {
    Record clean = new Record(DerivedId.of(from, 1, topic), topic, 7, "{}".getBytes(UTF_8));
    byte[] data = DeadLetterData.of(clean, Reason.SCRIPT_FAILED, "boom");
    String letters = "$dead-letter/script/late";
    Record letter = new Record(DerivedId.of(clean, 0, letters), letters, 7, data);
    return new Placed(new Position(0, 1, 3), letter);
  }
}
