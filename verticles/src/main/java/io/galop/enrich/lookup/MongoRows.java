package io.galop.enrich.lookup;

import com.mongodb.MongoClientSettings;
import com.mongodb.client.model.Filters;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoClients;
import com.mongodb.reactivestreams.client.MongoDatabase;
import io.galop.config.enrich.LookupCacheConfig;
import io.galop.config.enrich.LookupConfig;
import io.galop.config.enrich.LookupMongoConfig;
import io.galop.store.MongoSettings;
import io.galop.store.Publications;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.json.JsonWriterSettings;
import org.bson.types.ObjectId;

/** Documents of a collection of MongoDB, with one find; the driver has threads of its own. */
final class MongoRows implements RowStore {
  private static final Pattern WHOLE = Pattern.compile("0|-?[1-9]\\d{0,17}");
  private static final JsonWriterSettings JSON = MongoSettings.plainJson();

  private final Context context;
  private final MongoClient client;
  private final MongoDatabase database;
  private final String table;
  private final String keyField;

  MongoRows(Context context, MongoClient client, LookupConfig config) {
    this.context = context;
    this.client = client;
    this.database = client.getDatabase(((LookupMongoConfig) config.source()).database());
    this.table = config.table();
    this.keyField = config.keyColumnOr("_id");
  }

  /** Blocking. */
  static MongoClient connect(LookupMongoConfig config, LookupCacheConfig cache) throws IOException {
    int giveUpMs = Math.toIntExact(cache.giveUpMs());
    MongoClientSettings settings =
        MongoSettings.of(config)
            .applyToConnectionPoolSettings(pool -> pool.maxSize(cache.connections()))
            .applyToClusterSettings(
                cluster -> cluster.serverSelectionTimeout(giveUpMs, TimeUnit.MILLISECONDS))
            .build();
    return MongoClients.create(settings);
  }

  @Override
  public Future<Void> check() {
    BsonDocument ping = new BsonDocument("ping", new BsonInt64(1));
    return Publications.last(database.runCommand(ping), context).mapEmpty();
  }

  /** A key that looks like a whole number or an id of MongoDB's is looked for as that too. */
  @Override
  public Future<Map<String, String>> select(List<String> keys) {
    List<BsonValue> wanted = new ArrayList<>(keys.size());
    for (String key : keys) {
      wanted.add(new BsonString(key));
      if (WHOLE.matcher(key).matches()) {
        wanted.add(new BsonInt64(Long.parseLong(key)));
      } else if (ObjectId.isValid(key)) {
        wanted.add(new BsonObjectId(new ObjectId(key)));
      }
    }
    var found =
        database
            .getCollection(table, BsonDocument.class)
            .find(Filters.in(keyField, wanted))
            .batchSize(wanted.size() + 1);
    return Publications.all(found, context).map(this::rows);
  }

  private Map<String, String> rows(List<BsonDocument> found) {
    Map<String, String> rows = new HashMap<>();
    for (BsonDocument document : found) {
      BsonValue key = document.remove(keyField);
      document.remove("_id");
      rows.put(text(key), document.toJson(JSON));
    }
    return rows;
  }

  private static String text(BsonValue key) {
    if (key.isString()) {
      return key.asString().getValue();
    }
    if (key.isDouble()) {
      double value = key.asDouble().getValue();
      return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }
    if (key.isObjectId()) {
      return key.asObjectId().getValue().toHexString();
    }
    return key.isNumber() ? Long.toString(key.asNumber().longValue()) : key.toString();
  }

  @Override
  public void close() {
    client.close();
  }
}
