package io.galop.persist.mysql;

import io.galop.config.persist.MysqlConfig;
import io.galop.config.persist.SinkConfig.Driver;
import io.galop.persist.sql.SqlLink;
import io.galop.persist.store.Store;
import io.vertx.core.Vertx;

/** Chooses the driver. */
public final class MysqlStores {
  private MysqlStores() {}

  /** A store that is not connected yet. */
  public static Store of(Vertx vertx, MysqlConfig config) {
    boolean async = config.sink().driver() == Driver.ASYNC;
    MysqlSession session = new MysqlSession(config);
    SqlLink link = async ? session.onEventLoops(vertx) : session.onThreads();
    return new MysqlStore(link, config);
  }
}
