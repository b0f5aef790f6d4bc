package io.galop.servers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.bson.Document;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** The servers that tests of stores run against do what those tests rely on. */
@Tag("slow")
@Timeout(180)
class ServersTest {
  @RegisterExtension static final RedisServer REDIS = new RedisServer();
  @RegisterExtension static final MariaDbServer MARIADB = new MariaDbServer();
  @RegisterExtension static final PostgresServer POSTGRES = new PostgresServer();
  @RegisterExtension static final MongoServer MONGO = new MongoServer();

  @Test
  void redisLosesAllWhenRestarted() {
    int port = REDIS.port();
    try (Jedis before = REDIS.client()) {
      before.set("a", "1");
    }
    REDIS.restart();
    assertEquals(port, REDIS.port());
    try (Jedis after = REDIS.client()) {
      assertEquals(null, after.get("a"));
      after.set("b", "2");
      REDIS.empty();
      assertEquals(0, after.dbSize());
      assertEquals(2, REDIS.calls("get") + REDIS.calls("set"));
    }
  }

  @Test
  void frozenRedisAnswersOnlyWhenThawed() {
    try (Jedis frozen = RedisServer.client(REDIS.port(), 300);
        Jedis patient = REDIS.client()) {
      frozen.set("c", "3");
      assertEquals("PONG", patient.ping());
      REDIS.freeze();
      assertThrows(JedisConnectionException.class, () -> frozen.get("c"));
      REDIS.thaw();
      assertEquals("3", patient.get("c"));
    }
  }

  @Test
  void mariaDbKeepsWhatWasCommitted() throws SQLException {
    MARIADB.execute("CREATE TABLE t (id INT PRIMARY KEY)", "INSERT INTO t VALUES (1), (2)");
    MARIADB.kill();
    MARIADB.startAgain();
    assertEquals(2, rows(MARIADB.client()));
    MARIADB.restart();
    assertEquals(2, rows(MARIADB.client()));
    MARIADB.empty();
    assertThrows(SQLException.class, () -> rows(MARIADB.client()));
  }

  @Test
  void postgresKeepsWhatWasCommitted() throws SQLException {
    POSTGRES.execute("CREATE TABLE t (id INT PRIMARY KEY)", "INSERT INTO t VALUES (1), (2)");
    POSTGRES.kill();
    POSTGRES.startAgain();
    assertEquals(2, rows(POSTGRES.client()));
    try (Connection stays = POSTGRES.client()) {
      POSTGRES.restart();
      assertThrows(SQLException.class, () -> rows(stays));
    }
    assertEquals(2, rows(POSTGRES.client()));
    POSTGRES.empty();
    assertThrows(SQLException.class, () -> rows(POSTGRES.client()));
  }

  /** It has a process for each connection. */
  @Test
  void frozenPostgresAnswersOnlyWhenThawed() throws SQLException {
    POSTGRES.execute("CREATE TABLE t (id INT PRIMARY KEY)");
    Connection hasty = POSTGRES.client();
    hasty.setNetworkTimeout(Runnable::run, 300);
    Connection patient = POSTGRES.client();
    POSTGRES.freeze();
    assertThrows(SQLException.class, () -> rows(hasty));
    POSTGRES.thaw();
    assertEquals(0, rows(patient));
    POSTGRES.empty();
  }

  private static int rows(Connection connection) throws SQLException {
    try (Connection client = connection;
        Statement statement = client.createStatement();
        ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM t")) {
      row.next();
      return row.getInt(1);
    }
  }

  @Test
  void mongoKeepsWhatWasAnswered() {
    try (MongoClient client = MONGO.client()) {
      MongoCollection<Document> items = client.getDatabase(MONGO.database()).getCollection("items");
      for (int i = 0; i < 50; i++) {
        items.insertOne(new Document("_id", i));
      }
      MONGO.kill();
      MONGO.startAgain();
      assertEquals(50, items.countDocuments());
      MONGO.restart();
      assertEquals(50, items.countDocuments());
      MONGO.empty();
      assertEquals(0, items.countDocuments());
    }
  }

  @Test
  void proxyDelaysCutsAndSwallows() {
    try (StoreProxy proxy = new StoreProxy(REDIS.port());
        Jedis direct = REDIS.client()) {
      direct.set("d", "4");
      assertEquals("4", get(proxy, 20_000));
      proxy.delayAnswersMs(60_000);
      assertThrows(JedisConnectionException.class, () -> get(proxy, 500));
      proxy.pass();
      proxy.cut(true);
      assertThrows(JedisConnectionException.class, () -> get(proxy, 20_000));
      proxy.pass();
      proxy.blackHole();
      assertThrows(JedisConnectionException.class, () -> get(proxy, 500));
      proxy.pass();
      assertEquals("4", get(proxy, 20_000));
      assertEquals(5, proxy.accepted());
    }
  }

  private static String get(StoreProxy proxy, int timeoutMs) {
    try (Jedis through = RedisServer.client(proxy.port(), timeoutMs)) {
      return through.get("d");
    }
  }
}
