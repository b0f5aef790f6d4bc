package io.galop.config.persist;

import io.galop.config.enrich.EnricherConfig;
import io.galop.config.store.MongoAddress;
import io.galop.config.store.StoreLoginConfig;
import io.galop.config.store.StoreTlsConfig;
import io.galop.yaml.Brick;
import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;
import java.util.List;

/** A MongoDB database. */
@Brick("mongodb")
@Doc("A MongoDB (5.0 and newer) database.")
public record MongoConfig(
    @Doc("Its name in meters, status and messages.") @Default("mongodb") String name,
    @Doc("host:port of the server, or of members of a replica set.")
        @Default("[\"127.0.0.1:27017\"]")
        List<String> hosts,
    @Doc("The replica set's name; empty: a single server.") @Default("") String replicaSet,
    @Doc("The database.") @Default("galop") String database,
    @Doc("The database with the user's account.") @Default("admin") String loginDatabase,
    @Doc("Galop's account; the role readWrite is enough.") StoreLoginConfig login,
    @Doc("Encryption.") StoreTlsConfig tls,
    @Doc("Members that must have a batch: majority, or a number from 1.") @Default("majority")
        String writeConcern,
    @Doc("Whether they must have it in their journals.") @Default("true") boolean journal,
    @Doc("How it is written.") SinkConfig sink,
    @Doc("Which records are kept.") SamplingConfig sampling,
    @Doc("Hours that a record is kept after storing; 0 for ever.")
        @Default("168")
        @Range(min = 0, max = 876_000)
        int retentionHours,
    @Doc("Concurrent queries.") @Default("2") @Range(min = 1, max = 64) int readers,
    @Doc("Queries that may wait for a reader.") @Default("256") @Range(min = 1, max = 65_536)
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
