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

/** A keyspace of an Apache Cassandra; needs the add-on. */
@Brick("cassandra")
@Doc("A keyspace of an Apache Cassandra (4.0 and newer).")
public record CassandraConfig(
    @Doc("Its name in meters, status and messages.") @Default("cassandra") String name,
    @Doc("host:port of servers to begin with; the others are learned from them.")
        @Default("[\"127.0.0.1:9042\"]")
        List<String> hosts,
    @Doc("The data centre whose servers are used.") @Default("datacenter1") String localDatacenter,
    @Doc("The keyspace; made if missing.") @Default("galop") String keyspace,
    @Doc("Copies of each record in the data centre, where Galop makes the keyspace.")
        @Default("1")
        @Range(min = 1, max = 9)
        int replicationFactor,
    @Doc("Hours of event time of a topic that are a partition; fixed when the tables are made.")
        @Default("24")
        @Range(min = 1, max = 8_760)
        int bucketHours,
    @Doc("Galop's account.") StoreLoginConfig login,
    @Doc("Encryption.") StoreTlsConfig tls,
    @Doc("How it is written; driver does not count: the client has event loops of its own.")
        SinkConfig sink,
    @Doc("Which records are kept.") SamplingConfig sampling,
    @Doc("Hours that a record is kept after storing, by its TTL; 0 for ever.")
        @Default("168")
        @Range(min = 0, max = 87_600)
        int retentionHours,
    @Doc("Concurrent queries.") @Default("2") @Range(min = 1, max = 64) int readers,
    @Doc("Queries that may wait for a reader.") @Default("256") @Range(min = 1, max = 65_536)
        int maxWaitingQueries)
    implements StoreConfig {
  public CassandraConfig {
    StoreConfig.checkName(name);
    hosts = MongoAddress.checkedHosts(hosts);
    EnricherConfig.require("localDatacenter", localDatacenter);
    if (localDatacenter.contains("'")) {
      throw new IllegalArgumentException("localDatacenter must hold no \"'\"");
    }
    if (!keyspace.matches("[a-z][a-z0-9_]{0,47}")) {
      throw new IllegalArgumentException(
          "keyspace must be up to 48 small letters, digits and '_', not '" + keyspace + "'");
    }
  }
}
