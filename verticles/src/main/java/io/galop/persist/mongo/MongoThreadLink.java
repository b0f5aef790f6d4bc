package io.galop.persist.mongo;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.WriteModel;
import io.galop.config.persist.MongoConfig;
import io.galop.persist.store.BoundedThreads;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/** The driver that blocks, on threads of its own: one client writes, one reads. */
final class MongoThreadLink implements MongoLink {
  private static final long LONGEST_CLOSE_S = 5;
  private static final BulkWriteOptions UNORDERED = new BulkWriteOptions().ordered(false);

  private final MongoConfig config;
  private final BoundedThreads writerThreads;
  private final BoundedThreads readerThreads;
  private final int writers;

  /** Null until the sink has connected. */
  private volatile @Nullable MongoClient writer;

  /** Null until the first question. */
  private @Nullable MongoClient reader;

  MongoThreadLink(MongoConfig config) {
    this.config = config;
    int inFlight = config.sink().inFlight();
    var driver = config.sink().driver();
    String name = config.name();
    this.writers = inFlight + 1;
    writerThreads = BoundedThreads.of("galop-sink-" + name, driver, writers, inFlight + 4);
    readerThreads =
        BoundedThreads.of(
            "galop-query-" + name, driver, config.readers(), config.maxWaitingQueries());
  }

  /**
   * Closes the client on the caller's thread, the sink's: those of the pool may all wait for it.
   */
  @Override
  public synchronized Future<Void> reset() {
    closeWriter();
    try {
      writer = MongoClients.create(MongoClientOptions.of(config, writers));
      return Future.succeededFuture();
    } catch (java.io.IOException | RuntimeException e) {
      return Future.failedFuture(e);
    }
  }

  private void closeWriter() {
    if (writer != null) {
      writer.close();
      writer = null;
    }
  }

  private MongoClient writer() {
    MongoClient connected = writer;
    if (connected == null) {
      throw new IllegalStateException("not connected");
    }
    return connected;
  }

  private synchronized MongoClient reader() throws Exception {
    if (reader == null) {
      reader = MongoClients.create(MongoClientOptions.of(config, config.readers()));
    }
    return reader;
  }

  private MongoCollection<BsonDocument> collection(MongoClient client, String name) {
    return client.getDatabase(config.database()).getCollection(name, BsonDocument.class);
  }

  @Override
  public Future<Integer> write(String collection, List<WriteModel<BsonDocument>> batch) {
    return writerThreads.call(
        () -> collection(writer(), collection).bulkWrite(batch, UNORDERED).getUpserts().size());
  }

  @Override
  public Future<BsonDocument> command(BsonDocument command) {
    return writerThreads.call(
        () -> writer().getDatabase(config.database()).runCommand(command, BsonDocument.class));
  }

  @Override
  public Future<List<BsonDocument>> read(MongoFind find) {
    return readerThreads.call(
        () ->
            collection(reader(), find.collection())
                .find(find.filter())
                .sort(find.sort())
                .limit(find.limit())
                .batchSize(find.limit())
                .into(new ArrayList<>()));
  }

  @Override
  public synchronized void close() {
    closeWriter();
    if (reader != null) {
      reader.close();
    }
    writerThreads.close(LONGEST_CLOSE_S, TimeUnit.SECONDS);
    readerThreads.close(LONGEST_CLOSE_S, TimeUnit.SECONDS);
  }
}
