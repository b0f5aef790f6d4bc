package io.galop.persist.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchableStatement;
import com.datastax.oss.driver.api.core.cql.DefaultBatchType;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.galop.persist.sink.Peer;
import io.galop.persist.store.StoreBatch;
import io.galop.record.Placed;
import io.galop.servers.CassandraServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;

/** The driver alone with the statements of Galop, as many of them at once. */
public final class CassandraLoop implements Peer {
  private static final int AT_ONCE = 512;
  private static final int ROWS = 100;
  private static final int TTL_SECONDS = 604_800;

  private final CassandraServer server;
  private List<StoreBatch> parcels = List.of();

  public CassandraLoop(CassandraServer server) {
    this.server = server;
  }

  @Override
  public String name() {
    return "driver's executeAsync in a bare loop";
  }

  @Override
  public void prepare(List<StoreBatch> all, Path directory, int inFlight) {
    parcels = all;
  }

  /** Finds the tables. */
  @Override
  public void run() throws Exception {
    try (CqlSession session = server.connect(CassandraServer.USER, CassandraServer.PASSWORD)) {
      CassandraStatements statements = CassandraStatements.of(session, CassandraServer.KEYSPACE);
      Semaphore room = new Semaphore(AT_ONCE);
      AtomicReference<Throwable> failure = new AtomicReference<>();
      for (StoreBatch parcel : parcels) {
        for (Statement<?> statement : statements(statements, parcel)) {
          room.acquire();
          session
              .executeAsync(statement)
              .whenComplete(
                  (done, failed) -> {
                    failure.compareAndSet(null, failed);
                    room.release();
                  });
        }
      }
      room.acquire(AT_ONCE);
      if (failure.get() != null) {
        throw new AssertionError(failure.get());
      }
    }
  }

  private static List<Statement<?>> statements(CassandraStatements to, StoreBatch parcel) {
    TimeBuckets buckets = new TimeBuckets(24);
    Map<String, List<BatchableStatement<?>>> byTopic = new LinkedHashMap<>();
    for (Placed placed : parcel.records()) {
      byTopic
          .computeIfAbsent(placed.record().topic(), any -> new ArrayList<>())
          .add(
              CassandraRow.bind(
                  to.insert(), placed, buckets.of(placed.record().timeUs()), 5, TTL_SECONDS));
    }
    List<Statement<?>> statements = new ArrayList<>();
    for (List<BatchableStatement<?>> rows : byTopic.values()) {
      for (int at = 0; at < rows.size(); at += ROWS) {
        List<BatchableStatement<?>> some = rows.subList(at, Math.min(rows.size(), at + ROWS));
        statements.add(BatchStatement.newInstance(DefaultBatchType.UNLOGGED, some));
      }
    }
    return statements;
  }
}
