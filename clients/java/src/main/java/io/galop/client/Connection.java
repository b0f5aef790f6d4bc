package io.galop.client;

/**
 * The connection, with the last disconnect's code and reason.
 *
 * @param url of the node that it is about
 * @param code a disconnect's code (3001 …), the HTTP status of a refusal (401 …), a close code or 0
 * @param reason the stable word of the code, such as {@code slow}; may be empty
 * @param message a sentence for people; may be empty
 * @param retryMs while it waits: after how many milliseconds it comes back; else 0
 */
public record Connection(
    State state, String url, int code, String reason, String message, long retryMs) {
  /** How it is. */
  public enum State {
    CONNECTING,
    LIVE,
    /** Connected, but nothing is heard. */
    SILENT,
    /** Lost; it comes back by itself. */
    WAITING,
    CLOSED
  }
}
