package io.galop.persist.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.persist.PostgresConfig;
import io.galop.config.persist.SamplingConfig;
import io.galop.config.persist.SinkConfig.Driver;
import io.galop.config.store.StoreLoginConfig;
import io.galop.config.store.StoreTlsConfig;
import io.galop.persist.sink.SinkFixture;
import io.galop.persist.sql.SqlLink;
import io.galop.servers.PostgresServer;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A session that refuses its settings is not used: its answers may come before the disk. */
@Timeout(180)
class PostgresSessionTest {
  private static final String SETS =
      " ON FUNCTION pg_catalog.set_config(text, text, boolean) %s PUBLIC";

  @RegisterExtension static final PostgresServer POSTGRES = new PostgresServer();
  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void stop() throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  private void administer(String sql) throws Exception {
    String url = "jdbc:postgresql://127.0.0.1:" + POSTGRES.port() + "/" + PostgresServer.DATABASE;
    try (Connection administrator = DriverManager.getConnection(url, "postgres", "");
        Statement statement = administrator.createStatement()) {
      statement.execute(sql);
    }
  }

  private SqlLink link() {
    PostgresConfig config =
        new PostgresConfig(
            "postgres",
            "127.0.0.1",
            POSTGRES.port(),
            PostgresServer.DATABASE,
            new StoreLoginConfig(PostgresServer.USER, PostgresServer.PASSWORD, "", ""),
            new StoreTlsConfig(false, "", true),
            SinkFixture.config(Driver.ASYNC),
            SamplingConfig.every(1),
            24,
            2,
            16);
    return new PostgresSession(config).onEventLoops(vertx);
  }

  private static void settle(Future<?> asked) throws Exception {
    asked
        .toCompletionStage()
        .handle((done, failure) -> done)
        .toCompletableFuture()
        .get(60, TimeUnit.SECONDS);
  }

  @Test
  void aSessionThatIsNotSetIsEndedAndTheNextOneIsMadeAnew() throws Exception {
    administer("REVOKE EXECUTE" + SETS.formatted("FROM"));
    try (SqlLink link = link()) {
      settle(link.reset());
      Future<Long> written = link.write("CREATE TABLE never (a int)", List.of());
      settle(written);
      assertTrue(written.failed());
      administer("GRANT EXECUTE" + SETS.formatted("TO"));
      Future<List<Object[]>> asked =
          link.ask("SELECT count(*) FROM pg_tables WHERE tablename = 'never'", List.of());
      settle(asked);
      assertEquals(0L, asked.result().get(0)[0]);
    }
  }
}
