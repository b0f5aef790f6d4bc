package io.galop.persist.mysql;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The database answers with an error. */
final class MysqlError extends Exception {
  private static final long serialVersionUID = 1L;

  /**
   * Errors that are about a record: too long for its column, not of its type or character set,
   * against a check of the table, larger than a packet.
   */
  private static final Set<Integer> BAD = Set.of(1048, 1153, 1264, 1292, 1366, 1406, 3819, 4025);

  private final int code;
  private final String state;

  MysqlError(String message, int code, @Nullable String state, Throwable cause) {
    super(message, cause);
    this.code = code;
    this.state = state == null ? "" : state;
  }

  /** Classes of SQL states: 22 is data, 45 is what a trigger of the table signals. */
  boolean isAboutTheRecord() {
    return BAD.contains(code) || state.startsWith("22") || state.startsWith("45");
  }
}
