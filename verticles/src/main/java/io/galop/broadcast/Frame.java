package io.galop.broadcast;

/**
 * What browsers are sent: one JSON message, encoded once per event loop and filter and shared by
 * all Subscribers of the filter.
 */
final class Frame {
  private final String text;
  private final byte[] element;
  private final boolean isRecord;

  private Frame(String text, boolean isRecord) {
    this.text = text;
    this.element = SockJsElement.of(text);
    this.isRecord = isRecord;
  }

  static Frame ofRecord(String prefix, Entry entry) {
    return new Frame(prefix.concat(entry.remainder()), true);
  }

  static Frame ofControl(String text) {
    return new Frame(text, false);
  }

  /** The message, as the raw websocket sends it. */
  String text() {
    return text;
  }

  /** The message as an element of a SockJS array: a JSON string in UTF-8, not to be changed. */
  byte[] element() {
    return element;
  }

  /** Whether it carries a record, and not a word about the feed. */
  boolean isRecord() {
    return isRecord;
  }

  /** What it counts for in an outbox: its bytes in a SockJS array. */
  int size() {
    return element.length + 1;
  }
}
