package io.galop.config.persist;

import io.galop.config.enrich.EnricherConfig;
import io.galop.config.store.StoreLoginConfig;
import io.galop.config.store.StoreTlsConfig;
import io.galop.yaml.Brick;
import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;

/** A Redis server. */
@Brick("redis")
@Doc("[Redis](stores.md#redis) 6.2 and newer.")
public record RedisConfig(
    @Doc("Its name in meters, status and messages.") @Default("redis") String name,
    @Doc("The host.") @Default("127.0.0.1") String host,
    @Doc("The port.") @Default("6379") @Range(min = 1, max = 65_535) int port,
    @Doc("The database number.") @Default("0") @Range(min = 0, max = 65_535) int database,
    @Doc("Prefix of the keys.") @Default("galop") String prefix,
    @Doc("Galop's account.") StoreLoginConfig login,
    @Doc("Encryption.") StoreTlsConfig tls,
    @Doc("How it is written.") SinkConfig sink,
    @Doc("Age at which a record goes.") @Default("7200000") @Range(min = 1_000, max = 604_800_000)
        long maxAgeMs,
    @Doc("Most records.") @Default("10000000") @Range(min = 1_000, max = 10_000_000_000L)
        long maxRecords,
    @Doc("Approximate memory of the records.")
        @Default("4294967296")
        @Range(min = 1_048_576, max = 1_099_511_627_776L)
        long maxBytes)
    implements BackupConfig {
  public RedisConfig {
    StoreConfig.checkName(name);
    EnricherConfig.require("host", host);
    EnricherConfig.require("prefix", prefix);
  }
}
