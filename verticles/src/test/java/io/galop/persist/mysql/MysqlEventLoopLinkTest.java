package io.galop.persist.mysql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.persist.MysqlConfig;
import io.galop.config.persist.SamplingConfig;
import io.galop.config.persist.SinkConfig.Driver;
import io.galop.config.store.StoreLoginConfig;
import io.galop.config.store.StoreTlsConfig;
import io.galop.persist.sink.SinkFixture;
import io.galop.persist.sql.SqlLink;
import io.galop.servers.Ports;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the client of Vert.x is asked when its sink has ended. */
@Timeout(180)
class MysqlEventLoopLinkTest {
  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void stop() throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  /** A sink that connects again, or a question, may be on its way when the node stops. */
  @Test
  void noPoolIsOpenedBehindTheEnd() {
    MysqlConfig config =
        new MysqlConfig(
            "mysql",
            "127.0.0.1",
            Ports.free(),
            "galop",
            new StoreLoginConfig("galop", "", "", ""),
            new StoreTlsConfig(false, "", true),
            SinkFixture.config(Driver.ASYNC),
            SamplingConfig.every(1),
            24,
            2,
            16);
    SqlLink link = new MysqlSession(config).onEventLoops(vertx);
    link.close();
    for (Future<?> asked :
        List.of(
            link.reset(),
            link.read("SELECT 1", List.of()),
            link.ask("SELECT 1", List.of()),
            link.write("SELECT 1", List.of()))) {
      assertTrue(asked.failed(), "at once");
      assertEquals("the sink is closed", asked.cause().getMessage());
    }
  }
}
