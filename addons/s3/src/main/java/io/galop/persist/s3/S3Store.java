package io.galop.persist.s3;

import io.galop.config.persist.S3Config;
import io.galop.persist.archive.ArchiveStores;
import io.galop.persist.log.file.LogPosition;
import io.galop.persist.store.BlockingStore;
import io.galop.persist.store.ColdPage;
import io.galop.persist.store.ColdQuery;
import io.galop.persist.store.StoreBatch;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongUnaryOperator;

/**
 * An archive whose files go to a bucket once they are finished, before the next batch is taken.
 * Nothing is uploaded beside it: while the bucket takes no file the store takes no batch, so that
 * no more than one batch has finished waits on this disk, and what comes waits in the Log.
 */
final class S3Store implements BlockingStore {
  private static final Duration LONGEST_CLOSE = Duration.ofSeconds(5);

  private final Bucket bucket;
  private final BlockingStore archive;
  private final Duration longestClose;

  S3Store(S3Config config) {
    this(config, LONGEST_CLOSE);
  }

  S3Store(S3Config config, Duration longestClose) {
    this.longestClose = longestClose;
    this.bucket = new Bucket(config);
    this.archive = ArchiveStores.uploading(config.archive(), bucket);
  }

  /** Only a bucket that takes an object now gets more; what a former run left comes first. */
  @Override
  public Optional<LogPosition> open(long log) throws Exception {
    bucket.connect();
    return archive.open(log);
  }

  @Override
  public int write(StoreBatch parcel) throws Exception {
    return archive.write(parcel);
  }

  @Override
  public boolean keepsCursor() {
    return archive.keepsCursor();
  }

  @Override
  public void saveCursor(long log, LogPosition upTo) throws Exception {
    archive.saveCursor(log, upTo);
  }

  @Override
  public boolean trim(LongUnaryOperator clock) throws Exception {
    return archive.trim(clock);
  }

  @Override
  public boolean isAsked() {
    return archive.isAsked();
  }

  @Override
  public ColdPage query(ColdQuery query) throws Exception {
    return archive.query(query);
  }

  /** Nothing is lost thereby: a file that is not there is uploaded after the next start. */
  @Override
  public void stopping() {
    bucket.endWithin(longestClose);
  }

  /** What cannot be uploaded in a few seconds is after the next start. */
  @Override
  public void close() {
    bucket.endWithin(longestClose);
    archive.close();
    bucket.disconnect();
  }
}
