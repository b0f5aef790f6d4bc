package io.galop.persist.mongo;

import io.vertx.core.Future;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;

/** Deletes what is older than is kept, by when it was stored. */
record MongoTrim(MongoLink link, int retentionHours) {
  private static final int AT_ONCE = 1_000;

  /** Deletes some; whether there is more to delete. */
  Future<Boolean> run(LongUnaryOperator clock) {
    if (retentionHours == 0) {
      return Future.succeededFuture(false);
    }
    long keptMs = TimeUnit.HOURS.toMillis(retentionHours);
    BsonDateTime before = new BsonDateTime(clock.applyAsLong(keptMs) - keptMs);
    BsonDocument old =
        MongoSchema.command("find", MongoSchema.RECORDS)
            .append("filter", new BsonDocument("storedAt", new BsonDocument("$lt", before)))
            .append("sort", new BsonDocument("storedAt", new BsonInt32(1)))
            .append("projection", new BsonDocument("_id", new BsonInt32(1)))
            .append("limit", new BsonInt32(AT_ONCE))
            .append("batchSize", new BsonInt32(AT_ONCE))
            .append("singleBatch", BsonBoolean.TRUE);
    return link.command(old).map(MongoSchema::batch).compose(this::delete);
  }

  private Future<Boolean> delete(List<BsonDocument> old) {
    if (old.isEmpty()) {
      return Future.succeededFuture(false);
    }
    BsonArray ids = new BsonArray(old.stream().map(each -> each.get("_id")).toList());
    BsonDocument delete =
        new BsonDocument("q", new BsonDocument("_id", new BsonDocument("$in", ids)))
            .append("limit", new BsonInt32(0));
    return link.command(
            MongoSchema.command("delete", MongoSchema.RECORDS)
                .append("deletes", new BsonArray(List.of(delete))))
        .compose(MongoFailures::check)
        .map(done -> old.size() == AT_ONCE);
  }
}
