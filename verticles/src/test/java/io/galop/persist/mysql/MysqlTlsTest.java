package io.galop.persist.mysql;

import io.galop.config.persist.MysqlConfig;
import io.galop.config.persist.SamplingConfig;
import io.galop.config.persist.SinkConfig;
import io.galop.config.store.StoreLoginConfig;
import io.galop.config.store.StoreTlsConfig;
import io.galop.persist.sink.ServerTlsTest;
import io.galop.persist.store.Store;
import io.galop.servers.MariaDbServer;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A real server that lets its user in over TLS only. */
class MysqlTlsTest extends ServerTlsTest {
  @RegisterExtension static final MariaDbServer MARIADB = MariaDbServer.withTls();

  @Override
  protected Store store(SinkConfig sink, String host, StoreTlsConfig tls) {
    return MysqlStores.of(
        vertx,
        new MysqlConfig(
            "mysql",
            host,
            MARIADB.port(),
            MariaDbServer.DATABASE,
            new StoreLoginConfig(MariaDbServer.USER, MariaDbServer.PASSWORD, "", ""),
            tls,
            sink,
            SamplingConfig.every(1),
            24,
            2,
            16));
  }

  @Override
  protected Path certificate() {
    return MARIADB.certificate();
  }

  @Override
  protected String withoutTls() {
    return "denied";
  }
}
