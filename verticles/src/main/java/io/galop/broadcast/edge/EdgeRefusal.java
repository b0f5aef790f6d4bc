package io.galop.broadcast.edge;

import io.galop.json.JsonString;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Why a request is turned away before it has a session.
 *
 * @param status of the answer
 * @param reason a stable word
 * @param message what is wrong and what to do
 * @param retryAfterSeconds when to come again; 0: it would be refused again
 */
public record EdgeRefusal(int status, String reason, String message, int retryAfterSeconds) {

  private static final int RETRY_SPREAD_MS = 1000;
  private static final String EVENTS = "text/event-stream";
  private static final String BY_EVENT = "galop.refused.by.event";

  /** An EventSource that asks for this is refused by an event that tells it when to come again. */
  public static void answerByEvent(RoutingContext context) {
    context.put(BY_EVENT, Boolean.TRUE);
  }

  /** Answers {@code {"error":message,"reason":reason}}. */
  public void answer(RoutingContext context) {
    if (retryAfterSeconds > 0 && isEventSource(context)) {
      answerAsEvent(context);
      return;
    }
    HttpServerResponse response = context.response().setStatusCode(status);
    if (retryAfterSeconds > 0) {
      response.putHeader(HttpHeaders.RETRY_AFTER, Integer.toString(retryAfterSeconds));
    }
    if (status == 401) {
      response.putHeader("WWW-Authenticate", "Bearer");
    }
    response
        .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
        .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
        .end(
            "{\"error\":"
                + JsonString.quoted(message)
                + ",\"reason\":"
                + JsonString.quoted(reason)
                + "}");
  }

  private static boolean isEventSource(RoutingContext context) {
    String accept = context.request().getHeader(HttpHeaders.ACCEPT);
    return accept != null
        && accept.toLowerCase(Locale.ROOT).contains(EVENTS)
        && context.get(BY_EVENT) != null;
  }

  /**
   * A browser gives an EventSource up for good at any status but 200 (HTML, 9.2.3), and comes back
   * after the end of a response by itself; each at another time.
   */
  private void answerAsEvent(RoutingContext context) {
    HttpServerResponse response = context.response();
    String origin = context.request().getHeader(HttpHeaders.ORIGIN);
    if (origin != null) {
      response
          .putHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN, origin)
          .putHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_CREDENTIALS, "true");
    }
    int retryMs = retryAfterSeconds * 1000 + ThreadLocalRandom.current().nextInt(RETRY_SPREAD_MS);
    response
        .putHeader(HttpHeaders.CONTENT_TYPE, EVENTS)
        .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
        .end(
            "retry: "
                + retryMs
                + "\n\ndata: {\"type\":\"err\",\"body\":"
                + JsonString.quoted(reason)
                + ",\"retryAfterMs\":"
                + retryMs
                + ",\"message\":"
                + JsonString.quoted(message)
                + "}\n\n");
  }
}
