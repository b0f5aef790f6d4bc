package io.galop.ops;

import io.galop.jvm.ErrorText;
import io.galop.node.Node;
import io.galop.ops.audit.ActHandler;
import io.galop.ops.audit.ActHandler.Answer;
import io.galop.ops.audit.AuditTrail;
import io.galop.ops.drill.DrillFault;
import io.galop.ops.drill.DrillJson;
import io.galop.ops.drill.Drills;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.Map;
import java.util.Optional;

/**
 * {@code GET /drills}: the last drills of this node. {@code POST /drills[?fault=…]} runs one, and
 * answers the same when it is over. On the event loop of the port.
 */
final class DrillEndpoint {
  private static final String PATH = "/drills";

  private final Node node;
  private final AuditTrail trail;
  private final Loop loop;
  private final Drills drills;

  DrillEndpoint(Node node, AuditTrail trail, Loop loop) {
    this.node = node;
    this.trail = trail;
    this.loop = loop;
    this.drills = new Drills(node, loop);
  }

  void mount(Router router) {
    router.get(PATH).handler(request -> ActHandler.send(request, new Answer(200, json())));
    router
        .post(PATH)
        .handler(new ActHandler(trail, loop, request -> Map.of("fault", word(request)), this::run));
  }

  private static String word(RoutingContext request) {
    String given = request.queryParams().get("fault");
    return given == null ? DrillFault.NONE.word() : given;
  }

  private JsonObject json() {
    return DrillJson.of(drills, node.config().drills().everyMs());
  }

  private Future<Answer> run(RoutingContext request) {
    DrillFault fault;
    try {
      fault = DrillFault.of(word(request));
    } catch (IllegalArgumentException wrong) {
      return Future.succeededFuture(Answer.error(400, "invalid_parameter", ErrorText.of(wrong)));
    }
    return refusal(fault)
        .map(Future::succeededFuture)
        .orElseGet(() -> drills.run(fault).map(over -> new Answer(200, json())));
  }

  private Optional<Answer> refusal(DrillFault fault) {
    if (!drills.off().isEmpty()) {
      String why = "this node has no drills: " + drills.off();
      return Optional.of(Answer.error(409, "no_drills", why));
    }
    if (drills.isUnderWay()) {
      String why = "a drill is under way; ask again when it is over";
      return Optional.of(Answer.error(409, "under_way", why));
    }
    if (!drills.isPossible(fault)) {
      String why =
          "'%s' cannot be planted here: it takes the role broadcast, or for lost and doubled a"
                  .formatted(fault.word())
              + " relay that watched the last drill; and for silent a rule of"
              + " broadcast.freshness for $drill/+/silent of at most a minute";
      return Optional.of(Answer.error(409, "not_possible", why));
    }
    return Optional.empty();
  }
}
