package io.galop.enrich.lookup;

import io.galop.config.enrich.LookupConfig;
import io.galop.config.enrich.LookupMongoConfig;
import io.galop.config.enrich.LookupMysqlConfig;
import io.galop.config.enrich.LookupPostgresConfig;
import io.galop.config.enrich.LookupRedisConfig;
import io.galop.config.enrich.LookupSourceConfig;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/** Connects to the stores that rows are read from. */
final class RowStores {
  private RowStores() {}

  /**
   * Makes connections anew at each call; files of passwords and certificates are read on a worker.
   */
  static Supplier<Future<RowStore>> opener(Vertx vertx, LookupConfig config) {
    LookupSourceConfig source = config.source();
    if (source instanceof LookupMysqlConfig mysql) {
      return worker(vertx, () -> new MysqlRows(vertx, MysqlRows.options(mysql), config));
    }
    if (source instanceof LookupPostgresConfig postgres) {
      return worker(vertx, () -> new PostgresRows(vertx, PostgresRows.options(postgres), config));
    }
    if (source instanceof LookupRedisConfig redis) {
      return worker(
          vertx, () -> new RedisRows(vertx, RedisRows.options(redis, config.cache()), config));
    }
    if (source instanceof LookupMongoConfig mongo) {
      return worker(
          vertx,
          () ->
              new MongoRows(
                  vertx.getOrCreateContext(), MongoRows.connect(mongo, config.cache()), config));
    }
    throw new IllegalStateException(source.getClass() + " is no store");
  }

  /** The context of the work is still the caller's event loop. */
  private static Supplier<Future<RowStore>> worker(Vertx vertx, Callable<RowStore> work) {
    return () -> vertx.executeBlocking(work);
  }
}
