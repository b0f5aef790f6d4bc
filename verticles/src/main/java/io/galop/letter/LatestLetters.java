package io.galop.letter;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/** Of a record that failed several times only the last failure counts. For one thread. */
public final class LatestLetters {
  private final Map<String, DeadLetterLine> byRecord = new LinkedHashMap<>();

  /** One more; of the same attempt the first stays. */
  public void add(DeadLetterLine letter) {
    byRecord.merge(letter.recordName(), letter, (a, b) -> a.attempt() >= b.attempt() ? a : b);
  }

  /** The last failure of the record that a letter is about. */
  public DeadLetterLine of(DeadLetterLine letter) {
    return byRecord.getOrDefault(letter.recordName(), letter);
  }

  /** One for each record, in the order in which the records came. */
  public Collection<DeadLetterLine> all() {
    return byRecord.values();
  }

  /** Of how many records. */
  public int size() {
    return byRecord.size();
  }

  /** Forgets them. */
  public void clear() {
    byRecord.clear();
  }
}
