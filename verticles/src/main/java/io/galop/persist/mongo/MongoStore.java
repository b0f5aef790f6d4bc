package io.galop.persist.mongo;

import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.WriteModel;
import io.galop.config.persist.MongoConfig;
import io.galop.persist.log.file.LogPosition;
import io.galop.persist.store.ColdPage;
import io.galop.persist.store.ColdQuery;
import io.galop.persist.store.EmptiedException;
import io.galop.persist.store.Store;
import io.galop.persist.store.StoreBatch;
import io.galop.record.Placed;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * A cold store in a MongoDB database. A batch is one unordered bulk write of upserts on topic and
 * id; of two records with the same the first stays. The cursor is saved after the durable answers
 * that it stands for: what is sent again after a failure in between is known by its id.
 */
final class MongoStore implements Store {
  private static final UpdateOptions UPSERT = new UpdateOptions().upsert(true);

  private final MongoLink link;
  private final MongoMigration migration;
  private final MongoTrim trim;
  private final MongoReads reads;
  private final BsonDocument writeConcern;
  private volatile long log;

  MongoStore(MongoLink link, MongoConfig config) {
    this.link = link;
    this.migration = new MongoMigration(link);
    this.trim = new MongoTrim(link, config.retentionHours());
    this.reads = new MongoReads(link, config.name());
    this.writeConcern = MongoClientOptions.writeConcern(config).asDocument();
  }

  @Override
  public Future<Optional<LogPosition>> open(long logId) {
    log = logId;
    BsonDocument mine = new BsonDocument("_id", key(logId));
    return link.reset()
        .compose(done -> new MongoSchema(link, migration).migrate())
        .compose(done -> link.command(MongoSchema.find(MongoSchema.CURSORS, mine)))
        .compose(answer -> position(MongoSchema.batch(answer)));
  }

  private static BsonValue key(long logId) {
    return new BsonString(Long.toHexString(logId));
  }

  /**
   * A cursor is left at once, without a place: it shows later that the database was not emptied.
   */
  private Future<Optional<LogPosition>> position(List<BsonDocument> found) {
    if (found.isEmpty()) {
      return link.command(
              MongoSchema.upsert(MongoSchema.CURSORS, key(log), fields(LogPosition.START))
                  .append("writeConcern", writeConcern))
          .map(done -> Optional.empty());
    }
    BsonDocument cursor = found.get(0);
    LogPosition at =
        new LogPosition(
            cursor.getNumber("segment").longValue(), cursor.getNumber("offset").longValue());
    return Future.succeededFuture(
        at.equals(LogPosition.START) ? Optional.empty() : Optional.of(at));
  }

  private static BsonDocument fields(LogPosition at) {
    return new BsonDocument("segment", new BsonInt64(at.segment()))
        .append("offset", new BsonInt64(at.offset()));
  }

  @Override
  public Future<Integer> write(StoreBatch parcel) {
    List<WriteModel<BsonDocument>> batch = new ArrayList<>(parcel.records().size());
    BsonDateTime now = new BsonDateTime(System.currentTimeMillis());
    for (Placed placed : parcel.records()) {
      BsonDocument id = new BsonDocument("_id", MongoRecord.id(placed.record()));
      BsonDocument update = new BsonDocument("$setOnInsert", MongoRecord.of(placed, now));
      batch.add(new UpdateOneModel<>(id, update, UPSERT));
    }
    return link.write(batch).recover(MongoFailures::recover);
  }

  /** Never makes a cursor: one that is gone shows that the records before it are gone as well. */
  @Override
  public Future<Void> saveCursor(long logId, LogPosition upTo) {
    return link.command(
            MongoSchema.update(MongoSchema.CURSORS, key(logId), fields(upTo), false)
                .append("writeConcern", writeConcern))
        .compose(
            answer ->
                answer.getNumber("n").intValue() == 0
                    ? Future.failedFuture(emptied())
                    : MongoFailures.check(answer));
  }

  private static EmptiedException emptied() {
    return new EmptiedException("the database was emptied");
  }

  @Override
  public Future<Boolean> trim() {
    BsonDocument mine = new BsonDocument("_id", key(log));
    return link.command(MongoSchema.find(MongoSchema.CURSORS, mine))
        .compose(
            answer ->
                MongoSchema.batch(answer).isEmpty()
                    ? Future.failedFuture(emptied())
                    : trim.run(System.currentTimeMillis()));
  }

  @Override
  public Future<ColdPage> query(ColdQuery query) {
    return reads.query(query);
  }

  @Override
  public void close() {
    link.close();
  }
}
