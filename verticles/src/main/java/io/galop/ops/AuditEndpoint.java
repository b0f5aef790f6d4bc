package io.galop.ops;

import io.galop.jvm.ErrorText;
import io.galop.node.JsonAnswer;
import io.galop.ops.audit.AuditTrail;
import io.galop.vertx.Loop;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;

/**
 * {@code GET /audit}: the last acts on this node, for operators. However many ask, one thread reads
 * the file. On the event loop of the port.
 */
final class AuditEndpoint {
  private static final long PATIENCE_MS = 5_000;

  private final Loop loop;
  private final SharedReading<Buffer> last;

  AuditEndpoint(AuditTrail trail, Loop loop) {
    this.loop = loop;
    this.last =
        new SharedReading<>(
            () -> loop.vertx().executeBlocking(() -> trail.last().toBuffer(), false));
  }

  void mount(Router router) {
    router.get("/audit").handler(this::answer);
  }

  private void answer(RoutingContext request) {
    loop.within(PATIENCE_MS, "the audit log", last.get())
        .onSuccess(acts -> JsonAnswer.send(request, acts))
        .onFailure(
            failure -> {
              String why = "the audit log cannot be read: " + ErrorText.of(failure);
              JsonAnswer.refuse(request, 503, "audit_unread", why);
            });
  }
}
