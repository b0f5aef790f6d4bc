package io.galop.config.enrich;

import io.galop.config.store.StoreLoginConfig;
import io.galop.config.store.StoreTlsConfig;
import io.galop.yaml.Brick;
import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;

/** A table of MySQL or MariaDB. */
@Brick("mysql")
@Doc("A table or view of MySQL or MariaDB.")
public record LookupMysqlConfig(
    @Doc("The host.") @Default("127.0.0.1") String host,
    @Doc("The port.") @Default("3306") @Range(min = 1, max = 65_535) int port,
    @Doc("The database.") @Default("galop") String database,
    @Doc("Galop's account; the right to SELECT is enough.") StoreLoginConfig login,
    @Doc("Encryption.") StoreTlsConfig tls)
    implements LookupSourceConfig {
  public LookupMysqlConfig {
    EnricherConfig.require("host", host);
    EnricherConfig.require("database", database);
  }
}
