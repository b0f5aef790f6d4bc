package io.galop.persist.mysql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.bus.store.TlsReason;
import io.galop.config.MysqlConfig;
import io.galop.config.SamplingConfig;
import io.galop.config.SinkConfig;
import io.galop.config.SinkConfig.Driver;
import io.galop.config.StoreLoginConfig;
import io.galop.config.StoreTlsConfig;
import io.galop.persist.sink.Parcel;
import io.galop.persist.sink.SinkFixture;
import io.galop.persist.sink.Store;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.galop.servers.MariaDbServer;
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

/** A real server that lets its user in over TLS only. */
@Timeout(60)
class MysqlTlsTest {
  @RegisterExtension static final MariaDbServer MARIADB = MariaDbServer.withTls();
  @TempDir Path directory;
  private Vertx vertx;

  @BeforeEach
  void start() {
    vertx = Vertx.vertx();
  }

  @AfterEach
  void stop() throws Exception {
    get(vertx.close());
  }

  private static <T> T get(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
  }

  private Store store(Driver driver, String host, StoreTlsConfig tls) {
    return MysqlStores.of(
        vertx,
        new MysqlConfig(
            "mysql",
            host,
            MARIADB.port(),
            MariaDbServer.DATABASE,
            new StoreLoginConfig(MariaDbServer.USER, MariaDbServer.PASSWORD, "", ""),
            tls,
            new SinkConfig(driver, 100, 65_536, 5, 2, 1 << 20, 5_000, 500, 3, 0),
            SamplingConfig.every(1),
            24,
            2,
            16));
  }

  @ParameterizedTest
  @EnumSource(
      value = Driver.class,
      names = {"ASYNC", "SYNC"})
  void isEncryptedAndKnowsWhomItTalksTo(Driver driver) throws Exception {
    String ca = MARIADB.certificate().toString();
    try (Store store = store(driver, "localhost", new StoreTlsConfig(true, ca, true))) {
      assertEquals(Optional.empty(), get(store.open(1)));
      Placed placed = new Placed(new Position(1, 2, 3), SinkFixture.record("t", driver.ordinal()));
      assertEquals(1, get(store.write(new Parcel(1, List.of(placed), 100, Optional.empty()))));
    }
    try (Store store = store(driver, "127.0.0.1", new StoreTlsConfig(true, ca, false))) {
      get(store.open(2));
    }
    String other = TlsFront.certify(directory, "other").toString();
    refused(driver, "127.0.0.1", new StoreTlsConfig(true, ca, true), "tls.verifyHost");
    refused(driver, "localhost", new StoreTlsConfig(true, other, true), "tls.caFile");
    refused(driver, "localhost", new StoreTlsConfig(true, "", true), "tls.caFile");
    refused(driver, "localhost", new StoreTlsConfig(false, "", true), "denied");
  }

  private void refused(Driver driver, String host, StoreTlsConfig tls, String why) {
    try (Store store = store(driver, host, tls)) {
      ExecutionException failure = assertThrows(ExecutionException.class, () -> get(store.open(1)));
      String said = TlsReason.of(failure).orElse(failure.getMessage());
      assertTrue(said.contains(why), said);
    }
  }
}
