package io.galop.persist.history;

import io.galop.persist.store.ColdKey;
import io.galop.record.Placed;
import java.util.Comparator;
import java.util.Optional;

/**
 * The order of an answer: by event time, then by id, then by topic, oldest or newest first; and the
 * text in which a place in it travels, {@code <timeUs>:<id>}, a tab and the topic.
 */
record Order(boolean newestFirst) implements Comparator<ColdKey> {

  /** Stands in neither ids nor topics. */
  private static final char TOPIC = '\t';

  @Override
  public int compare(ColdKey a, ColdKey b) {
    return newestFirst ? b.compareTo(a) : a.compareTo(b);
  }

  /** Whether a time comes behind another, so far as times alone tell. */
  boolean isBehind(long timeUs, long otherUs) {
    return newestFirst ? timeUs < otherUs : timeUs > otherUs;
  }

  static ColdKey key(Placed placed) {
    return ColdKey.of(placed.record());
  }

  static String text(ColdKey key) {
    return key.timeUs() + ":" + key.id() + TOPIC + key.topic();
  }

  /**
   * The place that a text means; empty for the beginning.
   *
   * @throws IllegalArgumentException if it is no place
   */
  static Optional<ColdKey> parse(String text) {
    if (text.isEmpty()) {
      return Optional.empty();
    }
    int colon = text.indexOf(':');
    if (colon < 1) {
      throw new IllegalArgumentException("'" + text + "' is not the 'next' of a page");
    }
    int tab = text.indexOf(TOPIC, colon);
    int end = tab < 0 ? text.length() : tab;
    return Optional.of(
        new ColdKey(
            Long.parseLong(text.substring(0, colon)),
            text.substring(colon + 1, end),
            text.substring(Math.min(text.length(), end + 1))));
  }
}
