package io.galop.config.enrich;

import io.galop.config.store.StoreLoginConfig;
import io.galop.config.store.StoreTlsConfig;
import io.galop.yaml.Brick;
import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;

/** A table of PostgreSQL. */
@Brick("postgres")
@Doc("A table or view of PostgreSQL.")
public record LookupPostgresConfig(
    @Doc("The host.") @Default("127.0.0.1") String host,
    @Doc("The port.") @Default("5432") @Range(min = 1, max = 65_535) int port,
    @Doc("The database.") @Default("galop") String database,
    @Doc("Galop's account; the right to SELECT is enough.") StoreLoginConfig login,
    @Doc("Encryption.") StoreTlsConfig tls)
    implements LookupSourceConfig {
  public LookupPostgresConfig {
    EnricherConfig.require("host", host);
    EnricherConfig.require("database", database);
  }
}
