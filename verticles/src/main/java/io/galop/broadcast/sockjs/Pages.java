package io.galop.broadcast.sockjs;

import io.galop.config.broadcast.SockJsTransport;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/** What every endpoint shows without a session: a greeting, what it can, the iframe's page. */
final class Pages {
  private static final Pattern IFRAME = Pattern.compile("/iframe[0-9A-Za-z_.\\-]*\\.html");
  private static final SecureRandom RANDOM = new SecureRandom();

  private final SockJsOptions options;
  private final String iframe;
  private final String etag;

  Pages(SockJsOptions options) {
    this.options = options;
    this.iframe = iframe(options.library());
    CRC32 checksum = new CRC32();
    checksum.update(iframe.getBytes(StandardCharsets.UTF_8));
    this.etag = "\"" + Long.toHexString(checksum.getValue()) + "\"";
  }

  /** Answers if the path is one of these. */
  boolean answer(HttpServerRequest request, String path) {
    if (path.isEmpty() || path.equals("/")) {
      get(request, "GET", () -> PlainAnswers.text(request, 200, "Welcome to SockJS!\n"));
    } else if (path.equals("/info")) {
      get(request, "OPTIONS, GET", () -> info(request));
    } else if (path.startsWith("/iframe") && IFRAME.matcher(path).matches()) {
      get(request, "GET", () -> iframe(request));
    } else {
      return false;
    }
    return true;
  }

  private static void get(HttpServerRequest request, String allowed, Runnable answer) {
    String method = request.method().name();
    if (method.equals("GET")) {
      answer.run();
    } else if (method.equals("OPTIONS") && allowed.startsWith(method)) {
      Headers.preflight(request, "GET");
    } else {
      PlainAnswers.notAllowed(request, allowed);
    }
  }

  /** Browsers of old have no good source of random numbers, of which their session ids consist. */
  private void info(HttpServerRequest request) {
    Headers.cors(request);
    Headers.neverCached(request.response());
    JsonObject info =
        new JsonObject()
            .put("websocket", options.has(SockJsTransport.WEBSOCKET))
            .put("cookie_needed", options.isCookieNeeded())
            .put("origins", new JsonArray().add("*:*"))
            .put("entropy", Integer.toUnsignedLong(RANDOM.nextInt()));
    request
        .response()
        .putHeader(HttpHeaders.CONTENT_TYPE, "application/json; charset=UTF-8")
        .end(info.encode());
  }

  private void iframe(HttpServerRequest request) {
    HttpServerResponse response = request.response();
    Headers.cachedForAYear(response);
    response.putHeader(HttpHeaders.ETAG, etag);
    if (etag.equals(request.getHeader(HttpHeaders.IF_NONE_MATCH))) {
      response.setStatusCode(304).end();
    } else {
      response.putHeader(HttpHeaders.CONTENT_TYPE, "text/html; charset=UTF-8").end(iframe);
    }
  }

  /** The protocol gives every letter of it. */
  private static String iframe(String library) {
    return """
    <!DOCTYPE html>
    <html>
    <head>
      <meta http-equiv="X-UA-Compatible" content="IE=edge" />
      <meta http-equiv="Content-Type" content="text/html; charset=UTF-8" />
      <script src="%s"></script>
      <script>
        document.domain = document.domain;
        SockJS.bootstrap_iframe();
      </script>
    </head>
    <body>
      <h2>Don't panic!</h2>
      <p>This is a SockJS hidden iframe. It's used for cross domain magic.</p>
    </body>
    </html>\
    """
        .formatted(library);
  }
}
