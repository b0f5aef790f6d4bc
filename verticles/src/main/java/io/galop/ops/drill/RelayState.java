package io.galop.ops.drill;

import java.util.Locale;

/** What is known of a drill at a relay. */
enum RelayState {
  /** Its viewers are about to come, or to be shown what was sent. */
  WAITING,
  /** They are there. */
  WATCHING,
  /** They were shown what was sent. */
  PASSED,
  /** They were not. */
  FAILED,
  /** It was told, and may not answer. */
  TOLD,
  /** Nothing can be said: it has no feed, is not ready, is at another drill or not reached. */
  UNKNOWN;

  /** Whether something was found. */
  boolean isKnown() {
    return this == PASSED || this == FAILED;
  }

  /** Which of two words of the same relay counts: the one that says more. */
  int weight() {
    return switch (this) {
      case UNKNOWN -> 0;
      case TOLD -> 1;
      case WAITING, WATCHING -> 2;
      case PASSED -> 3;
      case FAILED -> 4;
    };
  }

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The one of a word that a relay says; one that is none says nothing. */
  static RelayState of(String word) {
    for (RelayState one : values()) {
      if (one.word().equals(word)) {
        return one;
      }
    }
    return UNKNOWN;
  }
}
