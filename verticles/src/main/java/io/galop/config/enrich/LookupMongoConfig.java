package io.galop.config.enrich;

import io.galop.config.store.MongoAddress;
import io.galop.config.store.StoreLoginConfig;
import io.galop.config.store.StoreTlsConfig;
import io.galop.yaml.Brick;
import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import java.util.List;

/** A collection of MongoDB. */
@Brick("mongodb")
@Doc("A collection of MongoDB.")
public record LookupMongoConfig(
    @Doc("host:port of the server, or of members of a replica set.")
        @Default("[\"127.0.0.1:27017\"]")
        List<String> hosts,
    @Doc("The replica set's name; empty: a single server.") @Default("") String replicaSet,
    @Doc("The database.") @Default("galop") String database,
    @Doc("The database with the user's account.") @Default("admin") String loginDatabase,
    @Doc("Galop's account; the role read is enough.") StoreLoginConfig login,
    @Doc("Encryption.") StoreTlsConfig tls)
    implements LookupSourceConfig, MongoAddress {
  public LookupMongoConfig {
    hosts = MongoAddress.checkedHosts(hosts);
    EnricherConfig.require("database", database);
  }
}
