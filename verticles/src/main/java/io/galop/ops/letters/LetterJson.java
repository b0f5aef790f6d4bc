package io.galop.ops.letters;

import io.galop.letter.DeadLetterLine;
import io.galop.letter.LatestLetters;
import io.galop.letter.LatestLetters.Attempt;
import io.galop.record.Placed;
import io.galop.record.Record;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What is said of dead letters. Reads all of their data: for a worker thread. Pure functions. */
final class LetterJson {
  /** Of the sentence that says what went wrong; letters of Galop's have no longer one. */
  private static final int MOST_MESSAGE = 500;

  private static final int ROW_CHARACTERS = 2_000;
  private static final int VALUE_CHARACTERS = 1024 * 1024;

  private LetterJson() {}

  private record Read(Placed placed, Optional<DeadLetterLine> line, String wrong) {
    static Read of(Placed placed) {
      try {
        Record letter = placed.record();
        return new Read(placed, Optional.of(DeadLetterLine.of(letter.topic(), letter.data())), "");
      } catch (RuntimeException noLetter) { // of whatever was written there
        return new Read(placed, Optional.empty(), "it " + noLetter.getMessage());
      }
    }
  }

  /** {@code {"letters":[…],"looked":n,"more":…,"before":…,"missing":[…]}}. */
  static JsonObject of(LetterPage page, LetterQuestion asked) {
    List<Read> wanted = new ArrayList<>();
    LatestLetters latest = new LatestLetters();
    int looked = 0;
    for (Placed placed : page.letters()) {
      if (wanted.size() == asked.limit() && asked.id().isEmpty()) {
        break;
      }
      looked++;
      Read read = Read.of(placed);
      read.line().ifPresent(latest::add);
      if (isWanted(read, asked)) {
        wanted.add(read);
      }
    }
    Optional<LetterPlace> next = looked == 0 ? page.next() : page.first(looked).next();
    JsonArray letters = new JsonArray();
    wanted.forEach(read -> letters.add(json(read, latest, asked)));
    JsonObject json =
        new JsonObject()
            .put("letters", letters)
            .put("looked", looked)
            .put("more", asked.id().isEmpty() && next.isPresent())
            .put("missing", new JsonArray(List.copyOf(page.missing())));
    next.filter(more -> asked.id().isEmpty()).ifPresent(more -> json.put("before", more.text()));
    return json;
  }

  private static boolean isWanted(Read read, LetterQuestion asked) {
    if (asked.id().isPresent()) {
      return asked.id().get().equals(LetterPlace.of(read.placed().record()));
    }
    return asked.reason().isEmpty()
        || read.line().filter(line -> line.reason().equals(asked.reason())).isPresent();
  }

  private static JsonObject json(Read read, LatestLetters latest, LetterQuestion asked) {
    Record letter = read.placed().record();
    String[] levels = letter.topic().split("/", 3);
    JsonObject json =
        new JsonObject()
            .put("id", LetterPlace.of(letter).text())
            .put("topic", letter.topic())
            .put("timeUs", letter.timeUs())
            .put("pos", read.placed().position().toString())
            .put("stage", levels[1])
            .put("rule", levels.length > 2 ? levels[2] : "");
    if (read.line().isEmpty()) {
      return json.put("reason", "").put("message", read.wrong()).put("redrivable", false);
    }
    DeadLetterLine line = read.line().get();
    String data = line.data();
    int mostData = asked.id().isEmpty() ? ROW_CHARACTERS : VALUE_CHARACTERS;
    String message = line.detail();
    json.put("reason", line.reason())
        .put("message", message.substring(0, Math.min(MOST_MESSAGE, message.length())))
        .put("record", new JsonObject().put("id", line.id()).put("topic", line.topic()))
        .put("data", data.substring(0, Math.min(mostData, data.length())))
        .put("dataCut", data.length() > mostData)
        .put("redrivable", !line.isNoRecord());
    return line.isNoRecord() ? json : next(json, line, latest, asked);
  }

  /** As far as it follows from the letters that were read. */
  private static JsonObject next(
      JsonObject json, DeadLetterLine line, LatestLetters latest, LetterQuestion asked) {
    Attempt next = latest.next(line);
    if (!next.letter().id().equals(line.id())) {
      json.put("failedAgainAs", next.letter().id());
    }
    boolean isKnown = asked.id().isPresent() || !latest.isUncertain(line);
    return isKnown ? json.put("nextId", next.id()) : json;
  }
}
