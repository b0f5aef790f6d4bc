package io.galop.persist.postgres;

import io.galop.config.persist.PostgresConfig;
import io.galop.config.persist.SamplingConfig;
import io.galop.config.persist.SinkConfig;
import io.galop.config.store.StoreLoginConfig;
import io.galop.config.store.StoreTlsConfig;
import io.galop.persist.sink.ServerTlsTest;
import io.galop.persist.store.Store;
import io.galop.servers.PostgresServer;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A real server that lets its user in over TLS only. */
class PostgresTlsTest extends ServerTlsTest {
  @RegisterExtension static final PostgresServer POSTGRES = PostgresServer.withTls();

  @Override
  protected Store store(SinkConfig sink, String host, StoreTlsConfig tls) {
    return PostgresStores.of(
        vertx,
        new PostgresConfig(
            "postgres",
            host,
            POSTGRES.port(),
            PostgresServer.DATABASE,
            new StoreLoginConfig(PostgresServer.USER, PostgresServer.PASSWORD, "", ""),
            tls,
            sink,
            SamplingConfig.every(1),
            24,
            2,
            16));
  }

  @Override
  protected Path certificate() {
    return POSTGRES.certificate();
  }

  @Override
  protected String withoutTls() {
    return "no pg_hba.conf entry";
  }
}
