package io.galop.vertx;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.internal.Connection;
import io.vertx.sqlclient.internal.SqlConnectionInternal;

/** New sessions of a pool with a database. On the event loop of the session. */
public final class SqlSessions {
  private SqlSessions() {}

  /**
   * Gives a new session to its pool when it is set, or ends it if it could not be: who waits for it
   * is told that it is closed, and the next one is made anew.
   *
   * @param set what was done to set it
   * @return of what was done
   */
  public static <T> Future<T> settle(SqlConnection session, Future<T> set) {
    return set.onComplete(
        (done, failure) -> {
          if (failure == null) {
            session.close();
          } else {
            end(session);
          }
        });
  }

  /** Closing it as usual would give it to the pool: inside is the connection with the server. */
  private static void end(SqlConnection session) {
    Connection pooled = ((SqlConnectionInternal) session).unwrap();
    pooled.unwrap().close((Connection.Holder) pooled, Promise.promise());
  }
}
