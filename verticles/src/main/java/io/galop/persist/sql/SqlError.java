package io.galop.persist.sql;

import io.galop.persist.store.ReopenException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The database answers with an error. */
public final class SqlError extends Exception {
  private static final String MISSING =
      "a table of Galop is missing; it is made again and filled as far as the Log reaches";

  private static final long serialVersionUID = 1L;

  /** A table that is not there, as MySQL and PostgreSQL call it. */
  private static final Set<String> MISSING_TABLE = Set.of("42S02", "42P01");

  private final int code;
  private final String state;
  private final String source;

  /**
   * What the database has answered.
   *
   * @param code the database's own number, 0 if it has none
   * @param state of five characters as in the standard; null if it tells none
   * @param source the file of its own source code that tells it; null if that is not known, or if a
   *     trigger is to blame
   */
  public SqlError(
      String message,
      int code,
      @Nullable String state,
      @Nullable String source,
      @Nullable Throwable cause) {
    super(message, cause);
    this.code = code;
    this.state = state == null ? "" : state;
    this.source = source == null ? "" : source;
  }

  /**
   * A file of the database's own source code, if what it tells is about what was asked for.
   *
   * @param path as the database names it
   * @param where the functions of triggers and such that it was in; what they do may be about other
   *     tables
   */
  static @Nullable String source(@Nullable String path, @Nullable String where) {
    boolean isWithin = where != null && !where.isEmpty();
    return path == null || isWithin ? null : path.substring(path.lastIndexOf('\\') + 1);
  }

  public int code() {
    return code;
  }

  /** Whether somebody has dropped a table of Galop's: a trigger may need others. */
  private boolean isOfMissingTable() {
    return MISSING_TABLE.contains(state) && String.valueOf(getMessage()).contains("galop_");
  }

  /** The same failure; of a missing table one after which the store is opened again. */
  public static Throwable reopening(Throwable failure) {
    return failure instanceof SqlError error && error.isOfMissingTable()
        ? new ReopenException(MISSING + ": " + error.getMessage(), error)
        : failure;
  }

  /** Five characters, of which the first two are the class; empty if none was told. */
  public String state() {
    return state;
  }

  /** A file of the database's own source code, empty if it does not say. */
  public String source() {
    return source;
  }
}
