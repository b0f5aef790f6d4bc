package io.galop.persist.cassandra;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.auth.AuthenticationException;
import com.datastax.oss.driver.api.core.connection.FrameTooLongException;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.QueryValidationException;
import com.datastax.oss.driver.api.core.servererrors.ReadFailureException;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import io.galop.jvm.ErrorText;
import io.galop.persist.store.BadRecordException;
import io.galop.persist.store.ReopenException;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What failures mean: a record is bad, or a cause that an operator can do something about.
 * Everything else, such as a server that is slow or overloaded, is tried again without further
 * words.
 */
final class CassandraErrors {
  /**
   * The server has one kind of error for statements that are wrong, as where a table is missing,
   * for a disk that is full, and for values that it never takes; only its words tell them apart.
   */
  private static final Pattern BAD_VALUE =
      Pattern.compile(
          "exceeds allowed maximum|oversized mutation|too large|longer than maximum"
              + "|Guardrail \\w*value_size violated|didn't validate");

  /** A reason of a server's, by the protocol. */
  private static final int TOO_MANY_TOMBSTONES = 1;

  private static final int MOST_CAUSES = 10;

  private CassandraErrors() {}

  /** Whether one of the records that were written is to blame. */
  static boolean isBadRecord(Throwable failure) {
    return failure instanceof FrameTooLongException
        || failure instanceof InvalidQueryException
            && BAD_VALUE.matcher(ErrorText.of(failure)).find();
  }

  /** The same failure, where records were written. */
  static Exception ofRecords(Throwable failure) {
    return isBadRecord(failure)
        ? new BadRecordException(ErrorText.of(failure), failure)
        : told(failure);
  }

  /**
   * The same failure, where it was looked whether all is still there. A server that only refuses
   * was there all along; any other may come back without what it took last, and the next cursor
   * that is saved would hide it.
   */
  static Exception ofLook(DriverException failure) {
    Exception told = told(failure);
    return failure instanceof QueryValidationException
        ? told
        : new ReopenException(ErrorText.of(told), told);
  }

  /** The same failure, told in an operator's words where there are some. */
  static Exception told(Throwable failure) {
    Throwable first = first(failure);
    String meaning = meaning(failure);
    if (meaning.isEmpty()) {
      return first instanceof Exception known ? known : new IllegalStateException(first);
    }
    return new IllegalStateException(meaning + ": " + inmost(first), first);
  }

  /** What the first server that was asked has said, without a list of all. */
  private static Throwable first(Throwable failure) {
    return failure instanceof AllNodesFailedException all
        ? all.getAllErrors().values().stream().flatMap(List::stream).findFirst().orElse(failure)
        : failure;
  }

  /** What the innermost cause says that says something. */
  private static String inmost(Throwable failure) {
    String said = ErrorText.of(failure);
    Throwable cause = failure.getCause();
    for (int depth = 0; cause != null && depth < MOST_CAUSES; depth++) {
      said = cause.getMessage() == null ? said : cause.getMessage();
      cause = cause.getCause();
    }
    return said;
  }

  private static String meaning(Throwable failure) {
    if (has(failure, AuthenticationException.class)) {
      return "the server refuses the user or the password";
    }
    if (has(failure, UnauthorizedException.class)) {
      return "the user lacks a right; it needs CREATE on the keyspace once, and SELECT and MODIFY";
    }
    if (has(failure, UnavailableException.class)) {
      return "too few copies are up; the keyspace's replication must fit the servers that there"
          + " are";
    }
    if (failure instanceof ReadFailureException read
        && read.getReasonMap().containsValue(TOO_MANY_TOMBSTONES)) {
      return "too many rows whose time is over stand before those that were asked for; ask from a"
          + " later time on, or for the newest first";
    }
    return failure instanceof AllNodesFailedException ? "no server answers" : "";
  }

  private static boolean has(Throwable failure, Class<? extends Throwable> kind) {
    return kind.isInstance(failure)
        || failure instanceof AllNodesFailedException all
            && all.getAllErrors().values().stream()
                .flatMap(List::stream)
                .anyMatch(kind::isInstance);
  }
}
