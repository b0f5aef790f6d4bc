package io.galop.persist.cassandra;

import com.datastax.oss.driver.api.core.DriverException;
import io.galop.config.persist.CassandraConfig;
import io.galop.persist.log.file.LogPosition;
import io.galop.persist.store.BlockingStore;
import io.galop.persist.store.ColdPage;
import io.galop.persist.store.ColdQuery;
import io.galop.persist.store.StoreBatch;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;

/**
 * A cold store in a keyspace of Cassandra. Records are upserts on topic, event time and id: what
 * comes again after a failure makes the same row. The cursor is saved after the answers that it
 * stands for.
 */
final class CassandraStore implements BlockingStore {
  private final CassandraClient client;
  private final CassandraCursor cursor;
  private final CassandraWrites writes;
  private final CassandraReads reads;
  private final CassandraWitness witness;
  private volatile long log;

  CassandraStore(CassandraConfig config) {
    TimeBuckets buckets = new TimeBuckets(config.bucketHours());
    this.client = new CassandraClient(config);
    this.cursor = new CassandraCursor(config.keyspace());
    this.writes = new CassandraWrites(buckets, config.retentionHours(), config.sink().inFlight());
    this.reads = new CassandraReads(buckets);
    this.witness = new CassandraWitness(buckets, config.retentionHours());
  }

  /** One at a time: an attempt that the sink has given up goes on. */
  @Override
  public synchronized Optional<LogPosition> open(long logId) throws Exception {
    log = logId;
    try {
      CassandraStatements now = client.open();
      writes.onOpened();
      Optional<LogPosition> found = cursor.open(now.session(), logId);
      witness.onOpened(found.isPresent());
      return found;
    } catch (DriverException e) {
      throw CassandraErrors.told(e);
    }
  }

  /** Cassandra does not say what was there before, so all of them count as stored. */
  @Override
  public int write(StoreBatch parcel) throws Exception {
    long nowUs = TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
    int stored = writes.write(client.statements(), parcel.records(), nowUs);
    witness.onStored(parcel, nowUs);
    return stored;
  }

  @Override
  public void saveCursor(long logId, LogPosition upTo) throws Exception {
    try {
      cursor.save(client.statements().session(), logId, upTo);
    } catch (DriverException e) {
      throw CassandraErrors.told(e);
    }
  }

  /** What is too old goes by its TTL; here it is only looked whether the rest is still there. */
  @Override
  public boolean trim(LongUnaryOperator clock) throws Exception {
    CassandraStatements now = client.statements();
    try {
      cursor.check(now.session(), log);
      if (witness.isGone(now, System.currentTimeMillis())) {
        cursor.restart(now.session(), log);
      }
      return false;
    } catch (DriverException e) {
      throw CassandraErrors.ofLook(e);
    }
  }

  @Override
  public ColdPage query(ColdQuery query) throws Exception {
    try {
      return reads.query(client.statements(), query);
    } catch (DriverException e) {
      throw CassandraErrors.told(e);
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
