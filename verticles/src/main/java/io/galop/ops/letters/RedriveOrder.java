package io.galop.ops.letters;

import io.galop.json.JsonLine;
import io.galop.ops.letters.LetterSearch.Range;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which letters an operator wants to be driven again: {@code {"ids":[…]}} as {@code GET
 * /dead-letters} names them, of a single one with other {@code "data"}.
 *
 * @param data empty: as they came
 */
record RedriveOrder(Set<LetterPlace> ids, Optional<String> data) {
  /** The audit log has the whole. */
  static final int MOST_MENDED = 8 * 1024;

  private static final int MOST_IDS = LetterQuestion.MOST_LETTERS;
  private static final Set<String> FIELDS = Set.of("ids", "data");
  private static final String WRONG =
      "the body must be {\"ids\":[…]}, of one id also with \"data\"; for all of a filter there is"
          + " galop dead-letter redrive";

  /**
   * Reads a body.
   *
   * @throws IllegalArgumentException saying what is wrong
   */
  static RedriveOrder read(Buffer body) {
    try {
      JsonObject given = new JsonObject(body);
      if (FIELDS.containsAll(given.fieldNames())) {
        return of(given.getJsonArray("ids"), Optional.ofNullable(given.getString("data")));
      }
    } catch (ClassCastException | DecodeException wrong) {
      throw new IllegalArgumentException(WRONG, wrong);
    }
    throw new IllegalArgumentException(WRONG);
  }

  private static RedriveOrder of(@Nullable JsonArray given, Optional<String> data) {
    if (given == null || given.isEmpty() || given.size() > MOST_IDS) {
      throw new IllegalArgumentException("ids must name 1 to " + MOST_IDS + " dead letters");
    }
    Set<LetterPlace> ids = new LinkedHashSet<>();
    given.forEach(id -> ids.add(LetterPlace.parse(String.valueOf(id))));
    if (data.isPresent() && ids.size() != 1) {
      throw new IllegalArgumentException("data are of one dead letter; name no other");
    }
    data.ifPresent(RedriveOrder::check);
    return new RedriveOrder(ids, data);
  }

  private static void check(String data) {
    if (data.length() > MOST_MENDED) {
      throw new IllegalArgumentException(
          ("the mended data have %d characters; at most %d can be mended here, as the audit log"
                  + " keeps them whole")
              .formatted(data.length(), MOST_MENDED));
    }
    try {
      JsonLine.scan(data.getBytes(StandardCharsets.UTF_8), Set.of());
    } catch (IllegalArgumentException wrong) {
      throw new IllegalArgumentException("the mended data " + wrong.getMessage(), wrong);
    }
  }

  /** Where they are. Attempts have the time of the first, so that later ones are in it too. */
  Range range() {
    long fromUs = ids.stream().mapToLong(LetterPlace::timeUs).min().orElseThrow();
    long toUs = ids.stream().mapToLong(LetterPlace::timeUs).max().orElseThrow();
    return new Range(LetterQuestion.ALL, fromUs, toUs, Optional.empty());
  }
}
