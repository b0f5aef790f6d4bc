package io.galop.persist.redis;

import io.galop.config.persist.RedisConfig;
import io.galop.config.persist.SinkConfig.Driver;
import io.galop.persist.store.Backup;
import io.vertx.core.Vertx;

/** Chooses the driver. */
public final class RedisStores {
  private RedisStores() {}

  /** A store that is not connected yet. */
  public static Backup of(Vertx vertx, RedisConfig config, int shards) {
    boolean async = config.sink().driver() == Driver.ASYNC;
    RedisLink link = async ? new RedisEventLoopLink(vertx, config) : new RedisThreadLink(config);
    return new RedisStore(link, config, shards);
  }
}
