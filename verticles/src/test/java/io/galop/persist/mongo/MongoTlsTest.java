package io.galop.persist.mongo;

import io.galop.config.persist.MongoConfig;
import io.galop.config.persist.SamplingConfig;
import io.galop.config.persist.SinkConfig;
import io.galop.config.store.StoreLoginConfig;
import io.galop.config.store.StoreTlsConfig;
import io.galop.persist.sink.ServerTlsTest;
import io.galop.persist.store.Store;
import io.galop.servers.MongoServer;
import io.galop.servers.TlsFront;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** TLS in front of a server that speaks MongoDB's protocol. */
@Tag("slow")
class MongoTlsTest extends ServerTlsTest {
  @RegisterExtension static final MongoServer MONGO = new MongoServer();
  private TlsFront front;

  @BeforeEach
  void start() throws Exception {
    Assumptions.assumeTrue(MongoServer.isStandIn(), "the server at GALOP_MONGO_URI is elsewhere");
    front = new TlsFront(directory, MONGO.port());
  }

  @AfterEach
  void stop() throws Exception {
    if (front != null) {
      front.close();
    }
  }

  @Override
  protected Store store(SinkConfig sink, String host, StoreTlsConfig tls) {
    return MongoStores.of(
        vertx,
        new MongoConfig(
            "mongodb",
            List.of(host + ":" + front.port()),
            "",
            MONGO.database(),
            "admin",
            new StoreLoginConfig("", "", "", ""),
            tls,
            "majority",
            true,
            sink,
            SamplingConfig.every(1),
            24,
            2,
            16));
  }

  @Override
  protected Path certificate() {
    return front.certificate();
  }

  @Override
  protected String withoutTls() {
    return "end of stream";
  }
}
