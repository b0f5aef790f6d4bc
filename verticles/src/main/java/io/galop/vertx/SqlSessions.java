package io.galop.vertx;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.internal.Connection;
import io.vertx.sqlclient.internal.SqlConnectionInternal;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** New sessions of a pool with a database. On the event loop of the session. */
public final class SqlSessions {
  private static final Logger LOG = LoggerFactory.getLogger(SqlSessions.class);

  private SqlSessions() {}

  /**
   * Gives a new session to its pool when it is set, or ends it and says so if it could not be: with
   * other settings what is stored may be cut, or be no more after a crash. Who waits for it is told
   * that it is closed, and the next one is made anew.
   *
   * @param of the name of what it is a session with
   * @param set what was done to set it
   */
  public static void settle(String of, SqlConnection session, Future<?> set) {
    set.onComplete(
        (done, failure) -> {
          if (failure == null) {
            session.close();
          } else {
            end(session);
            LOG.warn(
                "a session with {} is closed, as it could not be set: {}",
                of,
                Objects.requireNonNullElse(failure.getMessage(), failure.toString()));
          }
        });
  }

  /** Closing it as usual would give it to the pool: inside is the connection with the server. */
  private static void end(SqlConnection session) {
    Connection pooled = ((SqlConnectionInternal) session).unwrap();
    pooled.unwrap().close((Connection.Holder) pooled, Promise.promise());
  }
}
