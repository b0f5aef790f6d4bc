package io.galop.ops.letters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.ops.letters.LetterDoor.Outcome;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Lines come in in their order, or not at all. */
@Timeout(120)
class LetterDoorTest {
  private static final String DONE = "{'accepted':1,'rejected':[]}";
  private static final String FULL =
      "{'accepted':0,'rejected':[],'error':'full','retryAfterMs':60}";
  private static final String CLOSING =
      "{'accepted':0,'rejected':[],'error':'going','reason':'shutdown'}";
  private static final long LONG_MS = 100_000;

  private final Vertx vertx = Vertx.vertx();
  private final List<String> sent = new CopyOnWriteArrayList<>();
  private final Deque<String> answers = new ArrayDeque<>();

  @AfterEach
  void close() throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  private static JsonObject json(String text) {
    return new JsonObject(text.replace('\'', '"'));
  }

  /** The last answer is that of all others too; an empty one is none. */
  private Future<JsonObject> answer(String node, String lines) {
    sent.add(node + " " + lines.lines().map(line -> line.substring(0, 1)).distinct().toList());
    String answer = answers.size() > 1 ? answers.poll() : answers.peek();
    return answer.isEmpty()
        ? Future.failedFuture("nobody is there")
        : Future.succeededFuture(json(answer));
  }

  private String send(long patienceMs, List<String> takers, List<String> lines) throws Exception {
    Loop loop = Loop.current(vertx);
    LetterDoor door = new LetterDoor(loop, () -> takers, this::answer, patienceMs);
    List<Outcome> outcomes =
        loop.call(() -> door.send(lines))
            .toCompletionStage()
            .toCompletableFuture()
            .get(60, TimeUnit.SECONDS);
    assertEquals(lines.size(), outcomes.size());
    return outcomes.stream()
        .map(outcome -> outcome.word() + "/" + outcome.reason())
        .distinct()
        .collect(Collectors.joining(" "));
  }

  /** More than one batch. */
  private static List<String> twoBatches() {
    List<String> lines = new ArrayList<>(Collections.nCopies(256, "a\n"));
    lines.addAll(Collections.nCopies(3, "b\n"));
    return lines;
  }

  @Test
  void aBatchThatIsNotTakenForNowComesAgainBeforeTheNext() throws Exception {
    answers.addAll(List.of(FULL, FULL, DONE));
    assertEquals("acknowledged/", send(LONG_MS, List.of("n"), twoBatches()));
    assertEquals(List.of("n [a]", "n [a]", "n [a]", "n [b]"), sent);
  }

  @Test
  void ofABatchOnlyWhatWasNotTakenComesAgain() throws Exception {
    answers.add("{'accepted':1,'rejected':[{'line':2,'reason':'unavailable','detail':'moving'}]}");
    answers.add(DONE);
    assertEquals("acknowledged/", send(LONG_MS, List.of("n"), List.of("a\n", "b\n")));
    assertEquals(List.of("n [a, b]", "n [b]"), sent);
  }

  @Test
  void whereABatchIsNotTakenNoLaterOneIsSent() throws Exception {
    answers.add(FULL);
    assertEquals("refused/unavailable refused/unsent", send(0, List.of("n"), twoBatches()));
    answers.clear();
    answers.add("{'accepted':0,'rejected':[{'line':7,'reason':'over_quota','detail':'disk'}]}");
    String some = send(0, List.of("n"), twoBatches());
    assertEquals("acknowledged/ refused/over_quota refused/unsent", some);
    answers.clear();
    answers.add("");
    String none = send(LONG_MS, List.of("n"), twoBatches());
    assertEquals("unanswered/not_ready refused/unsent", none);
    assertTrue(sent.stream().noneMatch(one -> one.contains("b")), sent::toString);
  }

  @Test
  void whoeverGoesOrDoesNotAnswerIsFollowedByAnother() throws Exception {
    answers.addAll(List.of(CLOSING, DONE));
    assertEquals("acknowledged/", send(LONG_MS, List.of("n", "m"), List.of("a\n")));
    assertEquals(List.of("n [a]", "m [a]"), sent);
    answers.addAll(List.of("", DONE));
    answers.poll();
    assertEquals("acknowledged/", send(LONG_MS, List.of("n", "m"), List.of("a\n")));
    assertEquals(List.of("n [a]", "m [a]", "n [a]", "m [a]"), sent);
  }

  @Test
  void eachLineIsToldWhatBecameOfIt() {
    String answer = "{'accepted':1,'rejected':[{'line':2,'reason':'too_large','detail':'by far'}]}";
    List<Outcome> outcomes = LetterDoor.outcomes(json(answer), 2);
    assertTrue(outcomes.get(0).isAcknowledged());
    assertEquals(Outcome.refused("too_large", "by far"), outcomes.get(1));
    assertEquals(
        List.of(Outcome.refused("unavailable", "full")), LetterDoor.outcomes(json(FULL), 1));
  }
}
