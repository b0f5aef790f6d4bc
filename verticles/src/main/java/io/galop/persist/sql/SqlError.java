package io.galop.persist.sql;

import org.jspecify.annotations.Nullable;

/** The database answers with an error. */
public final class SqlError extends Exception {
  private static final long serialVersionUID = 1L;

  private final int code;
  private final String state;

  /**
   * What the database has answered.
   *
   * @param code the database's own number, 0 if it has none
   * @param state of five characters as in the standard; null if it tells none
   */
  public SqlError(String message, int code, @Nullable String state, Throwable cause) {
    super(message, cause);
    this.code = code;
    this.state = state == null ? "" : state;
  }

  public int code() {
    return code;
  }

  /** Five characters, of which the first two are the class; empty if none was told. */
  public String state() {
    return state;
  }
}
