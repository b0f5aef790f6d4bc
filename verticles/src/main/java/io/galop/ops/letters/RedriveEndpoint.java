package io.galop.ops.letters;

import io.galop.jvm.ErrorText;
import io.galop.node.JsonAnswer;
import io.galop.node.Node;
import io.galop.ops.audit.ActHandler;
import io.galop.ops.audit.ActHandler.Answer;
import io.galop.ops.audit.AuditTrail;
import io.galop.ops.audit.TextHash;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * {@code POST /dead-letters/redrive} with a {@link RedriveOrder}: sends the records of letters in
 * again, as {@code galop dead-letter redrive} does, and answers with what became of each. 200 if
 * all are acknowledged, else 409 with the same answer and an {@code error}. One at a time. On the
 * event loop of the port.
 */
public final class RedriveEndpoint {
  private static final String PATH = LettersEndpoint.PATH + "/redrive";
  private static final String ORDER = RedriveOrder.class.getName();
  private static final String WRONG = ORDER + ".wrong";
  private static final String UNDER_WAY =
      "letters are being driven already; ask again when that ends";

  /** Names of letters take up to that, as a rule; more are to be named in several orders. */
  private static final int NAMES_BYTES = 300 * 1024;

  private static final int NAMED_IN_AUDIT = 5;

  private final Node node;
  private final Handler<RoutingContext> gate;
  private final AuditTrail trail;
  private final Loop loop;
  private final LetterSearch search;
  private final LetterDoor door;
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
    this.search = new LetterSearch(node, loop);
    this.door = new LetterDoor(node, loop);
    this.run = new RedriveRun(loop, search::walk, door::send);
  }

  /** Adds its route. */
  public void mount(Router router) {
    router.post(PATH).handler(gate);
    router.post(PATH).handler(this::refuseIfUnderWay);
    int mostBytes = node.config().ingest().limits().largestRecordBytes() + NAMES_BYTES;
    router
        .post(PATH)
        .handler(BodyHandler.create(false).setBodyLimit(mostBytes))
        .handler(this::read)
        .handler(
            new ActHandler(
                trail, loop, RedriveEndpoint::named, RedriveOrder.MOST_MENDED, this::redrive));
  }

  /** Before anything is read of it. */
  private void refuseIfUnderWay(RoutingContext request) {
    if (isUnderWay) {
      JsonAnswer.refuse(request, 409, "under_way", UNDER_WAY);
    } else {
      request.next();
    }
  }

  private void read(RoutingContext request) {
    Buffer body = Objects.requireNonNullElse(request.body().buffer(), Buffer.buffer());
    loop.bring(loop.vertx().executeBlocking(() -> RedriveOrder.read(body), false))
        .onSuccess(order -> request.put(ORDER, order))
        .onFailure(wrong -> request.put(WRONG, ErrorText.of(wrong)))
        .onComplete(done -> request.next());
  }

  /** For the audit log: which letters, and whether as they came. */
  private static Map<String, String> named(RoutingContext request) {
    RedriveOrder order = request.get(ORDER);
    if (order == null) {
      return Map.of(); // redrive says what is wrong with it
    }
    Map<String, String> named = new TreeMap<>();
    List<String> ids = order.ids().stream().map(LetterPlace::text).toList();
    named.put("letters", Integer.toString(ids.size()));
    named.put("ids", String.join(", ", ids.subList(0, Math.min(NAMED_IN_AUDIT, ids.size()))));
    named.put("idsSha256", TextHash.sha256(String.join("\n", ids)));
    order
        .data()
        .ifPresent(
            data -> {
              named.put("mended", data);
              named.put("mendedSha256", TextHash.sha256(data));
            });
    return named;
  }

  private Future<Answer> redrive(RoutingContext request) {
    RedriveOrder order = request.get(ORDER);
    if (order == null) {
      return error(400, "invalid_parameter", request.get(WRONG));
    }
    if (!search.isPossible()) {
      return error(404, "role_missing", LettersEndpoint.ROLE_MISSING);
    }
    if (door.isShut()) {
      return error(409, "no_door", "no node with the role ingest is up; start one");
    }
    if (isUnderWay) {
      return error(409, "under_way", UNDER_WAY);
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
