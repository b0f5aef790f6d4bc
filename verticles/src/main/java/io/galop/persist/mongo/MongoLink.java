package io.galop.persist.mongo;

import com.mongodb.client.model.WriteModel;
import io.vertx.core.Future;
import java.util.List;
import org.bson.BsonDocument;

/** The way to the database. Nothing here blocks but {@link #close}. */
interface MongoLink extends AutoCloseable {

  /** Closes the connections that write, so that nothing is left on its way, and makes new ones. */
  Future<Void> reset();

  /**
   * Writes a batch into a collection, each statement whatever becomes of the others.
   *
   * @return how many documents were not there yet, when they are as durable as is configured
   */
  Future<Integer> write(String collection, List<WriteModel<BsonDocument>> batch);

  /** Has the server do something, on the connections that write. */
  Future<BsonDocument> command(BsonDocument command);

  /** Reads documents, on other connections, which large answers may keep busy. */
  Future<List<BsonDocument>> read(MongoFind find);

  @Override
  void close();
}
