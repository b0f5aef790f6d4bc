package io.galop.config;

import java.util.List;

/** A MongoDB database. */
@Brick("mongodb")
@Doc("A MongoDB (5.0 and newer) database. A document a record, its data as a document within it.")
public record MongoConfig(
    @Doc("What the store is called in meters, in the status and in messages.") @Default("mongodb")
        String name,
    @Doc("host:port of the server, or of members of the replica set.")
        @Default("[\"127.0.0.1:27017\"]")
        List<String> hosts,
    @Doc("The name of the replica set; empty: a single server.") @Default("") String replicaSet,
    @Doc("The database; Galop makes its collections and indexes.") @Default("galop")
        String database,
    @Doc("The database that knows the user.") @Default("admin") String loginDatabase,
    @Doc("Who Galop is to the database; the role readWrite is enough.") StoreLoginConfig login,
    @Doc("Encryption.") StoreTlsConfig tls,
    @Doc("How many members of the replica set must have a batch: majority, or a number from 1.")
        @Default("majority")
        String writeConcern,
    @Doc("Whether they must have it in their journals on disk.") @Default("true") boolean journal,
    @Doc(
            "How it is written. A batch is one bulk write; where a server that only speaks the"
                + " protocol takes fewer statements at once, batchRecords says so.")
        SinkConfig sink,
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
    implements StoreConfig, MongoAddress {
  public MongoConfig {
    StoreConfig.checkName(name);
    hosts = MongoAddress.checkedHosts(hosts);
    EnricherConfig.require("database", database);
    if (!writeConcern.matches("majority|[1-9]\\d?")) {
      throw new IllegalArgumentException("writeConcern must be majority or a number from 1 to 99");
    }
  }
}
