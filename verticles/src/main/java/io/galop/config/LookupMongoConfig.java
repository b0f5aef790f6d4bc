package io.galop.config;

import java.util.List;

/** A collection of MongoDB. */
@Brick("mongodb")
@Doc("A collection of MongoDB; the fields of the document are added, the key's excepted.")
public record LookupMongoConfig(
    @Doc("host:port of the server, or of members of the replica set.")
        @Default("[\"127.0.0.1:27017\"]")
        List<String> hosts,
    @Doc("The name of the replica set; empty: a single server.") @Default("") String replicaSet,
    @Doc("The database.") @Default("galop") String database,
    @Doc("The database that knows the user.") @Default("admin") String loginDatabase,
    @Doc("Who Galop is to the database; the role read is enough.") StoreLoginConfig login,
    @Doc("Encryption.") StoreTlsConfig tls)
    implements LookupSourceConfig, MongoAddress {
  public LookupMongoConfig {
    hosts = MongoAddress.checkedHosts(hosts);
    EnricherConfig.require("database", database);
  }
}
