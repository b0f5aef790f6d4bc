package io.galop.ops.audit;

import io.galop.jvm.ErrorText;
import io.galop.ops.access.AccessGate;
import io.galop.ops.access.Login;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.Map;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A route by which operators act: the act is in the audit log before it is done, and what came of
 * it before it is answered. Where operators are named, what cannot be written there is not done. On
 * the event loop of the port.
 */
public final class ActHandler implements Handler<RoutingContext> {
  private static final Logger LOG = LoggerFactory.getLogger(ActHandler.class);

  /** A disk that hangs holds up no answer for longer. */
  static final long PATIENCE_MS = 5_000;

  private final AuditTrail trail;
  private final Loop loop;
  private final Function<RoutingContext, Map<String, String>> parameters;
  private final int mostCharacters;
  private final Function<RoutingContext, Future<Answer>> act;

  /**
   * What is answered.
   *
   * @param status of HTTP; from 400 on the act has failed
   * @param noted more of what came of it, for the audit log
   */
  public record Answer(int status, JsonObject body, Map<String, String> noted) {
    public Answer(int status, JsonObject body) {
      this(status, body, Map.of());
    }

    /**
     * Nothing was done, and why.
     *
     * @param reason a word for programs
     * @param why a sentence for people
     */
    public static Answer error(int status, String reason, String why) {
      return new Answer(status, new JsonObject().put("error", why).put("reason", reason));
    }

    String why() {
      return status < 400 ? "" : body.getString("error", "");
    }
  }

  /**
   * A route, whose requests have passed the gate.
   *
   * @param parameters what is said there of a request, in few words; must not throw
   * @param act does it; a failure is answered with 500
   */
  public ActHandler(
      AuditTrail trail,
      Loop loop,
      Function<RoutingContext, Map<String, String>> parameters,
      Function<RoutingContext, Future<Answer>> act) {
    this(trail, loop, parameters, AuditLine.MOST_CHARACTERS, act);
  }

  /**
   * The same.
   *
   * @param mostCharacters of a parameter that the audit log has whole
   */
  public ActHandler(
      AuditTrail trail,
      Loop loop,
      Function<RoutingContext, Map<String, String>> parameters,
      int mostCharacters,
      Function<RoutingContext, Future<Answer>> act) {
    this.mostCharacters = mostCharacters;
    this.trail = trail;
    this.loop = loop;
    this.parameters = parameters;
    this.act = act;
  }

  @Override
  public void handle(RoutingContext request) {
    Login login = AccessGate.login(request);
    AuditLine begun =
        AuditLine.begun(login, action(request), parameters.apply(request), mostCharacters);
    loop.within(PATIENCE_MS, "the line in the audit log", trail.write(begun))
        .onSuccess(written -> go(request, begun))
        .onFailure(failure -> onUnwritten(request, login, begun, failure));
  }

  private void onUnwritten(
      RoutingContext request, Login login, AuditLine begun, Throwable failure) {
    if (login.isKnown()) {
      trail.write(begun.ended(503, ErrorText.of(failure)));
      String why = "nothing was done, as " + ErrorText.of(failure);
      send(request, Answer.error(503, "audit_unwritten", why));
    } else { // the line would have named nobody
      go(request, begun);
    }
  }

  private void go(RoutingContext request, AuditLine begun) {
    Future.succeededFuture(request)
        .compose(act)
        .otherwise(ActHandler::failed)
        .onSuccess(
            answer ->
                loop.within(PATIENCE_MS, "it", trail.write(ended(begun, answer)))
                    .onComplete(written -> send(request, answer)));
  }

  private static AuditLine ended(AuditLine begun, Answer answer) {
    return begun.noting(answer.noted()).ended(answer.status(), answer.why());
  }

  private static Answer failed(Throwable failure) {
    LOG.error("an act failed", failure);
    return Answer.error(500, "failed", "this node failed to act; its log says why");
  }

  /** The path says it. */
  static String action(RoutingContext request) {
    return request.normalizedPath().replaceAll("^/|/$", "");
  }

  /** Sends an answer; the console's form comes back to the console. */
  public static void send(RoutingContext request, Answer answer) {
    String accept = request.request().getHeader(HttpHeaders.ACCEPT);
    if (answer.status() < 400 && accept != null && accept.contains("text/html")) {
      request.response().setStatusCode(303).putHeader(HttpHeaders.LOCATION, "/").end();
      return;
    }
    request
        .response()
        .setStatusCode(answer.status())
        .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
        .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
        .end(answer.body().encode());
  }
}
