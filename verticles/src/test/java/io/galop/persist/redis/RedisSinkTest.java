package io.galop.persist.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.persist.RedisConfig;
import io.galop.config.persist.SinkConfig;
import io.galop.config.persist.SinkConfig.Driver;
import io.galop.config.store.StoreLoginConfig;
import io.galop.config.store.StoreTlsConfig;
import io.galop.node.Readiness;
import io.galop.persist.sink.RunningSink;
import io.galop.persist.sink.ServerSinkTest;
import io.galop.persist.sink.SinkFixture;
import io.galop.persist.sink.StoresDocument;
import io.galop.persist.store.Backup;
import io.galop.persist.store.ColdQuery;
import io.galop.persist.store.Store;
import io.galop.persist.store.StoreBatch;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.galop.record.Topic;
import io.galop.record.TopicFilter;
import io.galop.servers.RedisServer;
import io.galop.servers.StoreServer;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.args.ClientType;
import redis.clients.jedis.params.ClientKillParams;

@Tag("slow")
class RedisSinkTest extends ServerSinkTest {
  private static final int SHARDS = 4;
  private static final int SHARD = Topic.shard("t", SHARDS);
  private final List<Long> sizes = new ArrayList<>();
  @RegisterExtension static final RedisServer REDIS = new RedisServer();

  @Override
  protected StoreServer server() {
    return REDIS;
  }

  @Override
  protected Store store(SinkConfig config) {
    return store(config, 1L << 32, 1_000_000, 3_600_000);
  }

  private RunningSink start(long maxBytes, long maxRecords, long maxAgeMs) {
    return start(Driver.ASYNC, store(config(Driver.ASYNC), maxBytes, maxRecords, maxAgeMs));
  }

  private Backup store(SinkConfig config, long maxBytes, long maxRecords, long maxAgeMs) {
    return RedisStores.of(
        vertx,
        new RedisConfig(
            "redis",
            "127.0.0.1",
            REDIS.port(),
            0,
            "galop",
            new StoreLoginConfig("", "", "", ""),
            new StoreTlsConfig(false, "", true),
            config,
            maxAgeMs,
            maxRecords,
            maxBytes),
        SHARDS);
  }

  @Override
  protected Map<String, String> stored() {
    Map<String, String> found = new TreeMap<>();
    sizes.clear();
    try (Jedis jedis = REDIS.client()) {
      for (int shard = 0; shard < SHARDS; shard++) {
        String key = "galop:shard:" + shard + ":";
        Map<String, String> records = jedis.hgetAll(key + "records");
        sizes.addAll(
            List.of((long) records.size(), jedis.zcard(key + "stored"), jedis.zcard(key + "time")));
        records.forEach((name, value) -> found.put(id(name), data(value)));
      }
    }
    return found;
  }

  private static String id(String name) {
    return name.substring(0, name.indexOf('\t'));
  }

  private static String data(String value) {
    JsonObject json = new JsonObject(value);
    assertEquals(
        json.getLong("timeUs") / 1_000, json.getInstant("time").toEpochMilli(), "time in UTC");
    return value.substring(value.indexOf("\"data\":") + 7, value.length() - 1);
  }

  @Override
  protected void beVersion1(int records) {
    int shard = Topic.shard("t", SHARDS);
    String key = "galop:shard:" + shard + ":";
    try (Jedis jedis = REDIS.client()) {
      jedis.del("galop:schema");
      for (int n = 0; n < records; n++) {
        String value =
            "{\"topic\":\"t\",\"time\":\"\",\"timeUs\":%d,\"pos\":\"%d.7-%d\",\"data\":{}}"
                .formatted(n, shard, n + 1);
        jedis.hset(key + "records", "id" + n, value);
        jedis.zadd(key + "stored", System.currentTimeMillis(), "id" + n);
        jedis.zadd(key + "time", n, "id" + n);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("drivers")
  void anEmptiedServerIsNoticedThoughNothingIsStored(Driver driver) throws Exception {
    try (RunningSink running = start(driver)) {
      running.append("t", 1, 500);
      running.awaitStored();
      SinkFixture.until(() -> stored().size() == 500);
      REDIS.empty();
      SinkFixture.until(() -> running.count("rewinds") > 0 && running.sink().lagBytes() == 0);
      assertEquals(500, stored().size());
    }
  }

  @Test
  void theDocumentedCommandsFindTheRecord() throws Exception {
    try (RunningSink running = start(Driver.ASYNC)) {
      running.append("t", 1, 7);
      running.awaitStored();
      List<String> commands =
          StoresDocument.block("sh").replace("shard:7:", "shard:" + SHARD + ":").lines().toList();
      assertEquals(List.of("t-7\tt", "t-6\tt", "t-5\tt", "t-4\tt", "t-3\tt"), run(commands.get(0)));
      assertTrue(
          run(commands.get(1).replace("$'ID\\tTOPIC'", "t-7\tt"))
              .get(0)
              .contains("\"topic\":\"t\""));
    }
  }

  private static List<String> run(String command) throws Exception {
    String here = command.replace("redis-cli", "redis-cli -p " + REDIS.port());
    Process client = new ProcessBuilder(here.split(" ")).redirectErrorStream(true).start();
    try (BufferedReader lines = client.inputReader()) {
      return lines.lines().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("drivers")
  void aServerThatThrowsRecordsAwayIsTold(Driver driver) throws Exception {
    String part = "persist.sink.test.settings";
    try (Jedis jedis = REDIS.client();
        RunningSink running = start(driver)) {
      Readiness readiness = running.fixture().readiness;
      jedis.configSet(Map.of("maxmemory", "1gb", "maxmemory-policy", "allkeys-lru"));
      SinkFixture.until(() -> readiness.warnings().containsKey(part));
      String what = readiness.warnings().get(part);
      assertTrue(what.contains("(maxmemory-policy allkeys-lru)"), what);
      jedis.configSet("maxmemory-policy", "volatile-lru");
      SinkFixture.until(() -> readiness.warnings().isEmpty());
    } finally {
      configure(Map.of("maxmemory", "0", "maxmemory-policy", "noeviction"));
    }
  }

  private static void configure(Map<String, String> settings) {
    try (Jedis jedis = REDIS.client()) {
      jedis.configSet(settings);
    }
  }

  @ParameterizedTest
  @MethodSource("drivers")
  void theFirstQuestionAfterItsConnectionWasEndedIsAnswered(Driver driver) throws Exception {
    ColdQuery all =
        new ColdQuery(TopicFilter.parse("#", 100), 0, 9, 10, 9_999, false, Optional.empty());
    try (Store store = store(config(driver));
        Jedis jedis = REDIS.client()) {
      store.open(1).toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
      store.query(all).toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
      jedis.clientKill(new ClientKillParams().type(ClientType.NORMAL));
      Thread.sleep(1_500);
      store.query(all).toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }
  }

  @ParameterizedTest
  @MethodSource("drivers")
  void aUserWhoMayNotAskForThePolicyStoresAndDeletes(Driver driver) throws Exception {
    try (Jedis jedis = REDIS.client()) {
      jedis.aclSetUser("default", "-info");
      try (RunningSink running = start(driver)) {
        running.append("t", 1, 100);
        running.awaitStored();
        assertEquals(100, stored().size());
        assertEquals(0, running.count("delete.failures"));
      } finally {
        jedis.aclSetUser("default", "+info");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("drivers")
  void whatAllCommandsOfABatchMeetWithIsToldOnce(Driver driver) throws Exception {
    try (Store store = store(config(driver))) {
      store.open(1).toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
      configure(Map.of("maxmemory", "1000"));
      List<Placed> records = new ArrayList<>();
      for (int shard = 0; shard < SHARDS; shard++) {
        Position position = new Position(shard, 7, 1);
        records.add(new Placed(position, SinkFixture.record("t" + shard, 1)));
      }
      StoreBatch batch = new StoreBatch(1, records, 1_000, Optional.empty());
      ExecutionException full =
          assertThrows(
              ExecutionException.class,
              () ->
                  store
                      .write(batch)
                      .toCompletionStage()
                      .toCompletableFuture()
                      .get(60, TimeUnit.SECONDS));
      assertEquals(
          "OOM command not allowed when used memory > 'maxmemory'.", full.getCause().getMessage());
    } finally {
      configure(Map.of("maxmemory", "0"));
    }
  }

  @Test
  void keepsSoManyForSoLong() throws Exception {
    try (RunningSink running = start(1L << 32, 1_000, 3_600_000)) {
      running.append("t", 1, 2_500);
      running.awaitStored();
      SinkFixture.until(() -> stored().size() <= 1_000);
      assertTrue(stored().size() >= 990);
      assertEquals(3, sizes.stream().filter(size -> size > 0).count());
      assertEquals(2, sizes.stream().distinct().count(), "the indexes hold what the hash holds");
      assertTrue(stored().containsKey("t-2500") && !stored().containsKey("t-1"));
    }
    try (RunningSink running = start(1L << 32, 1_000_000, 1)) {
      SinkFixture.until(() -> stored().isEmpty());
      assertEquals(0, running.sink().lagBytes());
    }
  }

  @Test
  void keepsToABoundInBytes() throws Exception {
    try (RunningSink running = start(200_000, 1_000_000, 3_600_000)) {
      running.append("t", 1, 2_500);
      running.awaitStored();
      SinkFixture.until(() -> stored().size() < 1_500);
    }
  }

  @ParameterizedTest
  @MethodSource("drivers")
  void givesTheNextOwnerWhatItHoldsOfAShard(Driver driver) throws Exception {
    Backup store = store(config(driver), 1L << 32, 1_000_000, 3_600_000);
    try (RunningSink running = start(driver, store)) {
      running.append("t", 1, 2_500);
      running.awaitStored();
      List<Placed> all = range(store, Position.none(SHARD), Long.MAX_VALUE);
      assertEquals(2_500, all.size());
      assertEquals(new Position(SHARD, 7, 1), all.get(0).position());
      List<Placed> some = range(store, new Position(SHARD, 7, 1_234), Long.MAX_VALUE);
      assertEquals(1_266, some.size());
      assertEquals(new Position(SHARD, 7, 1_235), some.get(0).position());
      List<Placed> newest = range(store, Position.none(SHARD), 1_000);
      assertTrue(newest.size() < 100);
      assertEquals(
          SinkFixture.record("t", 2_500).id(), newest.get(newest.size() - 1).record().id());
      assertEquals(List.of(), range(store, Position.none((SHARD + 1) % SHARDS), Long.MAX_VALUE));
    }
  }

  private static List<Placed> range(Backup store, Position since, long maxBytes) throws Exception {
    return store
        .range(since.shard(), since, maxBytes)
        .toCompletionStage()
        .toCompletableFuture()
        .get(60, TimeUnit.SECONDS);
  }
}
