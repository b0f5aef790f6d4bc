package io.galop.ops;

import io.galop.node.Node;
import io.galop.ops.access.Operators;
import io.galop.ops.audit.AuditTrail;
import io.galop.ops.cluster.OneViewer;
import io.galop.ops.letters.LettersEndpoint;
import io.galop.ops.letters.RedriveEndpoint;
import io.galop.vertx.Loop;
import io.vertx.core.Vertx;
import io.vertx.ext.web.Router;

/** The routes by which operators act on more than the node's drain. */
final class ActEndpoints {
  private final Vertx vertx;
  private final Node node;
  private final Operators operators;
  private final AuditTrail trail;
  private final Loop loop;

  ActEndpoints(Vertx vertx, Node node, Operators operators, AuditTrail trail, Loop loop) {
    this.vertx = vertx;
    this.node = node;
    this.operators = operators;
    this.trail = trail;
    this.loop = loop;
  }

  void mount(Router router) {
    ScriptGate gate = new ScriptGate(node.config().ingest(), operators);
    new ScriptEndpoint(node, gate, trail, loop).mount(router);
    new ConfigEndpoint(node, gate, trail, loop).mount(router);
    OneViewer viewer = new OneViewer(vertx, node, trail, loop);
    viewer.mount(router);
    new ViewerEndpoint(node, trail, loop, viewer).mount(router);
    new AlarmEndpoint(node, trail, loop).mount(router);
    new LettersEndpoint(node, loop).mount(router);
    new RedriveEndpoint(node, gate, trail, loop).mount(router);
    new DrillEndpoint(node, trail, loop).mount(router);
    new AuditEndpoint(trail, loop).mount(router);
  }
}
