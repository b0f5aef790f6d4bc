package io.galop.extend;

import io.galop.json.NotJson;

/** A record that was not acknowledged. Has no stack trace: its message says what to do. */
public final class NotPublished extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The reason where more is published than may be in flight. */
  static final String OVER_IN_FLIGHT = "over_in_flight";

  private final String reason;
  private final String id;

  NotPublished(String reason, String detail, String id) {
    super(reason + ": " + detail, null, false, false);
    this.reason = reason;
    this.id = id;
  }

  /** Of a record whose data cannot be printed. */
  static NotPublished malformed(NotJson data, String id) {
    String detail =
        switch (data.why()) {
          case VALUE ->
              "data%s is %s; data are texts, finite numbers, booleans, null, lists and maps"
                  .formatted(data.path(), data.what());
          case DEPTH ->
              "data are nested more deeply than %s levels, or circular".formatted(data.what());
          case LENGTH -> "data are longer than %s characters".formatted(data.what());
        };
    return new NotPublished("malformed", detail, id);
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
