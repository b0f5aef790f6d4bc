package io.galop.persist.mongo;

import io.galop.persist.store.BadRecordException;
import io.vertx.core.Future;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings documents of version 1, whose {@code _id} was the record's id alone, to what it is now. An
 * {@code _id} cannot be changed, so each is written anew and then deleted, some at a time: that can
 * be interrupted anywhere, and several nodes may do it at once. What was looked through is
 * remembered, so that an attempt that runs out of time is gone on with.
 *
 * <p>Where a unique index of the operator's does not let the new beside the old, documents are kept
 * in a collection of their own first, then deleted, then written anew.
 */
final class MongoMigration {
  private static final Logger LOG = LoggerFactory.getLogger(MongoMigration.class);
  private static final int AT_ONCE = 250;

  private final MongoLink link;

  /** No document of version 1 comes before it. */
  private volatile String reached = "";

  MongoMigration(MongoLink link) {
    this.link = link;
  }

  /**
   * Until there is none left; where it is too late for the caller, it goes on the next time. Looks
   * last for what another node has put aside that did not come to its end.
   */
  Future<Void> run() {
    LOG.info("migrating documents to ids per topic, once; this may take long");
    return next().compose(done -> restore());
  }

  /** What was put aside goes back. */
  private Future<Void> restore() {
    return page(MongoSchema.MOVING, "")
        .compose(
            aside ->
                aside.isEmpty()
                    ? Future.succeededFuture()
                    : bringBack(aside).compose(done -> restore()));
  }

  private Future<Void> next() {
    return page(MongoSchema.RECORDS, reached)
        .compose(
            documents -> {
              if (documents.isEmpty()) {
                return Future.succeededFuture();
              }
              List<BsonDocument> old =
                  documents.stream().filter(each -> !MongoRecord.hasTopic(each)).toList();
              Future<Void> done = old.isEmpty() ? Future.succeededFuture() : rewrite(old);
              return done.compose(rewritten -> goOn(documents.get(documents.size() - 1)));
            });
  }

  private Future<Void> goOn(BsonDocument last) {
    reached = last.getString("_id").getValue();
    return next();
  }

  private Future<Void> rewrite(List<BsonDocument> old) {
    return anew(old)
        .compose(written -> delete(MongoSchema.RECORDS, old))
        .recover(
            refused ->
                MongoFailures.isDuplicate(refused)
                    ? putAside(old).compose(kept -> bringBack(old))
                    : Future.failedFuture(told(refused)));
  }

  private Future<Integer> anew(List<BsonDocument> old) {
    MongoUpserts anew = new MongoUpserts();
    for (BsonDocument each : old) {
      BsonDocument fields = each.clone();
      String id = fields.remove("_id").asString().getValue();
      anew.add(MongoRecord.id(id, each.getString("topic").getValue()), fields);
    }
    return anew.write(link);
  }

  private Future<Integer> putAside(List<BsonDocument> old) {
    MongoUpserts aside = new MongoUpserts(MongoSchema.MOVING);
    for (BsonDocument each : old) {
      BsonDocument fields = each.clone();
      aside.add(fields.remove("_id").asString(), fields);
    }
    return aside.write(link);
  }

  /** From where they are kept, also if that was done in part. */
  private Future<Void> bringBack(List<BsonDocument> aside) {
    return delete(MongoSchema.RECORDS, aside)
        .compose(gone -> anew(aside))
        .recover(refused -> Future.failedFuture(told(refused)))
        .compose(written -> delete(MongoSchema.MOVING, aside));
  }

  /** What an operator has to do. No document goes away before its likeness is kept. */
  private static Throwable told(Throwable refused) {
    if (!(refused instanceof BadRecordException)) {
      return refused;
    }
    return new IllegalStateException(
        "the documents of an older Galop wait in %s and %s, since an index or a rule of %s refuses"
                .formatted(MongoSchema.RECORDS, MongoSchema.MOVING, MongoSchema.RECORDS)
            + " one of them; drop that: "
            + refused.getMessage(),
        refused);
  }

  private Future<List<BsonDocument>> page(String collection, String after) {
    BsonDocument behind = new BsonDocument("$gt", new BsonString(after));
    return link.command(
            MongoSchema.command("find", collection)
                .append("filter", new BsonDocument("_id", behind))
                .append("sort", new BsonDocument("_id", new BsonInt32(1)))
                .append("limit", new BsonInt32(AT_ONCE))
                .append("batchSize", new BsonInt32(AT_ONCE))
                .append("singleBatch", BsonBoolean.TRUE))
        .map(MongoSchema::batch);
  }

  private Future<Void> delete(String collection, List<BsonDocument> documents) {
    List<BsonValue> ids = documents.stream().map(each -> each.get("_id")).toList();
    BsonDocument delete =
        new BsonDocument("q", new BsonDocument("_id", new BsonDocument("$in", new BsonArray(ids))))
            .append("limit", new BsonInt32(0));
    return link.command(
            MongoSchema.command("delete", collection)
                .append("deletes", new BsonArray(List.of(delete))))
        .compose(MongoFailures::check);
  }
}
