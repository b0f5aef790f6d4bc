package io.galop.broadcast;

/**
 * What browsers are sent: one JSON message, encoded once per event loop and filter and shared by
 * all Subscribers of the filter.
 *
 * @param text the message, as the raw websocket sends it
 * @param isRecord whether it carries a record, and not a word about the feed
 */
record Frame(String text, boolean isRecord) {
  static Frame ofRecord(String prefix, Entry entry) {
    return new Frame(prefix.concat(entry.remainder()), true);
  }

  static Frame ofControl(String text) {
    return new Frame(text, false);
  }

  /** What it counts for in an outbox. */
  int size() {
    return text.length();
  }
}
