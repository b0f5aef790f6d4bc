package io.galop.enrich.lookup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.ConfigLoader;
import io.galop.config.enrich.LookupConfig;
import io.galop.servers.PostgresServer;
import io.galop.store.TlsReason;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Rows of a database that lets its user in over TLS only. */
@Timeout(180)
class PostgresRowsTlsTest {
  @RegisterExtension static final PostgresServer POSTGRES = PostgresServer.withTls();
  private final Vertx vertx = Vertx.vertx();
  private final Context context = vertx.getOrCreateContext();

  @AfterEach
  void close() throws Exception {
    await(vertx.close());
  }

  private static <T> T await(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  private <T> T on(Supplier<Future<T>> call) throws Exception {
    Promise<T> done = Promise.promise();
    context.runOnContext(none -> call.get().onComplete(done));
    return await(done.future());
  }

  /** Rows of a table that every database has. */
  private RowStore open(String tls) throws Exception {
    String yaml =
        """
        enrich:
          chain:
            - lookup:
                table: pg_catalog.pg_language
                field: language
                keyColumn: lanname
                source:
                  postgres:
                    host: localhost
                    port: %d
                    database: galop
                    login: {user: %s, password: %s}
                    tls: {%s}
        """
            .formatted(POSTGRES.port(), PostgresServer.USER, PostgresServer.PASSWORD, tls);
    LookupConfig config =
        (LookupConfig) ConfigLoader.parse(yaml, "test.yaml").enrich().chain().get(0);
    return on(RowStores.opener(vertx, config));
  }

  @Test
  void areReadFromADatabaseWhoseCertificateIsTrusted() throws Exception {
    RowStore rows = open("enabled: true, caFile: '" + POSTGRES.certificate() + "'");
    assertEquals(1, on(() -> rows.select(List.of("sql", "nosuch"))).size());
  }

  @Test
  void withoutAFileThoseThatJavaTrustsAreTrusted() throws Exception {
    RowStore rows = open("enabled: true");
    ExecutionException refused = assertThrows(ExecutionException.class, () -> on(rows::check));
    String said = TlsReason.of(refused).orElse(refused.getMessage());
    assertTrue(said.contains("the store's certificate is not trusted"), said);
  }
}
