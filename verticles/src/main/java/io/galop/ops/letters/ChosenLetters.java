package io.galop.ops.letters;

import io.galop.letter.DeadLetterLine;
import io.galop.letter.LatestLetters;
import io.galop.letter.LatestLetters.Attempt;
import io.galop.ops.letters.LetterDoor.Outcome;
import io.galop.ops.letters.LetterSearch.Walked;
import io.galop.record.Placed;
import io.galop.record.Record;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The letters that an order names, as they are found, the oldest first, and of each record the last
 * attempt. For one thread at a time.
 */
final class ChosenLetters {
  /** Of data that are kept in memory. */
  private static final long MOST_BYTES = 16L * 1024 * 1024;

  private static final String NO_RECORD =
      "it keeps no whole record of Galop; mend what makes such letters";

  private final Set<LetterPlace> named;
  private final Set<Long> timesUs;
  private final Map<LetterPlace, DeadLetterLine> found = new LinkedHashMap<>();
  private final Map<LetterPlace, String> unfit = new LinkedHashMap<>();
  private final LatestLetters latest = new LatestLetters();
  private long bytes;

  ChosenLetters(RedriveOrder order) {
    this.named = order.ids();
    this.timesUs = named.stream().map(LetterPlace::timeUs).collect(Collectors.toUnmodifiableSet());
  }

  /** Takes a letter of the time of one that is named; whether there is room for another. */
  boolean take(Placed placed) {
    Record letter = placed.record();
    if (timesUs.contains(letter.timeUs())) {
      bytes += letter.data().length;
      read(LetterPlace.of(letter), letter);
    }
    return bytes < MOST_BYTES;
  }

  private void read(LetterPlace place, Record letter) {
    boolean isNamed = named.contains(place);
    DeadLetterLine line;
    try {
      line = DeadLetterLine.of(letter.topic(), letter.data());
    } catch (RuntimeException noLetter) { // of whatever was written there
      if (isNamed) {
        unfit.put(place, "it " + noLetter.getMessage());
      }
      return;
    }
    if (line.isNoRecord()) {
      if (isNamed) {
        unfit.put(place, NO_RECORD);
      }
      return;
    }
    latest.add(line);
    if (isNamed) {
      found.put(place, line);
    }
  }

  /** What is sent for each letter of which all attempts are known. */
  Map<LetterPlace, Attempt> driven(Walked walked) {
    Map<LetterPlace, Attempt> driven = new LinkedHashMap<>();
    found.forEach(
        (place, line) -> {
          if (walked.isWhole(place.timeUs())) {
            driven.put(place, latest.next(line));
          }
        });
    return driven;
  }

  /** What is said of a letter for which nothing is sent. */
  Outcome undriven(LetterPlace place, Walked walked) {
    String why = unfit.get(place);
    if (why != null) {
      return Outcome.refused("no_record", why);
    }
    return walked.isWhole(place.timeUs())
        ? new Outcome("unknown", "unknown_letter", "there is no such letter")
        : Outcome.refused(
            "incomplete", "it was not sent, as its last attempt is not known: " + walked.gap());
  }

  /** Those that were named. */
  Set<LetterPlace> all() {
    return named;
  }
}
