package io.galop.persist.postgres;

import io.galop.persist.sql.SqlError;
import io.galop.persist.store.BadRecordException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the server's errors mean: a record is bad, or a cause that an operator can do something
 * about. Everything else, such as a server that shuts down (57P01) or starts (57P03), a deadlock or
 * a connection that is lost, is tried again without further words.
 */
final class PostgresErrors {
  /** What was given cannot be a value of its column, and {@code 23}: it is against a constraint. */
  private static final String DATA = "22";

  /** A sequence of the table is used up. */
  private static final String NO_NUMBER = "2200H";

  private static final String CONSTRAINT = "23";

  /** What a trigger of the table raises. */
  private static final String RAISED = "P0001";

  /**
   * A limit is exceeded: a value does not fit into an index that an operator has made, or the
   * server writes nothing at all any more, as its transaction ids (varsup.c), multixacts
   * (multixact.c), queue of notifications (async.c) or the table's blocks (md.c, bufmgr.c) are used
   * up. Words and codes do not tell them apart, the words not in every language. A trigger that
   * collects into a table of its own meets the limits of that one.
   */
  private static final String LIMIT = "54000";

  /**
   * The files of PostgreSQL's sources that put values into indexes and tables. A limit that another
   * file tells is not taken for the record's: rather wait than give up a record for nothing.
   */
  private static final Set<String> OF_VALUES =
      Set.of(
          "nbtutils.c",
          "nbtinsert.c",
          "indextuple.c",
          "hashinsert.c",
          "gist.c",
          "gistutil.c",
          "ginentrypage.c",
          "spgdoinsert.c",
          "spgutils.c",
          "brin_pageops.c",
          "hio.c",
          "to_tsany.c",
          "tsvector.c",
          "tsvector_op.c",
          "jsonb.c",
          "jsonb_util.c");

  private static final Map<String, String> MEANINGS =
      Map.of(
          "25006",
          "the server takes no writes: it is a standby, or default_transaction_read_only is set;"
              + " give the host of the primary",
          "53100",
          "the server's disk is full; what waits is stored when there is room again",
          "53200",
          "the server is out of memory",
          "53300",
          "the server has no connection left: raise max_connections, or lower sink.inFlight and"
              + " readers",
          "28P01",
          "the server refuses the user or the password",
          "3D000",
          "the database does not exist; create it",
          "42501",
          "the user lacks a right; it needs CREATE on the schema once, and SELECT, INSERT, UPDATE"
              + " and DELETE on the tables");

  private PostgresErrors() {}

  /** The same failure, told in an operator's words where there are some. */
  static Throwable told(Throwable failure) {
    return failure instanceof SqlError error ? told(error) : failure;
  }

  private static Throwable told(SqlError error) {
    return Optional.ofNullable(MEANINGS.get(error.state()))
        .<Throwable>map(
            meaning ->
                new SqlError(
                    meaning + ": " + error.getMessage(), 0, error.state(), error.source(), error))
        .orElseGet(() -> SqlError.reopening(error));
  }

  /** The same, where records were written: one of them may be to blame. */
  static Throwable ofRecords(Throwable failure) {
    return failure instanceof SqlError error && isAboutTheRecord(error.state(), error.source())
        ? new BadRecordException(String.valueOf(error.getMessage()), error)
        : told(failure);
  }

  /** Told before the server is asked: its own words would be about an encoding. */
  static BadRecordException nul() {
    return new BadRecordException(
        "PostgreSQL cannot hold the character U+0000, which is in the id or the topic", null);
  }

  /**
   * Whether no other attempt would store the record.
   *
   * @param source the file of PostgreSQL's sources that tells it
   */
  static boolean isAboutTheRecord(String state, String source) {
    return state.startsWith(DATA) && !state.equals(NO_NUMBER)
        || state.startsWith(CONSTRAINT)
        || state.equals(RAISED)
        || state.equals(LIMIT) && OF_VALUES.contains(source);
  }
}
