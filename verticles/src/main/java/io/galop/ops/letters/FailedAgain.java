package io.galop.ops.letters;

import io.galop.letter.DeadLetterLine;
import io.galop.letter.LatestLetters.Attempt;
import io.galop.ops.letters.LetterDoor.Outcome;
import io.galop.ops.letters.LetterSearch.Walked;
import io.galop.record.DerivedId;
import io.galop.record.Placed;
import io.galop.record.Record;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Which records became dead letters again as they were driven, or what was made of them did, on
 * whatever topic. A door acknowledges these too, when the new letter is on disk. What a store
 * refuses comes later, and what a step gives another time is elsewhere: neither is seen here. For
 * one thread at a time.
 */
final class FailedAgain {
  private static final byte[] NONE = {};

  private final Set<String> sent = new HashSet<>();
  private final Map<String, Outcome> failed = new HashMap<>();

  FailedAgain(Collection<Attempt> driven) {
    driven.forEach(attempt -> sent.add(name(attempt.topic(), attempt.id())));
  }

  /** The id with which a record came in, and the mark of the topic on which it did. */
  private static String name(String topic, String id) {
    String origin = DerivedId.origin(new Record(id, topic, 0, NONE));
    return DerivedId.raw(id) + '\t' + origin;
  }

  /** Looks at a letter of the time of those that were driven; another one is wanted. */
  boolean take(Placed placed) {
    DeadLetterLine line;
    try {
      line = DeadLetterLine.of(placed.record().topic(), placed.record().data());
    } catch (RuntimeException noLetter) { // of whatever was written there
      return true;
    }
    String name = name(line.topic(), line.id());
    if (sent.contains(name)) {
      failed.put(name, new Outcome("failed_again", line.reason(), line.detail()));
    }
    return true;
  }

  /**
   * What is to be said of a record.
   *
   * @param outcome what the door said
   * @param looked how far the letters were read behind that
   */
  Outcome of(Attempt driven, Outcome outcome, Walked looked) {
    Outcome again = failed.get(name(driven.topic(), driven.id()));
    if (again != null) {
      return again;
    }
    Long timeUs = driven.letter().timeUs();
    boolean isLooked = timeUs != null && looked.isWhole(timeUs);
    return outcome.isAcknowledged() && !isLooked
        ? Outcome.unchecked("taken; whether it failed again is not known: " + looked.gap())
        : outcome;
  }
}
