package io.galop.broadcast.sockjs;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;

/** Answers that need no session. */
final class PlainAnswers {
  private PlainAnswers() {}

  static void text(HttpServerRequest request, int status, String text) {
    HttpServerResponse response = request.response();
    if (!response.ended() && !response.closed()) {
      response.setStatusCode(status).putHeader(HttpHeaders.CONTENT_TYPE, Headers.TEXT).end(text);
    }
  }

  static void notFound(HttpServerRequest request) {
    text(request, 404, "There is no such page here.\n");
  }

  /** The session has ended, or began on another node. */
  static void noSession(HttpServerRequest request) {
    Headers.cors(request);
    Headers.neverCached(request.response());
    text(request, 404, "There is no such session here.\n");
  }

  static void notAllowed(HttpServerRequest request, String allowed) {
    request.response().setStatusCode(405).putHeader(HttpHeaders.ALLOW, allowed).end();
  }
}
