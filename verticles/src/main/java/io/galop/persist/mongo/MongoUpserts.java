package io.galop.persist.mongo;

import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.WriteModel;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;

/** Documents that are written at once, each unless one with its id is there. */
final class MongoUpserts {
  private static final UpdateOptions UPSERT = new UpdateOptions().upsert(true);

  private final String collection;
  private final List<BsonString> ids = new ArrayList<>();
  private final List<WriteModel<BsonDocument>> statements = new ArrayList<>();

  /** For the records. */
  MongoUpserts() {
    this(MongoSchema.RECORDS);
  }

  MongoUpserts(String collection) {
    this.collection = collection;
  }

  /**
   * Adds one.
   *
   * @param fields all but the id
   */
  void add(BsonString id, BsonDocument fields) {
    ids.add(id);
    statements.add(
        new UpdateOneModel<>(
            new BsonDocument("_id", id), new BsonDocument("$setOnInsert", fields), UPSERT));
  }

  /**
   * Writes them.
   *
   * @return how many were not there yet
   */
  Future<Integer> write(MongoLink link) {
    return link.write(collection, statements)
        .recover(failure -> MongoFailures.recover(failure, ids, some -> there(link, some)));
  }

  /** On the connections that write: others may ask a server that is behind. */
  private Future<Set<BsonString>> there(MongoLink link, List<BsonString> ids) {
    BsonDocument some = new BsonDocument("_id", new BsonDocument("$in", new BsonArray(ids)));
    return link.command(
            MongoSchema.command("find", collection)
                .append("filter", some)
                .append("projection", new BsonDocument("_id", new BsonInt32(1)))
                .append("batchSize", new BsonInt32(ids.size()))
                .append("singleBatch", BsonBoolean.TRUE))
        .map(
            answer ->
                MongoSchema.batch(answer).stream()
                    .map(each -> each.getString("_id"))
                    .collect(Collectors.toSet()));
  }
}
