package io.galop.persist.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.bus.store.TlsReason;
import io.galop.config.RedisConfig;
import io.galop.config.SinkConfig;
import io.galop.config.SinkConfig.Driver;
import io.galop.config.StoreLoginConfig;
import io.galop.config.StoreTlsConfig;
import io.galop.persist.sink.Parcel;
import io.galop.persist.sink.SinkFixture;
import io.galop.persist.sink.Store;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.galop.servers.RedisServer;
import io.galop.servers.TlsFront;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.Jedis;

/** Encryption and a password, with a TLS listener in front of a real server. */
@Timeout(60)
class RedisTlsTest {
  @RegisterExtension static final RedisServer REDIS = new RedisServer();
  @TempDir Path directory;
  private Vertx vertx;
  private TlsFront front;

  @BeforeEach
  void start() throws Exception {
    vertx = Vertx.vertx();
    front = new TlsFront(directory, REDIS.port());
    try (Jedis jedis = REDIS.client()) {
      jedis.configSet("requirepass", "a secret");
    }
  }

  @AfterEach
  void stop() throws Exception {
    front.close();
    get(vertx.close());
    try (Jedis jedis = REDIS.client()) {
      jedis.auth("a secret");
      jedis.configSet("requirepass", "");
    }
  }

  private static <T> T get(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
  }

  private Store store(Driver driver, String host, String password, StoreTlsConfig tls) {
    return RedisStores.of(
        vertx,
        new RedisConfig(
            "redis",
            host,
            front.port(),
            0,
            "galop",
            new StoreLoginConfig("", password, "", ""),
            tls,
            new SinkConfig(driver, 100, 65_536, 5, 2, 1 << 20, 5_000, 500, 3, 0),
            60_000,
            1_000,
            1 << 20),
        4);
  }

  @ParameterizedTest
  @EnumSource(
      value = Driver.class,
      names = {"ASYNC", "SYNC"})
  void isEncryptedAndKnowsWhomItTalksTo(Driver driver) throws Exception {
    String ca = front.certificate().toString();
    try (Store store = store(driver, "localhost", "a secret", new StoreTlsConfig(true, ca, true))) {
      assertEquals(Optional.empty(), get(store.open(1)));
      Placed placed = new Placed(new Position(1, 2, 3), SinkFixture.record("t", driver.ordinal()));
      assertEquals(1, get(store.write(new Parcel(1, List.of(placed), 100, Optional.empty()))));
    }
    StoreTlsConfig tls = new StoreTlsConfig(true, ca, true);
    refused(driver, "127.0.0.1", "a secret", tls, "tls.verifyHost");
    refused(driver, "localhost", "a secret", new StoreTlsConfig(true, "", true), "tls.caFile");
    refused(driver, "localhost", "wrong one", tls, "WRONGPASS");
    try (Store store =
        store(driver, "127.0.0.1", "a secret", new StoreTlsConfig(true, ca, false))) {
      get(store.open(2));
    }
  }

  private void refused(
      Driver driver, String host, String password, StoreTlsConfig tls, String why) {
    try (Store store = store(driver, host, password, tls)) {
      ExecutionException failure = assertThrows(ExecutionException.class, () -> get(store.open(1)));
      String said = TlsReason.of(failure).orElse(failure.getMessage());
      assertTrue(said.contains(why), said);
      assertTrue(!failure.toString().contains(password), failure.toString());
    }
  }
}
