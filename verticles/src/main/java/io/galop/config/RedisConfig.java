package io.galop.config;

/** A Redis server. */
@Brick("redis")
@Doc(
    "A Redis server (6.2 and newer) that keeps every record for a while, in memory only: it may be"
        + " emptied at any time and is filled again from the Log.")
public record RedisConfig(
    @Doc("What the store is called in meters, in the status and in messages.") @Default("redis")
        String name,
    @Doc("The host.") @Default("127.0.0.1") String host,
    @Doc("The port.") @Default("6379") @Range(min = 1, max = 65_535) int port,
    @Doc("The number of the database.") @Default("0") @Range(min = 0, max = 65_535) int database,
    @Doc("How the keys begin.") @Default("galop") String prefix,
    @Doc("Who Galop is to the server.") StoreLoginConfig login,
    @Doc("Encryption.") StoreTlsConfig tls,
    @Doc("How it is written.") SinkConfig sink,
    @Doc("How long a record is kept, in milliseconds since it was stored.")
        @Default("7200000")
        @Range(min = 1_000, max = 604_800_000)
        long maxAgeMs,
    @Doc("How many records are kept; the oldest go first.")
        @Default("10000000")
        @Range(min = 1_000, max = 10_000_000_000L)
        long maxRecords,
    @Doc("About how much memory the records may take in the server, in bytes.")
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
