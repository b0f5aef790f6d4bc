package io.galop.persist.archive;

import io.galop.config.persist.ArchiveConfig;
import io.galop.config.persist.SinkConfig.Driver;
import io.galop.persist.store.BlockingStore;
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
    Path directory = Path.of(config.directory());
    ArchiveDisk disk = new FileArchiveDisk(directory);
    Shelf shelf = new DirectoryShelf(disk, directory);
    return onThread(config, store(config, disk, shelf, Clock.systemUTC()));
  }

  /** An archive whose finished files leave the directory for a place elsewhere. */
  public static BlockingStore uploading(ArchiveConfig config, Upload upload) {
    ArchiveDisk disk = new FileArchiveDisk(Path.of(config.directory()));
    return store(config, disk, new UploadShelf(disk, upload), Clock.systemUTC());
  }

  static ArchiveStore store(ArchiveConfig config, ArchiveDisk disk, Shelf shelf, Clock clock) {
    Path directory = Path.of(config.directory());
    return new ArchiveStore(
        config, log -> new ArchiveFiles(disk, shelf, directory, config.name(), log), clock);
  }

  /** A store of this kind with the one thread that it needs. */
  public static Store onThread(ArchiveConfig config, BlockingStore store) {
    return new BlockingStoreAdapter(
        config.name(), store, Driver.SYNC, NO_MORE_WRITERS, 1, MOST_QUERIES);
  }
}
