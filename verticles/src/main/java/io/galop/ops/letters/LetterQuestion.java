package io.galop.ops.letters;

import io.galop.record.DeadLetterData;
import io.galop.record.TopicFilter;
import io.vertx.core.MultiMap;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What {@code GET /dead-letters} is asked, checked.
 *
 * @param filter of their topics
 * @param reason their word; empty: any
 * @param before letters behind it, the newest first; empty: from the newest on
 * @param id the only one that is wanted, with all of its data
 */
record LetterQuestion(
    String filter,
    String reason,
    int limit,
    Optional<LetterPlace> before,
    Optional<LetterPlace> id) {
  static final String ALL = DeadLetterData.ROOT + "/#";
  static final int MOST_LETTERS = 200;
  private static final int LETTERS = 50;

  /**
   * Reads parameters.
   *
   * @throws IllegalArgumentException saying what is wrong
   */
  static LetterQuestion of(MultiMap given, int maxFilterBytes) {
    return new LetterQuestion(
        filter(given.get("filter"), maxFilterBytes),
        Optional.ofNullable(given.get("reason")).orElse(""),
        limit(given.get("limit")),
        Optional.ofNullable(given.get("before")).map(LetterPlace::behind),
        Optional.ofNullable(given.get("id")).map(LetterPlace::parse));
  }

  /**
   * A filter of dead-letter topics, and of no others: this is no way to look at or drive what else
   * there is.
   */
  static String filter(@Nullable String given, int maxFilterBytes) {
    if (given == null || given.isEmpty()) {
      return ALL;
    }
    if (!given.startsWith(DeadLetterData.ROOT + "/")) {
      throw new IllegalArgumentException(
          "filter '%s' must begin with %s/".formatted(given, DeadLetterData.ROOT));
    }
    return TopicFilter.parse(given, maxFilterBytes).toString();
  }

  private static int limit(@Nullable String given) {
    if (given == null) {
      return LETTERS;
    }
    if (given.matches("[1-9][0-9]{0,2}") && Integer.parseInt(given) <= MOST_LETTERS) {
      return Integer.parseInt(given);
    }
    throw new IllegalArgumentException("limit must be a whole number from 1 to " + MOST_LETTERS);
  }
}
