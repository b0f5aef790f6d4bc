package io.galop.extend;

/** A record that was not acknowledged. Has no stack trace: its message says what to do. */
public final class NotPublished extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String reason;
  private final String id;

  NotPublished(String reason, String detail, String id) {
    super(reason + ": " + detail, null, false, false);
    this.reason = reason;
    this.id = id;
  }

  /**
   * The stable word, as the doors use it. After {@code unavailable} the record may be stored all
   * the same: publish it again under the same id.
   */
  public String getReason() {
    return reason;
  }

  /** The record's id. */
  public String getId() {
    return id;
  }
}
