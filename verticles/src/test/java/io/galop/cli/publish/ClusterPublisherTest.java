package io.galop.cli.publish;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.galop.bus.Bus;
import io.galop.cli.TestConsole;
import io.galop.cluster.ClusterStart;
import io.galop.config.ConfigLoader;
import io.galop.config.GalopConfig;
import io.galop.servers.Ports;
import io.vertx.core.Future;
import io.vertx.core.VertxOptions;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class ClusterPublisherTest {
  @Test
  void publishesAsAMemberOfTheCluster() throws IOException {
    int port = Ports.free();
    String members = "cluster.members=[127.0.0.1:" + port + "]";
    String name = "cluster.name=test-" + System.nanoTime();
    GalopConfig config =
        ConfigLoader.load(
            Optional.empty(),
            Map.of(),
            List.of(members, name, "cluster.port=" + port, "cluster.busPort=0"),
            Map.of());
    ClusterStart.Started node = ClusterStart.start(config, "node", new VertxOptions());
    try {
      List<String> taken = new CopyOnWriteArrayList<>();
      Bus.open(node.vertx(), node.cluster(), config.cluster())
          .publish()
          .onPublish(
              message -> {
                taken.add(message.getString("lines"));
                return Future.succeededFuture(new JsonObject().put("accepted", 1));
              });
      TestConsole console = new TestConsole();
      int exit =
          console.run("publish", "a", "{\"x\":1}", "--cluster", "--set", members, "--set", name);
      assertEquals(0, exit, console.err());
      assertEquals(List.of("acknowledged 1"), console.outLines());
      assertEquals(List.of("{\"topic\":\"a\",\"data\":{\"x\":1}}\n"), taken);
    } finally {
      node.vertx().close().await();
    }
  }
}
