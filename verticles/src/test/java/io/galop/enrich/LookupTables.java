package io.galop.enrich;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.ReplaceOptions;
import io.galop.servers.StoreServer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Map;
import org.bson.Document;
import redis.clients.jedis.Jedis;

/** A table {@code runners} of names and weights in each kind of store. */
enum LookupTables {
  REDIS_HASH {
    @Override
    StoreServer server() {
      return StoreLookupTest.REDIS;
    }

    @Override
    String source(int port) {
      return "redis: {port: " + port + "}";
    }

    @Override
    void put(String key, String name, int weight) {
      try (Jedis jedis = StoreLookupTest.REDIS.client()) {
        jedis.hset("runners:" + key, Map.of("name", name, "weight", Integer.toString(weight)));
      }
    }

    @Override
    long selects() {
      return StoreLookupTest.REDIS.calls("hgetall");
    }
  },
  REDIS_JSON {
    @Override
    StoreServer server() {
      return StoreLookupTest.REDIS;
    }

    @Override
    String source(int port) {
      return "redis: {format: json, port: " + port + "}";
    }

    @Override
    void put(String key, String name, int weight) {
      try (Jedis jedis = StoreLookupTest.REDIS.client()) {
        jedis.set("runners:" + key, "{\"name\":\"" + name + "\",\"weight\":" + weight + "}");
      }
    }

    @Override
    long selects() {
      return StoreLookupTest.REDIS.calls("mget");
    }
  },
  MYSQL {
    @Override
    StoreServer server() {
      return StoreLookupTest.MARIADB;
    }

    @Override
    String source(int port) {
      return "mysql: {login: {user: galop, password: a password}, port: " + port + "}";
    }

    @Override
    void prepare() {
      StoreLookupTest.MARIADB.execute(
          "CREATE TABLE runners (id VARCHAR(64) PRIMARY KEY, name VARCHAR(64), weight INT)");
    }

    @Override
    void put(String key, String name, int weight) {
      String sql = "REPLACE INTO runners VALUES (?, ?, ?)";
      try (Connection client = StoreLookupTest.MARIADB.client();
          PreparedStatement statement = client.prepareStatement(sql)) {
        statement.setString(1, key);
        statement.setString(2, name);
        statement.setInt(3, weight);
        statement.executeUpdate();
      } catch (SQLException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    long selects() {
      return StoreLookupTest.MARIADB.status("Com_stmt_execute");
    }
  },
  POSTGRES {
    @Override
    StoreServer server() {
      return StoreLookupTest.POSTGRES;
    }

    @Override
    String source(int port) {
      return "postgres: {login: {user: galop, password: a password}, port: " + port + "}";
    }

    @Override
    void prepare() {
      StoreLookupTest.POSTGRES.execute(
          "CREATE TABLE runners (id VARCHAR(64) PRIMARY KEY, name VARCHAR(64), weight INT)");
    }

    @Override
    void put(String key, String name, int weight) {
      String sql =
          "INSERT INTO runners VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE"
              + " SET name = excluded.name, weight = excluded.weight";
      try (Connection client = StoreLookupTest.POSTGRES.client();
          PreparedStatement statement = client.prepareStatement(sql)) {
        statement.setString(1, key);
        statement.setString(2, name);
        statement.setInt(3, weight);
        statement.executeUpdate();
      } catch (SQLException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    long selects() {
      return NOT_COUNTED;
    }
  },
  MONGODB {
    @Override
    StoreServer server() {
      return StoreLookupTest.MONGO;
    }

    @Override
    String source(int port) {
      return "mongodb: {hosts: ['127.0.0.1:%d'], database: %s}"
          .formatted(port, StoreLookupTest.MONGO.database());
    }

    @Override
    void put(String key, String name, int weight) {
      try (MongoClient client = StoreLookupTest.MONGO.client()) {
        Document row = new Document("_id", key).append("name", name).append("weight", weight);
        collection(client)
            .replaceOne(new Document("_id", key), row, new ReplaceOptions().upsert(true));
      }
    }

    private MongoCollection<Document> collection(MongoClient client) {
      return client.getDatabase(StoreLookupTest.MONGO.database()).getCollection("runners");
    }

    @Override
    long selects() {
      return NOT_COUNTED;
    }
  };

  /** The server does not say how often it was asked. */
  static final long NOT_COUNTED = -1;

  abstract StoreServer server();

  /** The configuration of the source, at a port. */
  abstract String source(int port);

  abstract void put(String key, String name, int weight);

  /** How many selects the server has answered. */
  abstract long selects();

  /** Makes an empty table. */
  void prepare() {}
}
