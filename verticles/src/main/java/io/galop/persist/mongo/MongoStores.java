package io.galop.persist.mongo;

import io.galop.config.persist.MongoConfig;
import io.galop.config.persist.SinkConfig.Driver;
import io.galop.persist.store.Store;
import io.vertx.core.Vertx;

/** Chooses the driver. */
public final class MongoStores {
  private MongoStores() {}

  /** A store that is not connected yet. */
  public static Store of(Vertx vertx, MongoConfig config) {
    boolean async = config.sink().driver() == Driver.ASYNC;
    MongoLink link = async ? new MongoEventLoopLink(vertx, config) : new MongoThreadLink(config);
    return new MongoStore(link, config);
  }
}
