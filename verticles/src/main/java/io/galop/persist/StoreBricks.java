package io.galop.persist;

import io.galop.config.persist.ArchiveConfig;
import io.galop.config.persist.BackupConfig;
import io.galop.config.persist.MongoConfig;
import io.galop.config.persist.MysqlConfig;
import io.galop.config.persist.PostgresConfig;
import io.galop.config.persist.RedisConfig;
import io.galop.config.persist.StoreConfig;
import io.galop.persist.archive.ArchiveStores;
import io.galop.persist.mongo.MongoStores;
import io.galop.persist.mysql.MysqlStores;
import io.galop.persist.postgres.PostgresStores;
import io.galop.persist.redis.RedisStores;
import io.galop.persist.store.Backup;
import io.galop.persist.store.Store;
import io.galop.persist.store.StoreBrick;
import io.vertx.core.Vertx;
import java.util.Optional;
import java.util.ServiceLoader;

/** Makes the stores that are configured; none of them is connected to yet. */
final class StoreBricks {
  private StoreBricks() {}

  static Store open(Vertx vertx, StoreConfig config) {
    if (config instanceof MysqlConfig mysql) {
      return MysqlStores.of(vertx, mysql);
    }
    if (config instanceof PostgresConfig postgres) {
      return PostgresStores.of(vertx, postgres);
    }
    if (config instanceof MongoConfig mongo) {
      return MongoStores.of(vertx, mongo);
    }
    if (config instanceof ArchiveConfig archive) {
      return ArchiveStores.of(archive);
    }
    return brick(config)
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "no store is made of " + config.getClass().getSimpleName()))
        .open(config);
  }

  /** What an add-on brings for a store; empty for those that are here, and if none does. */
  static Optional<StoreBrick> brick(StoreConfig config) {
    return ServiceLoader.load(StoreBrick.class, StoreBrick.class.getClassLoader()).stream()
        .map(ServiceLoader.Provider::get)
        .filter(brick -> brick.makes(config))
        .findFirst();
  }

  static Backup open(Vertx vertx, BackupConfig config, int shards) {
    if (config instanceof RedisConfig redis) {
      return RedisStores.of(vertx, redis, shards);
    }
    throw new IllegalStateException("no store is made of " + config.getClass().getSimpleName());
  }

  /** A backup that was emptied gets so much of the Log's end. */
  static long refillBytes(BackupConfig config) {
    return config instanceof RedisConfig redis ? redis.maxBytes() : 0;
  }
}
