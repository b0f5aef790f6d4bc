package io.galop.ops.letters;

import io.galop.json.JsonLine;
import io.galop.ops.letters.LetterSearch.Range;
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
 * /dead-letters} names them, of a single one with other {@code "data"}; or {@code
 * {"filter":…,"reason":…,"limit":…,"after":…}}, the oldest first.
 *
 * @param ids empty where a filter is given
 * @param data empty: as they came
 * @param reason empty: any
 * @param after letters behind it, the oldest first
 */
record RedriveOrder(
    Set<LetterPlace> ids,
    Optional<String> data,
    String filter,
    String reason,
    int limit,
    Optional<LetterPlace> after) {
  private static final int MOST_IDS = LetterQuestion.MOST_LETTERS;
  private static final int MOST_BY_FILTER = 1_000;
  private static final Set<String> BY_ID = Set.of("ids", "data");
  private static final Set<String> BY_FILTER = Set.of("filter", "reason", "limit", "after");
  private static final String EITHER =
      "the body must be {\"ids\":[…]}, of one id also with \"data\", or {\"filter\":…} with"
          + " \"reason\", \"limit\" and \"after\" as you like";

  /**
   * Reads a body.
   *
   * @throws IllegalArgumentException saying what is wrong
   */
  static RedriveOrder of(@Nullable JsonObject body, int maxFilterBytes) {
    try {
      if (body != null && body.containsKey("ids") && BY_ID.containsAll(body.fieldNames())) {
        return byId(body.getJsonArray("ids"), Optional.ofNullable(body.getString("data")));
      }
      if (body != null && body.containsKey("filter") && BY_FILTER.containsAll(body.fieldNames())) {
        return byFilter(body, maxFilterBytes);
      }
    } catch (ClassCastException | DecodeException wrong) {
      throw new IllegalArgumentException(EITHER, wrong);
    }
    throw new IllegalArgumentException(EITHER);
  }

  private static RedriveOrder byId(@Nullable JsonArray given, Optional<String> data) {
    if (given == null || given.isEmpty() || given.size() > MOST_IDS) {
      throw new IllegalArgumentException("ids must name 1 to " + MOST_IDS + " dead letters");
    }
    Set<LetterPlace> ids = new LinkedHashSet<>();
    given.forEach(id -> ids.add(LetterPlace.parse(String.valueOf(id))));
    if (data.isPresent() && ids.size() != 1) {
      throw new IllegalArgumentException("data are of one dead letter; name no other");
    }
    data.ifPresent(RedriveOrder::check);
    return new RedriveOrder(ids, data, LetterQuestion.ALL, "", MOST_IDS, Optional.empty());
  }

  private static void check(String data) {
    try {
      JsonLine.scan(data.getBytes(StandardCharsets.UTF_8), Set.of());
    } catch (IllegalArgumentException wrong) {
      throw new IllegalArgumentException("the mended data " + wrong.getMessage(), wrong);
    }
  }

  private static RedriveOrder byFilter(JsonObject body, int maxFilterBytes) {
    Integer limit = body.getInteger("limit", MOST_BY_FILTER);
    if (limit == null || limit < 1 || limit > MOST_BY_FILTER) {
      throw new IllegalArgumentException(
          "limit must be a whole number from 1 to " + MOST_BY_FILTER);
    }
    return new RedriveOrder(
        Set.of(),
        Optional.empty(),
        LetterQuestion.filter(body.getString("filter"), maxFilterBytes),
        Optional.ofNullable(body.getString("reason")).orElse(""),
        limit,
        Optional.ofNullable(body.getString("after")).map(LetterPlace::parse));
  }

  boolean isByFilter() {
    return ids.isEmpty();
  }

  /** Where they are. Attempts have the time of the first, so that later ones are in it too. */
  Range range() {
    if (isByFilter()) {
      return new Range(filter, Long.MIN_VALUE, Long.MAX_VALUE, after);
    }
    long fromUs = ids.stream().mapToLong(LetterPlace::timeUs).min().orElseThrow();
    long toUs = ids.stream().mapToLong(LetterPlace::timeUs).max().orElseThrow();
    return new Range(filter, fromUs, toUs, Optional.empty());
  }
}
