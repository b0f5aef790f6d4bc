package io.galop.node;

import io.galop.jvm.ErrorText;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;

/**
 * What whoever looks at a node is answered, in JSON that nobody keeps; a refusal is {@code
 * {"error":…,"reason":…}}. On the event loop of the port.
 */
public final class JsonAnswer {
  private JsonAnswer() {}

  /** 400: a parameter is wrong, as the message says. */
  public static void invalid(RoutingContext request, IllegalArgumentException wrong) {
    refuse(request, 400, "invalid_parameter", ErrorText.of(wrong));
  }

  /** 503: so many are answered already. */
  public static void busy(RoutingContext request, String why) {
    request.response().putHeader("Retry-After", "1");
    refuse(request, 503, "busy", why + "; ask again in a second");
  }

  /**
   * A refusal.
   *
   * @param reason a stable word
   * @param why a sentence
   */
  public static void refuse(RoutingContext request, int status, String reason, String why) {
    send(request, status, new JsonObject().put("error", why).put("reason", reason).toBuffer());
  }

  /** 200, unless the client was answered otherwise; ends when all of it has left, or cannot. */
  public static Future<Void> send(RoutingContext request, Buffer body) {
    return send(request, 200, body);
  }

  private static Future<Void> send(RoutingContext request, int status, Buffer body) {
    if (request.response().ended()) {
      return Future.succeededFuture();
    }
    return request
        .response()
        .setStatusCode(status)
        .putHeader("Content-Type", "application/json")
        .putHeader("Cache-Control", "no-store")
        .end(body);
  }
}
