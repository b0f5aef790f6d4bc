package io.galop.broadcast.edge;

import io.galop.record.JsonString;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;

/**
 * Why a request is turned away before it has a session.
 *
 * @param status of the answer
 * @param reason a stable word
 * @param message what is wrong and what to do
 * @param retryAfterSeconds when to come again; 0: it would be refused again
 */
public record EdgeRefusal(int status, String reason, String message, int retryAfterSeconds) {

  /** Answers {@code {"error":message,"reason":reason}}. */
  public void answer(RoutingContext context) {
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
}
