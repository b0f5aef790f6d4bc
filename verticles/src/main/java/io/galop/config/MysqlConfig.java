package io.galop.config;

/** A MySQL or MariaDB database. */
@Brick("mysql")
@Doc("A MySQL (8.0 and newer) or MariaDB (10.6 and newer) database.")
public record MysqlConfig(
    @Doc("What the store is called in meters, in the status and in messages.") @Default("mysql")
        String name,
    @Doc("The host.") @Default("127.0.0.1") String host,
    @Doc("The port.") @Default("3306") @Range(min = 1, max = 65_535) int port,
    @Doc("The database; it must be there, its tables are made by Galop.") @Default("galop")
        String database,
    @Doc("Who Galop is to the database.") StoreLoginConfig login,
    @Doc("Encryption.") StoreTlsConfig tls,
    @Doc("How it is written.") SinkConfig sink,
    @Doc("Which records are kept.") SamplingConfig sampling,
    @Doc("How long a record is kept, in hours since it was stored; 0 for ever.")
        @Default("168")
        @Range(min = 0, max = 876_000)
        int retentionHours,
    @Doc("Queries that may run at the same time.") @Default("2") @Range(min = 1, max = 64)
        int readers,
    @Doc("Queries that may wait for a reader; beyond it they are refused.")
        @Default("256")
        @Range(min = 1, max = 65_536)
        int maxWaitingQueries)
    implements StoreConfig {
  public MysqlConfig {
    StoreConfig.checkName(name);
    EnricherConfig.require("host", host);
    EnricherConfig.require("database", database);
  }
}
