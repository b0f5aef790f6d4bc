package io.galop.persist.mongo;

import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.WriteModel;
import com.mongodb.reactivestreams.client.FindPublisher;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoClients;
import com.mongodb.reactivestreams.client.MongoCollection;
import io.galop.config.persist.MongoConfig;
import io.galop.store.Publications;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/** The reactive driver, which has event loops of its own: one client writes, one reads. */
final class MongoEventLoopLink implements MongoLink {
  /** For the cursor and for deletes, beside the batches. */
  private static final int MORE_WRITERS = 1;

  private static final BulkWriteOptions UNORDERED = new BulkWriteOptions().ordered(false);

  private final Vertx vertx;
  private final MongoConfig config;
  private final AtomicInteger reading = new AtomicInteger();

  /** Null until the sink has connected. */
  private @Nullable MongoClient writer;

  /** Null until the first question. */
  private @Nullable MongoClient reader;

  /** Clients that are made from then on are closed at once. */
  private boolean closed;

  MongoEventLoopLink(Vertx vertx, MongoConfig config) {
    this.vertx = vertx;
    this.config = config;
  }

  /** Making and closing a client reads files and ends threads, so it is done on a worker. */
  @Override
  public Future<Void> reset() {
    return blocking(
        () -> {
          replaceWriter(client(config.sink().inFlight() + MORE_WRITERS));
          return null;
        });
  }

  private MongoClient client(int connections) throws Exception {
    return MongoClients.create(MongoClientOptions.of(config, connections));
  }

  private synchronized void replaceWriter(MongoClient next) {
    if (writer != null) {
      writer.close();
    }
    writer = next;
    if (closed) {
      next.close();
    }
  }

  private <T> Future<T> blocking(Callable<T> work) {
    Promise<T> done = Promise.promise();
    vertx.executeBlocking(work, false).onComplete(done);
    return done.future();
  }

  private synchronized Future<MongoClient> writer() {
    return writer == null ? Future.failedFuture("not connected") : Future.succeededFuture(writer);
  }

  private Future<MongoClient> reader() {
    synchronized (this) {
      if (reader != null) {
        return Future.succeededFuture(reader);
      }
    }
    return blocking(() -> keepReader(client(config.readers())));
  }

  private synchronized MongoClient keepReader(MongoClient next) {
    if (closed) {
      next.close();
      throw new IllegalStateException("the store is closed");
    }
    if (reader == null) {
      reader = next;
    } else {
      next.close();
    }
    return reader;
  }

  private MongoCollection<BsonDocument> collection(MongoClient client, String name) {
    return client.getDatabase(config.database()).getCollection(name, BsonDocument.class);
  }

  @Override
  public Future<Integer> write(String collection, List<WriteModel<BsonDocument>> batch) {
    return writer()
        .compose(
            client -> Publications.all(collection(client, collection).bulkWrite(batch, UNORDERED)))
        .map(results -> results.stream().mapToInt(MongoEventLoopLink::added).sum());
  }

  private static int added(BulkWriteResult result) {
    return result.getUpserts().size();
  }

  @Override
  public Future<BsonDocument> command(BsonDocument command) {
    return writer()
        .compose(
            client ->
                Publications.all(
                    client.getDatabase(config.database()).runCommand(command, BsonDocument.class)))
        .map(answers -> answers.get(0));
  }

  @Override
  public Future<List<BsonDocument>> read(MongoFind find) {
    if (reading.incrementAndGet() > config.readers() + config.maxWaitingQueries()) {
      reading.decrementAndGet();
      return Future.failedFuture(new RejectedExecutionException("too much waits already"));
    }
    return reader()
        .compose(client -> Publications.all(found(client, find)))
        .onComplete(any -> reading.decrementAndGet());
  }

  private FindPublisher<BsonDocument> found(MongoClient client, MongoFind find) {
    return collection(client, find.collection())
        .find(find.filter())
        .sort(find.sort())
        .limit(find.limit())
        .batchSize(find.limit());
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (writer != null) {
      writer.close();
    }
    if (reader != null) {
      reader.close();
    }
  }
}
