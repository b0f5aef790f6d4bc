package io.galop.ops.letters;

import io.galop.letter.DeadLetterLine;
import io.galop.ops.audit.ActHandler.Answer;
import io.galop.ops.letters.LetterDoor.Outcome;
import io.galop.ops.letters.LetterSearch.Walked;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What is answered to who had letters driven again. Pure functions. */
final class RedriveJson {
  private static final List<String> WORDS =
      List.of("acknowledged", "failed_again", "refused", "unanswered", "unknown");

  private RedriveJson() {}

  /**
   * {@code {"letters":[{"id":…,"outcome":…,"sentAs":…,"topic":…,"reason":…,"why":…},…],
   * "acknowledged":n,"failed_again":n,"refused":n,"unanswered":n,"unknown":n,"passedOver":n,
   * "missing":[…]}}, of a filter with {@code "after"} if there are more.
   *
   * @param found what was sent for each letter that could be driven
   * @param outcomes by the name of the record
   */
  static JsonObject of(
      ChosenLetters chosen,
      Map<LetterPlace, DeadLetterLine> found,
      Map<String, Outcome> outcomes,
      FailedAgain again,
      Walked walked) {
    JsonArray letters = new JsonArray();
    JsonObject counts = new JsonObject();
    WORDS.forEach(word -> counts.put(word, 0));
    for (LetterPlace place : chosen.all()) {
      DeadLetterLine line = found.get(place);
      Outcome outcome =
          line == null
              ? undriven(chosen, place, walked)
              : again
                  .of(line)
                  .orElseGet(() -> Objects.requireNonNull(outcomes.get(line.recordName())));
      letters.add(one(place, line, outcome));
      counts.put(outcome.word(), counts.getInteger(outcome.word()) + 1);
    }
    JsonObject body =
        new JsonObject()
            .put("letters", letters)
            .mergeIn(counts)
            .put("passedOver", chosen.passedOver())
            .put("missing", new JsonArray(List.copyOf(walked.missing())));
    walked
        .next()
        .filter(next -> chosen.isByFilter())
        .ifPresent(next -> body.put("after", next.text()));
    return body;
  }

  private static JsonObject one(LetterPlace place, @Nullable DeadLetterLine line, Outcome outcome) {
    JsonObject one = new JsonObject().put("id", place.text());
    if (line != null) {
      one.put("sentAs", line.nextId()).put("topic", line.topic());
    }
    one.put("outcome", outcome.word());
    return outcome.isAcknowledged()
        ? one
        : one.put("reason", outcome.reason()).put("why", outcome.why());
  }

  private static Outcome undriven(ChosenLetters chosen, LetterPlace place, Walked walked) {
    return chosen
        .unfit(place)
        .map(why -> Outcome.refused("no_record", why))
        .orElseGet(() -> new Outcome("unknown", "unknown_letter", unfound(walked)));
  }

  private static String unfound(Walked walked) {
    if (walked.next().isPresent()) {
      return "it was not looked for among all letters between those named; name fewer";
    }
    return walked.missing().isEmpty()
        ? "there is no such letter"
        : "nobody who answered has such a letter; without " + String.join(", ", walked.missing());
  }

  /** An order that was not followed for some letter is no success, whatever became of others. */
  static Answer answer(JsonObject body) {
    int acknowledged = body.getInteger("acknowledged");
    JsonArray letters = body.getJsonArray("letters");
    if (acknowledged == letters.size()) {
      return new Answer(200, body);
    }
    JsonObject first =
        letters.stream()
            .map(JsonObject.class::cast)
            .filter(one -> one.containsKey("why"))
            .findFirst()
            .orElseThrow();
    String error =
        "acknowledged %d of %d; %s: %s"
            .formatted(
                acknowledged, letters.size(), first.getString("reason"), first.getString("why"));
    return new Answer(409, body.put("error", error).put("reason", "not_all"));
  }
}
