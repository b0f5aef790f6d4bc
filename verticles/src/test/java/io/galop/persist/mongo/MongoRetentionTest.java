package io.galop.persist.mongo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.client.model.WriteModel;
import io.galop.config.ConfigLoader;
import io.galop.config.persist.MongoConfig;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;

/** What is too old is judged by the time that the store is given, not by the machine's. */
class MongoRetentionTest {
  private static final long HOUR_MS = TimeUnit.HOURS.toMillis(1);
  private static final long MONTH_MS = 30 * 24 * HOUR_MS;
  private final long machineMs = System.currentTimeMillis();
  private long storedMs = machineMs;
  private boolean isDeleted;

  /** A database with one record and the cursor. */
  private final MongoLink link =
      new MongoLink() {
        @Override
        public Future<Void> reset() {
          return Future.succeededFuture();
        }

        @Override
        public Future<Integer> write(String collection, List<WriteModel<BsonDocument>> batch) {
          return Future.failedFuture("nothing is stored here");
        }

        @Override
        public Future<BsonDocument> command(BsonDocument command) {
          return Future.succeededFuture(answer(command));
        }

        @Override
        public Future<List<BsonDocument>> read(MongoFind find) {
          return Future.failedFuture("nothing is asked here");
        }

        @Override
        public void close() {}
      };

  private BsonDocument answer(BsonDocument command) {
    isDeleted |= command.containsKey("delete");
    boolean isFound =
        !command.containsKey("find")
            || !command.getString("find").getValue().equals(MongoSchema.RECORDS)
            || storedMs < before(command);
    String batch = isFound ? "[{\"_id\": \"id\\tt\"}]" : "[]";
    return BsonDocument.parse("{\"ok\": 1, \"n\": 1, \"cursor\": {\"firstBatch\": " + batch + "}}");
  }

  private static long before(BsonDocument find) {
    return find.getDocument("filter").getDocument("storedAt").getDateTime("$lt").getValue();
  }

  private void trim(LongUnaryOperator clock) throws Exception {
    String set = "persist.cold.stores=[{mongodb: {retentionHours: 2}}]";
    MongoConfig config =
        (MongoConfig)
            ConfigLoader.load(Optional.empty(), Map.of(), List.of(set), Map.of())
                .persist()
                .cold()
                .stores()
                .get(0);
    try (MongoStore store = new MongoStore(link, config)) {
      LongUnaryOperator asked =
          kept -> {
            assertEquals(2 * HOUR_MS, kept);
            return clock.applyAsLong(kept);
          };
      store.trim(asked).toCompletionStage().toCompletableFuture().get();
    }
  }

  @Test
  void keepsWhatIsOldByTheMachineOnly() throws Exception {
    storedMs = machineMs - 3 * HOUR_MS;
    trim(kept -> machineMs - MONTH_MS);
    assertFalse(isDeleted);
    trim(kept -> storedMs + kept);
    assertFalse(isDeleted, "to the millisecond");
    trim(kept -> storedMs + kept + 1);
    assertTrue(isDeleted);
  }

  @Test
  void deletesWhatIsYoungByTheMachineOnly() throws Exception {
    trim(kept -> machineMs + 3 * HOUR_MS);
    assertTrue(isDeleted);
  }
}
