package io.galop.persist.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchableStatement;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.DefaultBatchType;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.galop.persist.cassandra.WrittenNames.Name;
import io.galop.persist.store.ColdKey;
import io.galop.record.Placed;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Writes records: those of one partition together, which the server applies as one change, so many
 * statements of a batch at once. Called by several threads, which wait.
 */
final class CassandraWrites {
  private static final int MOST_NAMES = 100_000;
  private static final int MOST_ROWS = 100;
  private static final int MOST_BYTES = 64 * 1024;

  /** Of all batches together; one connection takes 1,024 requests. */
  private static final int MOST_STATEMENTS = 512;

  private static final long MORE_SECONDS = 2 * WrittenNames.FRESH_SECONDS;

  private final WrittenNames known = new WrittenNames(MOST_NAMES);
  private final TimeBuckets buckets;
  private final int ttlSeconds;
  private final int statementsAtOnce;

  CassandraWrites(TimeBuckets buckets, int retentionHours, int inFlight) {
    this.buckets = buckets;
    this.ttlSeconds = Math.toIntExact(TimeUnit.HOURS.toSeconds(retentionHours));
    this.statementsAtOnce = Math.max(1, MOST_STATEMENTS / inFlight);
  }

  /** The server may have lost names. */
  void onOpened() {
    known.forget();
  }

  /**
   * Stores records.
   *
   * @return how many there are, each topic, time and id once
   */
  int write(CassandraStatements to, List<Placed> records, long nowUs) throws Exception {
    Map<ColdKey, Placed> distinct = new LinkedHashMap<>();
    records.forEach(placed -> distinct.putIfAbsent(ColdKey.of(placed.record()), placed));
    Map<Name, List<Placed>> partitions = partitions(distinct.values());
    long nowNs = System.nanoTime();
    Set<Name> fresh = new LinkedHashSet<>();
    for (Name name : partitions.keySet()) {
      if (!known.isFresh(name, nowNs)) {
        fresh.add(name);
      }
    }
    List<Statement<?>> statements = new ArrayList<>(names(to, fresh));
    partitions.forEach((name, rows) -> statements.addAll(inserts(to, name.bucket(), rows, nowUs)));
    run(to.session(), statements);
    known.onWritten(fresh, nowNs);
    return distinct.size();
  }

  private Map<Name, List<Placed>> partitions(Collection<Placed> records) {
    Map<Name, List<Placed>> partitions = new LinkedHashMap<>();
    for (Placed placed : records) {
      Name name = new Name(buckets.of(placed.record().timeUs()), placed.record().topic());
      partitions.computeIfAbsent(name, any -> new ArrayList<>()).add(placed);
    }
    return partitions;
  }

  /** They live on beyond the last record that is stored before they are written again. */
  private List<Statement<?>> names(CassandraStatements to, Set<Name> names) {
    int ttl = ttlSeconds == 0 ? 0 : (int) Math.min(Integer.MAX_VALUE, ttlSeconds + MORE_SECONDS);
    Map<Instant, List<BatchableStatement<?>>> byBucket = new LinkedHashMap<>();
    for (Name name : names) {
      byBucket
          .computeIfAbsent(name.bucket(), any -> new ArrayList<>())
          .add(to.addTopic().bind(name.bucket(), name.topic(), ttl));
    }
    List<Statement<?>> statements = new ArrayList<>();
    byBucket.forEach(
        (bucket, topics) -> {
          statements.add(to.addBucket().bind(bucket, ttl));
          for (int at = 0; at < topics.size(); at += MOST_ROWS) {
            statements.add(together(topics.subList(at, Math.min(topics.size(), at + MOST_ROWS))));
          }
        });
    return statements;
  }

  private List<Statement<?>> inserts(
      CassandraStatements to, Instant bucket, List<Placed> rows, long nowUs) {
    List<Statement<?>> statements = new ArrayList<>();
    List<BatchableStatement<?>> some = new ArrayList<>();
    long bytes = 0;
    for (Placed placed : rows) {
      bytes += placed.record().data().length;
      if (!some.isEmpty() && (bytes > MOST_BYTES || some.size() == MOST_ROWS)) {
        statements.add(together(some));
        some = new ArrayList<>();
        bytes = placed.record().data().length;
      }
      some.add(CassandraRow.bind(to.insert(), placed, bucket, nowUs, ttlSeconds));
    }
    statements.add(together(some));
    return statements;
  }

  private static Statement<?> together(List<BatchableStatement<?>> statements) {
    return statements.size() == 1 && statements.get(0) instanceof BoundStatement one
        ? one
        : BatchStatement.newInstance(DefaultBatchType.UNLOGGED, statements);
  }

  /** The driver ends each request in time, so this ends. */
  private void run(CqlSession session, List<Statement<?>> statements) throws Exception {
    Semaphore room = new Semaphore(statementsAtOnce);
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    int begun = 0;
    while (begun < statements.size() && failure.get() == null) {
      room.acquire();
      session
          .executeAsync(statements.get(begun))
          .whenComplete(
              (done, failed) -> {
                if (failed != null) {
                  failure.accumulateAndGet(failed, CassandraWrites::worse);
                }
                room.release();
              });
      begun++;
    }
    room.acquire(statementsAtOnce);
    Throwable failed = failure.get();
    if (failed != null) {
      throw CassandraErrors.ofRecords(failed);
    }
  }

  /** A record is to blame only if nothing else is. */
  private static Throwable worse(@Nullable Throwable known, Throwable fresh) {
    return known == null || CassandraErrors.isBadRecord(known) ? fresh : known;
  }
}
