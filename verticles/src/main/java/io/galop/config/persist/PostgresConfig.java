package io.galop.config.persist;

import io.galop.config.enrich.EnricherConfig;
import io.galop.config.store.StoreLoginConfig;
import io.galop.config.store.StoreTlsConfig;
import io.galop.yaml.Brick;
import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;

/** A PostgreSQL database. */
@Brick("postgres")
@Doc("A PostgreSQL (13 and newer) database.")
public record PostgresConfig(
    @Doc("Its name in meters, status and messages.") @Default("postgres") String name,
    @Doc("The host.") @Default("127.0.0.1") String host,
    @Doc("The port.") @Default("5432") @Range(min = 1, max = 65_535) int port,
    @Doc("The existing database; its encoding is UTF8.") @Default("galop") String database,
    @Doc("Galop's account.") StoreLoginConfig login,
    @Doc("Encryption.") StoreTlsConfig tls,
    @Doc("How it is written.") SinkConfig sink,
    @Doc("Which records are kept.") SamplingConfig sampling,
    @Doc("Hours that a record is kept after storing; 0 for ever.")
        @Default("168")
        @Range(min = 0, max = 876_000)
        int retentionHours,
    @Doc("Concurrent queries.") @Default("2") @Range(min = 1, max = 64) int readers,
    @Doc("Queries that may wait for a reader.") @Default("256") @Range(min = 1, max = 65_536)
        int maxWaitingQueries)
    implements StoreConfig {
  public PostgresConfig {
    StoreConfig.checkName(name);
    EnricherConfig.require("host", host);
    EnricherConfig.require("database", database);
  }
}
