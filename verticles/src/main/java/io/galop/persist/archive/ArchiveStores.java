package io.galop.persist.archive;

import io.galop.config.persist.ArchiveConfig;
import io.galop.config.persist.SinkConfig.Driver;
import io.galop.persist.store.BlockingStoreAdapter;
import io.galop.persist.store.Store;
import java.nio.file.Path;
import java.time.Clock;

/** Makes archives. */
public final class ArchiveStores {
  private static final int MOST_QUERIES = 64;

  /** One thread beside none, so that calls keep their order. */
  private static final int NO_MORE_WRITERS = 0;

  private ArchiveStores() {}

  /** An archive of which nothing is touched yet. */
  public static Store of(ArchiveConfig config) {
    ArchiveDisk disk = new FileArchiveDisk(Path.of(config.directory()));
    return of(config, new ArchiveStore(config, disk, Clock.systemUTC()));
  }

  static Store of(ArchiveConfig config, ArchiveStore store) {
    return new BlockingStoreAdapter(
        config.name(), store, Driver.SYNC, NO_MORE_WRITERS, 1, MOST_QUERIES);
  }
}
