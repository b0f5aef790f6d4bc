package io.galop.persist.redis;

import static org.junit.jupiter.api.Assertions.assertFalse;

import io.galop.config.persist.RedisConfig;
import io.galop.config.persist.SinkConfig;
import io.galop.config.persist.SinkConfig.Driver;
import io.galop.config.store.StoreLoginConfig;
import io.galop.config.store.StoreTlsConfig;
import io.galop.persist.sink.ServerTlsTest;
import io.galop.persist.store.Store;
import io.galop.servers.RedisServer;
import io.galop.servers.TlsFront;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.Jedis;

/** Encryption and a password, with a TLS listener in front of a real server. */
@Tag("slow")
class RedisTlsTest extends ServerTlsTest {
  private static final String PASSWORD = "a secret";
  @RegisterExtension static final RedisServer REDIS = new RedisServer();
  private TlsFront front;

  @BeforeEach
  void start() throws Exception {
    front = new TlsFront(directory, REDIS.port());
    try (Jedis jedis = REDIS.client()) {
      jedis.configSet("requirepass", PASSWORD);
    }
  }

  @AfterEach
  void stop() throws Exception {
    front.close();
    try (Jedis jedis = REDIS.client()) {
      jedis.auth(PASSWORD);
      jedis.configSet("requirepass", "");
    }
  }

  @Override
  protected Store store(SinkConfig sink, String host, StoreTlsConfig tls) {
    return store(sink, host, PASSWORD, tls);
  }

  private Store store(SinkConfig sink, String host, String password, StoreTlsConfig tls) {
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
            sink,
            60_000,
            1_000,
            1 << 20),
        4);
  }

  @Override
  protected Path certificate() {
    return front.certificate();
  }

  @Override
  protected String withoutTls() {
    return "end of stream|CLOSED|closed";
  }

  @ParameterizedTest
  @EnumSource(
      value = Driver.class,
      names = {"ASYNC", "SYNC"})
  void aWrongPasswordIsToldWithoutShowingIt(Driver driver) {
    StoreTlsConfig tls = new StoreTlsConfig(true, certificate().toString(), true);
    Store store = store(config(driver), "localhost", "wrong one", tls);
    String said = refused(store, "WRONGPASS").toString();
    assertFalse(said.contains("wrong one"), said);
  }
}
