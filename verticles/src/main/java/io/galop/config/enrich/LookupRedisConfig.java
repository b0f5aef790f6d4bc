package io.galop.config.enrich;

import io.galop.config.store.StoreLoginConfig;
import io.galop.config.store.StoreTlsConfig;
import io.galop.yaml.Brick;
import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;

/** Keys of Redis. */
@Brick("redis")
@Doc("Redis keys such as runners:7, of the table's name and the record's key.")
public record LookupRedisConfig(
    @Doc("The host.") @Default("127.0.0.1") String host,
    @Doc("The port.") @Default("6379") @Range(min = 1, max = 65_535) int port,
    @Doc("The database number.") @Default("0") @Range(min = 0, max = 65_535) int database,
    @Doc("The format of a value.") @Default("hash") Format format,
    @Doc("Galop's account; the right to HGETALL or MGET is enough.") StoreLoginConfig login,
    @Doc("Encryption.") StoreTlsConfig tls)
    implements LookupSourceConfig {

  /** What stands under a key. */
  public enum Format {
    /** A hash: its fields are added, numbers, true and false as such. */
    HASH,
    /** A text that is a JSON object, added as it is. */
    JSON
  }

  public LookupRedisConfig {
    EnricherConfig.require("host", host);
  }
}
