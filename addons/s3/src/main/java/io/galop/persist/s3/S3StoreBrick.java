package io.galop.persist.s3;

import io.galop.config.persist.S3Config;
import io.galop.config.persist.StoreConfig;
import io.galop.persist.archive.ArchiveStores;
import io.galop.persist.store.Store;
import io.galop.persist.store.StoreBrick;
import java.io.IOException;
import java.util.List;

/** Makes archives in buckets. */
public final class S3StoreBrick implements StoreBrick {
  @Override
  public boolean makes(StoreConfig config) {
    return config instanceof S3Config;
  }

  @Override
  public Store open(StoreConfig config) {
    S3Config s3 = (S3Config) config;
    return ArchiveStores.onThread(s3.archive(), new S3Store(s3));
  }

  /** A client that is made reads its certificates; passwords are looked at with all others. */
  @Override
  public List<String> problems(StoreConfig config) {
    try {
      S3Clients.trusted((S3Config) config);
      return List.of();
    } catch (IOException e) {
      return List.of(".caFile: " + e.getMessage());
    }
  }
}
