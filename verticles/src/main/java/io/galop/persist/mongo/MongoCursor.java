package io.galop.persist.mongo;

import io.galop.config.persist.MongoConfig;
import io.galop.persist.log.file.LogPosition;
import io.galop.persist.store.EmptiedException;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;

/** How far the Log is stored, kept beside the records; from any thread. */
final class MongoCursor {
  private final MongoLink link;
  private final BsonDocument writeConcern;

  MongoCursor(MongoLink link, MongoConfig config) {
    this.link = link;
    this.writeConcern = MongoClientOptions.writeConcern(config).asDocument();
  }

  /** How far the database is; empty if it has nothing of this Log. */
  Future<Optional<LogPosition>> open(long logId) {
    return read(logId).compose(found -> position(logId, found));
  }

  private Future<List<BsonDocument>> read(long logId) {
    BsonDocument mine = new BsonDocument("_id", key(logId));
    return link.command(MongoSchema.find(MongoSchema.CURSORS, mine)).map(MongoSchema::batch);
  }

  private static BsonValue key(long logId) {
    return new BsonString(Long.toHexString(logId));
  }

  /**
   * A cursor is left at once, without a place: it shows later that the database was not emptied.
   */
  private Future<Optional<LogPosition>> position(long logId, List<BsonDocument> found) {
    if (found.isEmpty()) {
      return link.command(
              MongoSchema.upsert(MongoSchema.CURSORS, key(logId), fields(LogPosition.START))
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

  /** Never makes a cursor: one that is gone shows that the records before it are gone as well. */
  Future<Void> save(long logId, LogPosition upTo) {
    return link.command(
            MongoSchema.update(MongoSchema.CURSORS, key(logId), fields(upTo), false)
                .append("writeConcern", writeConcern))
        .compose(
            answer ->
                answer.getNumber("n").intValue() == 0
                    ? Future.failedFuture(emptied())
                    : MongoFailures.check(answer));
  }

  /** Fails with an {@link EmptiedException} if the cursor is gone. */
  Future<Void> check(long logId) {
    return read(logId)
        .compose(
            found -> found.isEmpty() ? Future.failedFuture(emptied()) : Future.succeededFuture());
  }

  private static EmptiedException emptied() {
    return new EmptiedException("the database was emptied");
  }
}
