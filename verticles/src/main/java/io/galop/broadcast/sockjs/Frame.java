package io.galop.broadcast.sockjs;

/**
 * What browsers are sent: one JSON message, encoded once per event loop and filter and shared by
 * all Subscribers of the filter.
 */
public final class Frame {
  private final String text;
  private final byte[] element;
  private final int records;

  private Frame(String text, int records) {
    this.text = text;
    this.element = SockJsElement.of(text);
    this.records = records;
  }

  /** A message that carries a record. */
  public static Frame ofRecord(String text) {
    return new Frame(text, 1);
  }

  /** A word about the feed or the connection. */
  public static Frame ofControl(String text) {
    return new Frame(text, 0);
  }

  /** The message, as the raw websocket sends it. */
  public String text() {
    return text;
  }

  /** The message as an element of a SockJS array: a JSON string in UTF-8, not to be changed. */
  byte[] element() {
    return element;
  }

  /** Whether it carries a record, and not a word about the feed. */
  public boolean isRecord() {
    return records > 0;
  }

  /** How many records it carries: one or none. */
  public int records() {
    return records;
  }

  /** What it counts for in an outbox: its bytes in a SockJS array. */
  public int size() {
    return element.length + 1;
  }
}
