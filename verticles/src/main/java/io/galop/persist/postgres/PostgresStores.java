package io.galop.persist.postgres;

import io.galop.config.persist.PostgresConfig;
import io.galop.config.persist.SinkConfig.Driver;
import io.galop.persist.sql.SqlLink;
import io.galop.persist.store.Store;
import io.vertx.core.Vertx;

/** Chooses the driver. */
public final class PostgresStores {
  private PostgresStores() {}

  /** A store that is not connected yet. */
  public static Store of(Vertx vertx, PostgresConfig config) {
    boolean async = config.sink().driver() == Driver.ASYNC;
    PostgresSession session = new PostgresSession(config);
    SqlLink link = async ? session.onEventLoops(vertx) : session.onThreads();
    return new PostgresStore(link, config);
  }
}
