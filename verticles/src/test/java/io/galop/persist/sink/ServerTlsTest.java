package io.galop.persist.sink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.persist.SinkConfig;
import io.galop.config.persist.SinkConfig.Driver;
import io.galop.config.store.StoreTlsConfig;
import io.galop.persist.store.Store;
import io.galop.persist.store.StoreBatch;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.galop.servers.TlsFront;
import io.galop.store.TlsReason;
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
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What every store has to do with a server that is reached over TLS only, with each client. */
@Timeout(180)
public abstract class ServerTlsTest {
  protected Vertx vertx;
  @TempDir protected Path directory;

  /** A store that is not connected yet. */
  protected abstract Store store(SinkConfig sink, String host, StoreTlsConfig tls);

  /** The file of the server's certificate, which is for {@code localhost}. */
  protected abstract Path certificate();

  /** A part of what is said when TLS is not even tried; a pattern. */
  protected abstract String withoutTls();

  @BeforeEach
  void open() {
    vertx = Vertx.vertx();
  }

  @AfterEach
  void close() throws Exception {
    get(vertx.close());
  }

  protected static <T> T get(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  protected static SinkConfig config(Driver driver) {
    return new SinkConfig(driver, 100, 65_536, 5, 2, 1 << 20, 5_000, 500, 3, 1 << 20, 0);
  }

  @ParameterizedTest
  @EnumSource(
      value = Driver.class,
      names = {"ASYNC", "SYNC"})
  void isEncryptedAndKnowsWhomItTalksTo(Driver driver) throws Exception {
    SinkConfig sink = config(driver);
    String ca = certificate().toString();
    try (Store store = store(sink, "localhost", new StoreTlsConfig(true, ca, true))) {
      assertEquals(Optional.empty(), get(store.open(1)));
      Placed placed = new Placed(new Position(1, 2, 3), SinkFixture.record("t", driver.ordinal()));
      assertEquals(1, get(store.write(new StoreBatch(1, List.of(placed), 100, Optional.empty()))));
    }
    try (Store store = store(sink, "127.0.0.1", new StoreTlsConfig(true, ca, false))) {
      get(store.open(2));
    }
    String other = TlsFront.certify(directory, "other").toString();
    refused(store(sink, "127.0.0.1", new StoreTlsConfig(true, ca, true)), "tls\\.verifyHost");
    refused(store(sink, "localhost", new StoreTlsConfig(true, other, true)), "tls\\.caFile");
    refused(store(sink, "localhost", new StoreTlsConfig(true, "", true)), "tls\\.caFile");
    refused(store(sink, "localhost", new StoreTlsConfig(false, "", true)), withoutTls());
  }

  /**
   * Closes the store.
   *
   * @param why a pattern that some of the message matches
   */
  protected static ExecutionException refused(Store refused, String why) {
    try (Store store = refused) {
      ExecutionException failure = assertThrows(ExecutionException.class, () -> get(store.open(1)));
      String said = TlsReason.of(failure).orElse(failure.getMessage());
      assertTrue(said.matches("(?s).*(" + why + ").*"), said);
      return failure;
    }
  }
}
