package io.galop.ops.letters;

import io.galop.jvm.ErrorText;
import io.galop.node.Node;
import io.galop.ops.audit.ActHandler;
import io.galop.ops.audit.ActHandler.Answer;
import io.galop.ops.audit.AuditTrail;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.json.DecodeException;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * {@code POST /dead-letters/redrive} with a {@link RedriveOrder}: sends the records of letters in
 * again, as {@code galop dead-letter redrive} does, and answers with what became of each. 200 if
 * all are acknowledged, else 409 with the same answer and an {@code error}. One at a time. On the
 * event loop of the port.
 */
public final class RedriveEndpoint {
  private static final String PATH = LettersEndpoint.PATH + "/redrive";
  private static final int MOST_BYTES = 4 * 1024 * 1024;

  private final Node node;
  private final Handler<RoutingContext> gate;
  private final AuditTrail trail;
  private final Loop loop;
  private final RedriveRun run;
  private boolean isUnderWay;

  /**
   * A route, not mounted.
   *
   * @param gate judges requests where no operators are named
   */
  public RedriveEndpoint(Node node, Handler<RoutingContext> gate, AuditTrail trail, Loop loop) {
    this.node = node;
    this.gate = gate;
    this.trail = trail;
    this.loop = loop;
    this.run = new RedriveRun(node, loop);
  }

  /** Adds its route. */
  public void mount(Router router) {
    router.post(PATH).handler(gate);
    router
        .post(PATH)
        .handler(BodyHandler.create(false).setBodyLimit(MOST_BYTES))
        .handler(new ActHandler(trail, loop, this::named, this::redrive));
  }

  private RedriveOrder order(RoutingContext request) {
    try {
      return RedriveOrder.of(
          request.body().asJsonObject(), node.config().broadcast().maxFilterBytes());
    } catch (DecodeException | ClassCastException wrong) {
      throw new IllegalArgumentException("the body is no JSON object", wrong);
    }
  }

  /** For the audit log: which letters, and whether as they came. */
  private Map<String, String> named(RoutingContext request) {
    Map<String, String> named = new TreeMap<>();
    try {
      RedriveOrder order = order(request);
      if (order.isByFilter()) {
        named.put("filter", order.filter());
        named.put("reason", order.reason());
        named.put("limit", Integer.toString(order.limit()));
        order.after().ifPresent(after -> named.put("after", after.text()));
        named.values().removeIf(String::isEmpty);
      } else {
        named.put("letters", Integer.toString(order.ids().size()));
        named.put(
            "ids", order.ids().stream().map(LetterPlace::text).collect(Collectors.joining(", ")));
      }
      order.data().ifPresent(data -> named.put("mended", data));
    } catch (IllegalArgumentException wrong) {
      named.clear(); // redrive says what is wrong with it
    }
    return named;
  }

  private Future<Answer> redrive(RoutingContext request) {
    RedriveOrder order;
    try {
      order = order(request);
    } catch (IllegalArgumentException wrong) {
      return error(400, "invalid_parameter", ErrorText.of(wrong));
    }
    if (!run.reachesLetters()) {
      return error(404, "role_missing", LettersEndpoint.ROLE_MISSING);
    }
    if (!run.reachesDoor()) {
      return error(409, "no_door", "no node with the role ingest is up; start one");
    }
    if (isUnderWay) {
      return error(409, "under_way", "letters are being driven already; ask again when that ends");
    }
    isUnderWay = true;
    return Future.succeededFuture(order)
        .compose(run::follow)
        .map(RedriveJson::answer)
        .onComplete(over -> isUnderWay = false);
  }

  private static Future<Answer> error(int status, String reason, String why) {
    return Future.succeededFuture(Answer.error(status, reason, why));
  }
}
