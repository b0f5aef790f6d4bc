package io.galop.ops.letters;

import io.galop.letter.LatestLetters.Attempt;
import io.galop.ops.audit.ActHandler.Answer;
import io.galop.ops.letters.LetterDoor.Outcome;
import io.galop.ops.letters.LetterSearch.Walked;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What is answered to who had letters driven again. Pure functions. */
final class RedriveJson {
  private static final List<String> WORDS =
      List.of(
          "acknowledged",
          "acknowledged_unchecked",
          "failed_again",
          "refused",
          "unanswered",
          "unknown");

  private RedriveJson() {}

  /**
   * {@code {"letters":[{"id":…,"outcome":…,"sentAs":…,"topic":…,"reason":…,"why":…},…],
   * "missing":[…]}}, and how many have each outcome.
   *
   * @param outcomes of each letter that was named
   * @param driven what was sent for each that could be driven
   * @param walked how they were found
   * @param looked how it was looked whether they failed again
   */
  static JsonObject of(
      Map<LetterPlace, Outcome> outcomes,
      Map<LetterPlace, Attempt> driven,
      Walked walked,
      Walked looked) {
    JsonArray letters = new JsonArray();
    JsonObject counts = new JsonObject();
    WORDS.forEach(word -> counts.put(word, 0));
    outcomes.forEach(
        (place, outcome) -> {
          letters.add(one(place, driven.get(place), outcome));
          counts.put(outcome.word(), counts.getInteger(outcome.word()) + 1);
        });
    Set<String> missing = new TreeSet<>(walked.missing());
    missing.addAll(looked.missing());
    return new JsonObject()
        .put("letters", letters)
        .mergeIn(counts)
        .put("missing", new JsonArray(List.copyOf(missing)));
  }

  private static JsonObject one(LetterPlace place, @Nullable Attempt attempt, Outcome outcome) {
    JsonObject one = new JsonObject().put("id", place.text());
    if (attempt != null) {
      one.put("sentAs", attempt.id()).put("topic", attempt.topic());
    }
    one.put("outcome", outcome.word());
    return outcome.isAcknowledged()
        ? one
        : one.put("reason", outcome.reason()).put("why", outcome.why());
  }

  /**
   * 200; 202 where it is not known of some whether they failed again; 409 where an order was not
   * followed for some letter, whatever became of others.
   */
  static Answer answer(JsonObject body) {
    List<JsonObject> letters =
        body.getJsonArray("letters").stream().map(JsonObject.class::cast).toList();
    String sentAs =
        letters.stream()
            .filter(one -> one.containsKey("sentAs"))
            .map(one -> one.getString("sentAs"))
            .collect(Collectors.joining(", "));
    Map<String, String> noted = sentAs.isEmpty() ? Map.of() : Map.of("sentAs", sentAs);
    int acknowledged = body.getInteger("acknowledged");
    int taken = acknowledged + body.getInteger("acknowledged_unchecked");
    if (taken == letters.size()) {
      return new Answer(acknowledged == taken ? 200 : 202, body, noted);
    }
    JsonObject first =
        letters.stream()
            .filter(one -> !one.getString("outcome").startsWith("acknowledged"))
            .findFirst()
            .orElseThrow();
    String error =
        "acknowledged %d of %d; %s: %s"
            .formatted(taken, letters.size(), first.getString("reason"), first.getString("why"));
    return new Answer(409, body.put("error", error).put("reason", "not_all"), noted);
  }
}
