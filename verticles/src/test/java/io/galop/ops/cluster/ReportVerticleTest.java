package io.galop.ops.cluster;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.bus.Bus;
import io.galop.cluster.LocalCluster;
import io.galop.config.ConfigLoader;
import io.galop.config.GalopConfig;
import io.galop.config.Role;
import io.galop.e2e.Await;
import io.galop.node.Node;
import io.galop.node.Readiness;
import io.galop.socket.Listeners;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class ReportVerticleTest {
  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void stop() throws Exception {
    await(vertx.close());
  }

  private static <T> T await(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  private static Future<Buffer> ask(Node node, String report) {
    String self = node.bus().cluster().self().id();
    return node.bus().operators().report(self, new JsonObject().put("report", report));
  }

  private static boolean isAnswered(Node node, String report) throws Exception {
    try {
      return new JsonObject(await(ask(node, report))).getBoolean("here");
    } catch (ExecutionException busy) {
      return false;
    }
  }

  /** Or a fault in a part, so many times, would leave the node without any report. */
  @Test
  void aReportThatNeverComesGivesItsPlaceBack() throws Exception {
    GalopConfig config = ConfigLoader.parse("management: {port: 0}", "test.yaml");
    Bus bus = Bus.open(vertx, new LocalCluster("n", Set.of(Role.values()), 1), config.cluster());
    Node node = new Node(config, bus, new SimpleMeterRegistry(), new Readiness(), new Listeners());
    Promise<JsonObject> never = Promise.promise();
    node.reports().share("never", asked -> never.future());
    node.reports()
        .share("here", asked -> Future.succeededFuture(new JsonObject().put("here", true)));
    await(vertx.deployVerticle(new ReportVerticle(node, 500)));
    assertTrue(isAnswered(node, "here"));
    for (int i = 0; i < 2 * ReportVerticle.MOST_UNDER_WAY; i++) {
      ask(node, "never");
    }
    Await.until("another is answered again", 120, () -> isAnswered(node, "here"));
  }
}
