package io.galop.persist.mongo;

import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.WriteModel;
import io.galop.persist.sink.Peer;
import io.galop.persist.store.StoreBatch;
import io.galop.servers.MongoServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonString;

/**
 * The blocking driver's bulk write in a bare loop, as many threads as Galop has batches under way.
 */
public final class MongoLoop implements Peer {
  private static final BulkWriteOptions UNORDERED = new BulkWriteOptions().ordered(false);

  private final MongoServer server;
  private final List<Callable<Void>> loops = new ArrayList<>();

  public MongoLoop(MongoServer server) {
    this.server = server;
  }

  @Override
  public String name() {
    return "driver's bulkWrite in a bare loop, as many threads";
  }

  @Override
  public void prepare(List<StoreBatch> parcels, Path directory, int inFlight) {
    for (List<StoreBatch> hand : Peer.deal(parcels, inFlight)) {
      List<List<WriteModel<BsonDocument>>> batches = hand.stream().map(MongoLoop::batch).toList();
      loops.add(() -> write(batches));
    }
  }

  private static List<WriteModel<BsonDocument>> batch(StoreBatch parcel) {
    List<WriteModel<BsonDocument>> batch = new ArrayList<>();
    UpdateOptions upsert = new UpdateOptions().upsert(true);
    BsonDateTime now = new BsonDateTime(System.currentTimeMillis());
    parcel
        .records()
        .forEach(
            placed ->
                batch.add(
                    new UpdateOneModel<>(
                        new BsonDocument("_id", new BsonString(placed.record().id())),
                        new BsonDocument("$setOnInsert", MongoRecord.of(placed, now)),
                        upsert)));
    return batch;
  }

  private Void write(List<List<WriteModel<BsonDocument>>> batches) {
    try (MongoClient client = MongoClients.create(server.uri())) {
      MongoCollection<BsonDocument> records =
          client
              .getDatabase(server.database())
              .getCollection(MongoSchema.RECORDS, BsonDocument.class)
              .withWriteConcern(WriteConcern.MAJORITY.withJournal(true));
      batches.forEach(batch -> records.bulkWrite(batch, UNORDERED));
      return null;
    }
  }

  @Override
  public void run() throws Exception {
    Peer.together(loops);
  }
}
