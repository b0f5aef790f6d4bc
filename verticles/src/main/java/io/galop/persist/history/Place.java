package io.galop.persist.history;

import io.galop.persist.store.ColdKey;
import java.util.Optional;
import java.util.Set;

/**
 * Where the next page of an answer begins, and what its pages are without: the text that travels
 * between them, {@code !redis,mysql!<timeUs>:<id>}, a tab and the topic.
 */
record Place(Set<String> without, Optional<ColdKey> key) {

  String text() {
    String names = without.isEmpty() ? "" : "!" + String.join(",", without) + "!";
    return names + key.map(Order::text).orElse("");
  }

  /**
   * Reads a text.
   *
   * @throws IllegalArgumentException if it is no place
   */
  static Place parse(String text) {
    if (!text.startsWith("!")) {
      return new Place(Set.of(), Order.parse(text));
    }
    int end = text.indexOf('!', 1);
    if (end < 0) {
      throw new IllegalArgumentException("'" + text + "' is not the 'next' of a page");
    }
    return new Place(
        Set.of(text.substring(1, end).split(",")), Order.parse(text.substring(end + 1)));
  }
}
