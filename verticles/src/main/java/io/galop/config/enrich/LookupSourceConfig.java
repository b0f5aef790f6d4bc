package io.galop.config.enrich;

/** Where the rows of a look-up are read from. */
public sealed interface LookupSourceConfig
    permits LookupFileConfig,
        LookupMysqlConfig,
        LookupPostgresConfig,
        LookupMongoConfig,
        LookupRedisConfig {}
