package io.galop.persist.kafka;

import io.galop.config.persist.KafkaConfig;
import io.galop.config.persist.SinkConfig.Driver;
import io.galop.config.persist.StoreConfig;
import io.galop.kafka.ClientProperties;
import io.galop.persist.store.BlockingStoreAdapter;
import io.galop.persist.store.Store;
import io.galop.persist.store.StoreBrick;
import java.util.List;

/** Makes stores that are topics of Kafka. */
public final class KafkaStoreBrick implements StoreBrick {
  private static final int MOST_QUERIES = 64;

  /** One thread beside none, so that calls keep their order: cursors too. */
  private static final int NO_MORE_WRITERS = 0;

  @Override
  public boolean makes(StoreConfig config) {
    return config instanceof KafkaConfig;
  }

  @Override
  public Store open(StoreConfig config) {
    KafkaConfig kafka = (KafkaConfig) config;
    return new BlockingStoreAdapter(
        kafka.name(), new KafkaStore(kafka), Driver.SYNC, NO_MORE_WRITERS, 1, MOST_QUERIES);
  }

  @Override
  public List<String> problems(StoreConfig config) {
    return ClientProperties.problems((KafkaConfig) config);
  }
}
