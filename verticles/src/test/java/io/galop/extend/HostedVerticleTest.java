package io.galop.extend;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.broadcast.TestFeed;
import io.galop.bus.Bus;
import io.galop.cluster.LocalCluster;
import io.galop.config.ConfigLoader;
import io.galop.config.GalopConfig;
import io.galop.config.Role;
import io.galop.node.Node;
import io.galop.node.Readiness;
import io.galop.socket.Listeners;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a language throws while it loads a verticle. */
@Timeout(180)
class HostedVerticleTest {
  private final Vertx vertx = Vertx.vertx();
  private final AtomicReference<Throwable> fault = new AtomicReference<>();

  /** Loads nothing. */
  private final class Faulty extends HostedFactory {
    @Override
    public String prefix() {
      return "faulty";
    }

    @Override
    protected void check(String target, String directory) {}

    @Override
    protected Program open(Opening opening) {
      if (fault.get() instanceof Error error) {
        throw error;
      }
      throw (RuntimeException) fault.get();
    }
  }

  private VerticleHost host() {
    GalopConfig config = ConfigLoader.parse("{}", "test.yaml");
    LocalCluster cluster = new LocalCluster("test", Set.of(Role.values()), 4);
    Bus bus = Bus.open(vertx, cluster, config.cluster());
    Node node = new Node(config, bus, new SimpleMeterRegistry(), new Readiness(), new Listeners());
    return VerticleHost.open(vertx, node, Optional.empty());
  }

  @AfterEach
  void stop() throws Exception {
    TestFeed.await(vertx.close());
  }

  @ParameterizedTest
  @ValueSource(
      classes = {IllegalStateException.class, NoClassDefFoundError.class, ProgramException.class})
  void anInstanceThatCouldNotBeLoadedHasEnded(Class<? extends Throwable> kind) throws Exception {
    VerticleHost host = host();
    vertx.registerVerticleFactory(new Faulty());
    fault.set(kind.getDeclaredConstructor(String.class).newInstance("of the test"));
    InstanceSpec spec = InstanceSpec.take(null, "faulty:a");
    Future<String> deployed =
        vertx.deployVerticle("faulty:a", new DeploymentOptions().setConfig(spec.toConfig()));
    TestFeed.await(deployed.transform(done -> Future.succeededFuture()));
    assertTrue(deployed.failed());
    assertSame(fault.get(), deployed.cause());
    assertFalse(host.hasBegun(spec), "it still counts as running");
  }
}
