package io.galop.ops.letters;

import io.galop.letter.DeadLetterLine;
import io.galop.ops.letters.LetterDoor.Outcome;
import io.galop.record.DerivedId;
import io.galop.record.Placed;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which records became dead letters again as they were driven. A door acknowledges these too, when
 * the new letter is on disk; what a store refuses comes later, and is not seen here. For one thread
 * at a time.
 */
final class FailedAgain {
  private final Set<String> sent = new HashSet<>();
  private final Map<String, Outcome> failed = new HashMap<>();

  FailedAgain(Collection<DeadLetterLine> driven) {
    driven.forEach(line -> sent.add(name(line.topic(), line.nextId())));
  }

  private static String name(String topic, String id) {
    return topic + '\t' + id;
  }

  /** Looks at a letter of the time of those that were driven; another one is wanted. */
  boolean take(Placed placed) {
    DeadLetterLine line;
    try {
      line = DeadLetterLine.of(placed.record().topic(), placed.record().data());
    } catch (RuntimeException noLetter) { // of whatever was written there
      return true;
    }
    String name = name(line.topic(), DerivedId.raw(line.id()));
    if (sent.contains(name)) {
      failed.put(name, new Outcome("failed_again", line.reason(), line.detail()));
    }
    return true;
  }

  /** What is to be said of it instead. */
  Optional<Outcome> of(DeadLetterLine driven) {
    return Optional.ofNullable(failed.get(name(driven.topic(), driven.nextId())));
  }
}
