package io.galop.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.bus.Bus;
import io.galop.cluster.LocalCluster;
import io.galop.config.ConfigLoader;
import io.galop.config.GalopConfig;
import io.galop.config.Role;
import io.galop.node.Node;
import io.galop.node.Readiness;
import io.galop.ops.access.Operators;
import io.galop.ops.access.RouteAccess;
import io.galop.ops.audit.AuditTrail;
import io.galop.socket.Listeners;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.Router;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** No route of the management port is forgotten: each is open, to look or to act. */
@Timeout(180)
class RouteAccessTest {
  private final Vertx vertx = Vertx.vertx();

  private List<Route> routes() throws Exception {
    PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    GalopConfig config = ConfigLoader.parse("management: {port: 0}", "test.yaml");
    Bus bus = Bus.open(vertx, new LocalCluster("n", Set.of(Role.values()), 1), config.cluster());
    Node node = new Node(config, bus, meters, new Readiness(), new Listeners());
    Promise<Router> made = Promise.promise();
    try (AuditTrail trail = new AuditTrail(node)) {
      vertx.runOnContext(
          on ->
              made.complete(
                  new ManagementRoutes(
                          node,
                          meters,
                          vertx.createSharedWorkerExecutor("test", 1),
                          new Operators(config),
                          trail)
                      .on(vertx)));
      return made.future()
          .toCompletionStage()
          .toCompletableFuture()
          .get(60, TimeUnit.SECONDS)
          .getRoutes();
    } finally {
      vertx.close().toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }
  }

  @Test
  void everyRouteHasItsAccessAndTheGateStandsBeforeAll() throws Exception {
    List<Route> routes = routes();
    assertEquals(null, routes.get(0).getPath(), "the gate");
    Set<String> mounted = new TreeSet<>();
    for (Route route : routes.subList(1, routes.size())) {
      assertTrue(route.getPath() != null && route.methods() != null, route + " is for all");
      for (HttpMethod method : route.methods()) {
        mounted.add(method + " " + route.getPath());
      }
    }
    Set<String> classed =
        RouteAccess.all().stream()
            .map(one -> one.method() + " " + one.path())
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(classed, mounted, "see RouteAccess");
    assertEquals(RouteAccess.all().size(), classed.size(), "one stands there twice");
  }
}
