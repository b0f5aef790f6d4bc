package io.galop.ops.letters;

import io.galop.letter.DeadLetterLine;
import io.galop.letter.LatestLetters;
import io.galop.record.Placed;
import io.galop.record.Record;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The letters that an order is about, as they are found, the oldest first, and of each record the
 * last attempt. For one thread at a time.
 */
final class ChosenLetters {
  /** Of data that are kept in memory. */
  private static final long MOST_BYTES = 16L * 1024 * 1024;

  private static final String NO_RECORD =
      "it keeps no whole record of Galop; mend what makes such letters";

  private final RedriveOrder order;
  private final Set<Long> timesUs;
  private final Map<LetterPlace, DeadLetterLine> found = new LinkedHashMap<>();
  private final Map<LetterPlace, String> unfit = new LinkedHashMap<>();
  private final LatestLetters latest = new LatestLetters();
  private int passedOver;
  private long bytes;

  ChosenLetters(RedriveOrder order) {
    this.order = order;
    this.timesUs =
        order.ids().stream().map(LetterPlace::timeUs).collect(Collectors.toUnmodifiableSet());
  }

  /** Takes a letter if the order is about it; whether another one is wanted. */
  boolean take(Placed placed) {
    Record letter = placed.record();
    LetterPlace place = LetterPlace.of(letter);
    if (order.isByFilter() || timesUs.contains(letter.timeUs())) {
      read(place, letter);
    }
    boolean hasRoom = bytes < MOST_BYTES;
    return order.isByFilter() ? hasRoom && found.size() < order.limit() : hasRoom;
  }

  private void read(LetterPlace place, Record letter) {
    boolean isNamed = order.ids().contains(place);
    DeadLetterLine line;
    try {
      line = DeadLetterLine.of(letter.topic(), letter.data());
    } catch (RuntimeException noLetter) { // of whatever was written there
      if (isNamed) {
        unfit.put(place, "it " + noLetter.getMessage());
      }
      passedOver += order.isByFilter() ? 1 : 0;
      return;
    }
    boolean isOther = !order.reason().isEmpty() && !order.reason().equals(line.reason());
    if (isOther) {
      return;
    }
    if (line.isNoRecord()) {
      passedOver += order.isByFilter() ? 1 : 0;
      if (isNamed) {
        unfit.put(place, NO_RECORD);
      }
      return;
    }
    latest.add(line);
    bytes += letter.data().length;
    if (isNamed || order.isByFilter()) {
      found.put(place, line);
    }
  }

  /** Those that can be driven, and what is driven for each. */
  Map<LetterPlace, DeadLetterLine> found() {
    Map<LetterPlace, DeadLetterLine> driven = new LinkedHashMap<>();
    found.forEach((place, line) -> driven.put(place, latest.of(line)));
    return driven;
  }

  /** Why a letter cannot be driven that was named and found; empty: it can, or was not found. */
  Optional<String> unfit(LetterPlace place) {
    return Optional.ofNullable(unfit.get(place));
  }

  /** Those that were named, or by a filter those that were found. */
  Collection<LetterPlace> all() {
    return order.isByFilter() ? found.keySet() : order.ids();
  }

  boolean isByFilter() {
    return order.isByFilter();
  }

  /** How many were found by the filter that cannot be driven. */
  int passedOver() {
    return passedOver;
  }
}
