package io.galop.persist.cassandra;

import io.galop.config.persist.CassandraConfig;
import io.galop.config.persist.SinkConfig.Driver;
import io.galop.config.persist.StoreConfig;
import io.galop.jvm.ErrorText;
import io.galop.persist.store.BlockingStoreAdapter;
import io.galop.persist.store.Store;
import io.galop.persist.store.StoreBrick;
import io.galop.store.StoreTls;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;

/** Makes stores that are keyspaces of Cassandra. */
public final class CassandraStoreBrick implements StoreBrick {

  @Override
  public boolean makes(StoreConfig config) {
    return config instanceof CassandraConfig;
  }

  @Override
  public Store open(StoreConfig config) {
    CassandraConfig cassandra = (CassandraConfig) config;
    boolean isVirtual = cassandra.sink().driver() == Driver.SYNC_VIRTUAL;
    return new BlockingStoreAdapter(
        cassandra.name(),
        new CassandraStore(cassandra),
        isVirtual ? Driver.SYNC_VIRTUAL : Driver.SYNC,
        cassandra.sink().inFlight(),
        cassandra.readers(),
        cassandra.maxWaitingQueries());
  }

  @Override
  public List<String> problems(StoreConfig config) {
    CassandraConfig cassandra = (CassandraConfig) config;
    List<String> problems = new ArrayList<>();
    try {
      if (cassandra.tls().enabled()) {
        StoreTls.context(cassandra.tls());
      }
    } catch (IOException | GeneralSecurityException e) {
      problems.add(".tls.caFile: the file cannot be used: " + ErrorText.of(e));
    }
    return problems;
  }
}
