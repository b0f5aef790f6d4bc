package io.galop.persist.cold;

import io.galop.config.persist.ColdConfig;
import io.galop.config.persist.SinkConfig.Driver;
import io.galop.persist.store.BlockingStoreAdapter;
import io.galop.persist.store.Store;
import java.nio.file.Path;

/** Makes the embedded store. */
public final class EmbeddedStores {
  private EmbeddedStores() {}

  /**
   * Opens or creates its file. Blocking.
   *
   * @throws ColdException if it cannot
   */
  public static Store of(String name, Path directory, ColdConfig config) throws ColdException {
    return new BlockingStoreAdapter(
        name,
        SqliteStore.open(directory.resolve("cold.sqlite"), config),
        Driver.SYNC,
        1,
        config.readers(),
        config.maxWaitingQueries());
  }
}
