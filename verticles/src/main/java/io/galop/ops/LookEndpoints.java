package io.galop.ops;

import io.galop.node.JsonAnswer;
import io.galop.node.Node;
import io.galop.node.Reports;
import io.galop.ops.cluster.ExplainEndpoint;
import io.galop.ops.cluster.HeadroomEndpoint;
import io.galop.ops.cluster.LedgerEndpoint;
import io.galop.ops.cluster.NodeShards;
import io.galop.ops.cluster.NodeTopics;
import io.galop.ops.cluster.ShardsEndpoint;
import io.galop.ops.cluster.TopicsEndpoint;
import io.galop.ops.cluster.ViewersEndpoint;
import io.galop.presence.PresenceEndpoint;
import io.galop.presence.PresenceReport;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The routes by which operators look at more than the state of the node: viewers, also by topic,
 * the Ledger, how full nodes are, a record. What is answered is encoded on a worker thread.
 */
final class LookEndpoints {
  private final Vertx vertx;
  private final Node node;
  private final Loop loop;

  LookEndpoints(Vertx vertx, Node node, Loop loop) {
    this.vertx = vertx;
    this.node = node;
    this.loop = loop;
    node.reports().share("ledger", this::ledger);
    PresenceReport.share(node);
    NodeTopics.share(vertx, node);
    NodeShards.share(node);
  }

  void mount(Router router) {
    ViewersEndpoint viewers = new ViewersEndpoint(vertx, node, loop);
    router
        .get("/viewers")
        .handler(
            request -> {
              if (ViewersEndpoint.isAsked(request)) {
                viewers.find(request);
              } else {
                answer(request, "viewers", "this node has no role broadcast, and no viewers");
              }
            });
    new LedgerEndpoint(vertx, node, loop).mount(router);
    new HeadroomEndpoint(vertx, node, loop).mount(router);
    new ExplainEndpoint(vertx, node, loop).mount(router);
    new TopicsEndpoint(vertx, node, loop).mount(router);
    new ShardsEndpoint(vertx, node, loop).mount(router);
    new PresenceEndpoint(node, loop, true).mount(router.get(PresenceEndpoint.PATH));
  }

  /** Of this node alone; a day of minutes takes its time. */
  private Future<JsonObject> ledger(Map<String, String> asked) {
    return vertx.executeBlocking(
        () ->
            LedgerReport.json(
                node, asked.getOrDefault("minute", ""), asked.getOrDefault("limit", "1440")),
        false);
  }

  private void answer(RoutingContext request, String name, String without) {
    Optional<Reports.Report> report = node.reports().find(name);
    if (report.isEmpty()) {
      JsonAnswer.refuse(request, 404, "role_missing", without);
      return;
    }
    Map<String, String> parameters = new HashMap<>();
    request.queryParams().forEach(parameters::put);
    try {
      Future<Buffer> encoded =
          loop.bring(report.get().answer(parameters))
              .compose(answer -> vertx.executeBlocking(answer::toBuffer, false));
      loop.bring(encoded)
          .onSuccess(text -> JsonAnswer.send(request, text))
          .onFailure(request::fail);
    } catch (IllegalArgumentException wrong) {
      JsonAnswer.invalid(request, wrong);
    }
  }
}
