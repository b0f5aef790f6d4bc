package io.galop.persist.mongo;

import io.galop.config.persist.MongoConfig;
import io.galop.persist.log.file.LogPosition;
import io.galop.persist.store.ColdPage;
import io.galop.persist.store.ColdQuery;
import io.galop.persist.store.Store;
import io.galop.persist.store.StoreBatch;
import io.galop.record.Placed;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.function.LongUnaryOperator;
import org.bson.BsonDateTime;

/**
 * A cold store in a MongoDB database. A batch is one unordered bulk write of upserts on topic and
 * id; of two records with the same the first stays. The cursor is saved after the durable answers
 * that it stands for: what is sent again after a failure in between is known by its id.
 */
final class MongoStore implements Store {
  private final MongoLink link;
  private final MongoMigration migration;
  private final MongoTrim trim;
  private final MongoReads reads;
  private final MongoCursor cursor;
  private volatile long log;

  MongoStore(MongoLink link, MongoConfig config) {
    this.link = link;
    this.migration = new MongoMigration(link);
    this.trim = new MongoTrim(link, config.retentionHours());
    this.reads = new MongoReads(link, config.name());
    this.cursor = new MongoCursor(link, config);
  }

  @Override
  public Future<Optional<LogPosition>> open(long logId) {
    log = logId;
    return link.reset()
        .compose(done -> new MongoSchema(link, migration).migrate())
        .compose(done -> cursor.open(logId));
  }

  @Override
  public Future<Integer> write(StoreBatch parcel) {
    MongoUpserts batch = new MongoUpserts();
    BsonDateTime now = new BsonDateTime(System.currentTimeMillis());
    for (Placed placed : parcel.records()) {
      batch.add(MongoRecord.id(placed.record()), MongoRecord.of(placed, now));
    }
    return batch.write(link);
  }

  @Override
  public Future<Void> saveCursor(long logId, LogPosition upTo) {
    return cursor.save(logId, upTo);
  }

  @Override
  public Future<Boolean> trim(LongUnaryOperator clock) {
    return cursor.check(log).compose(there -> trim.run(clock));
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
