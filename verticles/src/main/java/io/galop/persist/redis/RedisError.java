package io.galop.persist.redis;

import static java.util.stream.Collectors.joining;

import java.util.regex.Pattern;

/** The server answers with an error. */
final class RedisError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The client of Vert.x tells the errors of a batch with their places, one after the other. */
  private static final Pattern PLACE = Pattern.compile("(?:^|\\s+)ERR \\[\\d+] ");

  RedisError(String message) {
    super(words(message), null, false, false);
  }

  /** Each thing once, as all commands of a batch may meet with the same. */
  static String words(String message) {
    return PLACE
        .splitAsStream(message)
        .filter(error -> !error.isBlank())
        .distinct()
        .collect(joining("; "));
  }
}
