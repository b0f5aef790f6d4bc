package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.mongodb.client.MongoClient;
import io.galop.servers.MariaDbServer;
import io.galop.servers.MongoServer;
import io.galop.servers.PostgresServer;
import io.galop.servers.RedisServer;
import io.galop.servers.StoreServer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.bson.Document;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.params.ScanParams;
import redis.clients.jedis.resps.ScanResult;

/** One of each store's real server, and all that they hold, as their own clients see it. */
final class StoreFleet implements AutoCloseable {
  /** What the stores are called in Galop. */
  static final List<String> NAMES = List.of("embedded", "redis", "mysql", "postgres", "mongodb");

  private static final String RECORDS = "galop_records";
  private static final String SHARDS = "galop:shard:*:records";
  private static final int PAGE = 1_000;
  private final RedisServer redis = new RedisServer();
  private final MariaDbServer mariadb = new MariaDbServer();
  private final PostgresServer postgres = new PostgresServer();
  private final MongoServer mongo = new MongoServer();

  /** Starts them. */
  static StoreFleet start() {
    StoreFleet fleet = new StoreFleet();
    fleet.servers().values().forEach(StoreServer::start);
    return fleet;
  }

  /** By the names that they have in Galop. */
  Map<String, StoreServer> servers() {
    return Map.of("redis", redis, "mysql", mariadb, "postgres", postgres, "mongodb", mongo);
  }

  /** Where each of them is reached by a node that goes there straight. */
  Map<String, String> addresses() {
    return Map.of(
        "redis",
        "127.0.0.1:" + redis.port(),
        "mysql",
        "127.0.0.1:" + mariadb.port(),
        "postgres",
        "127.0.0.1:" + postgres.port(),
        "mongodb",
        mongo.host());
  }

  /**
   * A configuration with the script for the odds stream and all stores.
   *
   * @param addresses of the stores, {@code host:port}
   * @param every of so many records the cold stores keep one
   * @param sink further settings of each sink, as a YAML mapping
   * @return arguments of {@code galop run}
   */
  List<String> config(Path directory, Map<String, String> addresses, int every, String sink)
      throws IOException {
    String yaml =
        """
        enrich:
          chain:
            - script: {topics: [odds/raw], file: betfair.js, timeLimitMs: 20000}
        persist:
          backup:
            redis: {port: %1$s, sink: %5$s}
          cold:
            every: %4$d
            stores:
              - mysql: {port: %2$s, database: %6$s, login: {user: %7$s, password: "%8$s"}, sampling: {every: %4$d}, sink: %5$s}
              - postgres: {port: %10$s, database: %6$s, login: {user: %7$s, password: "%8$s"}, sampling: {every: %4$d}, sink: %5$s}
              - mongodb: {hosts: ["%3$s"], database: %9$s, sampling: {every: %4$d}, sink: %5$s}
        """
            .formatted(
                port(addresses.get("redis")),
                port(addresses.get("mysql")),
                addresses.get("mongodb"),
                every,
                sink,
                MariaDbServer.DATABASE,
                MariaDbServer.USER,
                MariaDbServer.PASSWORD,
                mongo.database(),
                port(addresses.get("postgres")));
    Path file = directory.resolve("stores.yaml");
    Files.writeString(file, yaml);
    return List.of("--config", file.toString());
  }

  private static String port(String address) {
    return address.substring(address.indexOf(':') + 1);
  }

  /** How many records each store holds. */
  Map<String, Long> counts(Path dataDir) throws Exception {
    Map<String, Long> counts = new HashMap<>();
    counts.put("embedded", (long) Stored.count(dataDir));
    try (Jedis jedis = redis.client()) {
      long sum = 0;
      for (String key : jedis.keys(SHARDS)) {
        sum += jedis.hlen(key);
      }
      counts.put("redis", sum);
    }
    counts.put("mysql", count(mariadb.client()));
    counts.put("postgres", count(postgres.client()));
    try (MongoClient client = mongo.client()) {
      var records = client.getDatabase(mongo.database()).getCollection(RECORDS);
      counts.put("mongodb", records.countDocuments());
    }
    return counts;
  }

  private static long count(Connection client) throws SQLException {
    try (client;
        Statement statement = client.createStatement();
        ResultSet row = statement.executeQuery("SELECT count(*) FROM " + RECORDS)) {
      row.next();
      return row.getLong(1);
    }
  }

  /** Every record of every store, by the store's name; one that is there twice is here twice. */
  Map<String, List<Seen>> all(Path dataDir) throws Exception {
    Map<String, List<Seen>> all = new HashMap<>();
    for (String name : NAMES) {
      List<Seen> found = new ArrayList<>();
      read(name, dataDir, found::add);
      all.put(name, found);
    }
    return all;
  }

  /** Every record of a store, one after the other. */
  void read(String name, Path dataDir, Consumer<Seen> to) throws Exception {
    switch (name) {
      case "redis" -> readRedis(to);
      case "mysql" -> readTable(mariadb.client(), to);
      case "postgres" -> readTable(postgres.client(), to);
      case "mongodb" -> readMongo(to);
      default -> Stored.readCold(dataDir, to);
    }
  }

  private void readRedis(Consumer<Seen> to) {
    try (Jedis jedis = redis.client()) {
      for (String key : jedis.keys(SHARDS)) {
        assertEquals(jedis.hlen(key), jedis.zcard(key.replace(":records", ":time")), key);
        // A scan may show a field more than once; the hash has it once.
        Map<String, Seen> shard = new HashMap<>();
        String cursor = ScanParams.SCAN_POINTER_START;
        do {
          ScanResult<Map.Entry<String, String>> page =
              jedis.hscan(key, cursor, new ScanParams().count(1_000));
          page.getResult()
              .forEach(one -> shard.put(one.getKey(), seen(one.getKey(), one.getValue())));
          cursor = page.getCursor();
        } while (!cursor.equals(ScanParams.SCAN_POINTER_START));
        shard.values().forEach(to);
      }
    }
  }

  /** A name is the id, a tab and the topic. */
  private static Seen seen(String name, String value) {
    JsonObject record = new JsonObject(value);
    assertEquals(record.getString("topic"), name.substring(name.indexOf('\t') + 1));
    return new Seen(
        name.substring(0, name.indexOf('\t')),
        record.getString("topic"),
        Seen.hash(record.getJsonObject("data")));
  }

  private static void readTable(Connection client, Consumer<Seen> to) throws SQLException {
    try (client;
        Statement statement = client.createStatement()) {
      // PostgreSQL sends all at once outside a transaction.
      client.setAutoCommit(false);
      statement.setFetchSize(PAGE);
      try (ResultSet row = statement.executeQuery("SELECT id, topic, data FROM " + RECORDS)) {
        while (row.next()) {
          String hash = Seen.hash(new JsonObject(row.getString(3)));
          to.accept(new Seen(row.getString(1), row.getString(2), hash));
        }
      }
    }
  }

  private void readMongo(Consumer<Seen> to) {
    try (MongoClient client = mongo.client()) {
      var records = client.getDatabase(mongo.database()).getCollection(RECORDS);
      for (Document each : records.find().batchSize(PAGE)) {
        String data =
            each.containsKey("raw")
                ? each.getString("raw")
                : each.get("data", Document.class).toJson();
        String hash = Seen.hash(new JsonObject(data));
        to.accept(
            new Seen(each.getString("_id").replaceAll("\t.*", ""), each.getString("topic"), hash));
      }
    }
  }

  @Override
  public void close() {
    servers().values().forEach(StoreServer::close);
  }
}
