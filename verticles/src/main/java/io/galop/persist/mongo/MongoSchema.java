package io.galop.persist.mongo;

import io.vertx.core.Future;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * The collections, and how they come to be.
 *
 * <pre>
 * galop_records  _id       id of the record, a tab, its topic: so they sort as an answer does
 *                topic
 *                time      event time as a date, UTC, to the millisecond
 *                timeUs    event time, microseconds since the epoch
 *                data      the data as a document
 *                raw       the data as text, only where a document would not give it back byte for byte;
 *                          data is missing where it cannot be a document at all
 *                shard, epoch, offset   the Position
 *                storedAt  a date
 * galop_cursor   _id       the id of a Log, hexadecimal
 *                segment, offset        how far the Log is here
 * galop_moving   records of version 1 while they are written anew, where an index keeps that from
 *                being done beside the old ones
 * galop_schema   _id 1, version
 * </pre>
 */
record MongoSchema(MongoLink link, MongoMigration migration) {
  static final String RECORDS = "galop_records";
  static final String MOVING = "galop_moving";
  static final String CURSORS = "galop_cursor";
  private static final String VERSIONS = "galop_schema";
  private static final int VERSION = 2;

  /**
   * Brings the collections up to date. Several nodes may do it at once.
   *
   * @return fails if a newer Galop has made them
   */
  Future<Void> migrate() {
    return link.command(find(VERSIONS, new BsonDocument()))
        .compose(
            answer -> {
              List<BsonDocument> found = batch(answer);
              return found.isEmpty()
                  ? create()
                  : check(found.get(0).getNumber("version").intValue());
            });
  }

  private Future<Void> check(int version) {
    if (version < VERSION) {
      return migration.run().compose(done -> keepVersion());
    }
    return version == VERSION
        ? Future.succeededFuture()
        : Future.failedFuture(
            "the collections have schema version %d, this Galop knows %d; start the newer one"
                .formatted(version, VERSION));
  }

  private Future<Void> create() {
    BsonDocument indexes =
        command("createIndexes", RECORDS)
            .append(
                "indexes",
                new BsonArray(
                    List.of(
                        index("galop_by_topic", "topic", "timeUs", "_id"),
                        index("galop_by_time", "timeUs", "_id"),
                        index("galop_by_storage", "storedAt"))));
    return link.command(indexes).compose(done -> keepVersion());
  }

  private Future<Void> keepVersion() {
    BsonDocument version = new BsonDocument("version", new BsonInt32(VERSION));
    return link.command(upsert(VERSIONS, new BsonInt32(1), version)).mapEmpty();
  }

  private static BsonDocument index(String name, String... fields) {
    BsonDocument key = new BsonDocument();
    for (String field : fields) {
      key.append(field, new BsonInt32(1));
    }
    return new BsonDocument("key", key).append("name", new BsonString(name));
  }

  static BsonDocument command(String name, String collection) {
    return new BsonDocument(name, new BsonString(collection));
  }

  /** At most one document. */
  static BsonDocument find(String collection, BsonDocument filter) {
    return command("find", collection)
        .append("filter", filter)
        .append("limit", new BsonInt32(1))
        .append("batchSize", new BsonInt32(1))
        .append("singleBatch", BsonBoolean.TRUE);
  }

  static BsonDocument upsert(String collection, BsonValue id, BsonDocument fields) {
    return update(collection, id, fields, true);
  }

  static BsonDocument update(String collection, BsonValue id, BsonDocument fields, boolean upsert) {
    BsonDocument update =
        new BsonDocument("q", new BsonDocument("_id", id))
            .append("u", new BsonDocument("$set", fields))
            .append("upsert", BsonBoolean.valueOf(upsert));
    return command("update", collection).append("updates", new BsonArray(List.of(update)));
  }

  static List<BsonDocument> batch(BsonDocument answer) {
    return answer.getDocument("cursor").getArray("firstBatch").stream()
        .map(BsonValue::asDocument)
        .toList();
  }
}
