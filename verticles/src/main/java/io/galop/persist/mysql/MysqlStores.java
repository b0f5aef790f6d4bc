package io.galop.persist.mysql;

import io.galop.config.persist.MysqlConfig;
import io.galop.config.persist.SinkConfig.Driver;
import io.galop.persist.store.Store;
import io.vertx.core.Vertx;

/** Chooses the driver. */
public final class MysqlStores {
  private MysqlStores() {}

  /** A store that is not connected yet. */
  public static Store of(Vertx vertx, MysqlConfig config) {
    boolean async = config.sink().driver() == Driver.ASYNC;
    MysqlLink link = async ? new MysqlEventLoopLink(vertx, config) : new MysqlThreadLink(config);
    return new MysqlStore(link, config);
  }
}
