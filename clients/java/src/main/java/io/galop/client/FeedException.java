package io.galop.client;

/**
 * A subscription has ended otherwise than by the program's own wish, or the node has refused
 * something.
 */
public final class FeedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String reason;
  private final int code;

  FeedException(String reason, String message, int code) {
    super(message + " (" + reason + ")");
    this.reason = reason;
    this.code = code;
  }

  /** A stable word: {@code slow_consumer}, {@code access_denied}, {@code token_expired} … */
  public String reason() {
    return reason;
  }

  /** The number of a disconnect or of an HTTP status, or 0. */
  public int code() {
    return code;
  }
}
