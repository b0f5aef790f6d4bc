package io.galop.broadcast.sockjs;

import io.vertx.core.MultiMap;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.regex.Pattern;

/** The headers that the protocol wants. Whether an origin may ask was decided before. */
final class Headers {
  static final CharSequence TEXT = HttpHeaders.createOptimized("text/plain; charset=UTF-8");

  private static final CharSequence NEVER =
      HttpHeaders.createOptimized("no-store, no-cache, no-transform, must-revalidate, max-age=0");
  private static final int YEAR_SECONDS = 31_536_000;
  private static final String YEAR_TEXT = Integer.toString(YEAR_SECONDS);
  private static final CharSequence ANY = HttpHeaders.createOptimized("*");
  private static final CharSequence TRUE = HttpHeaders.createOptimized("true");
  private static final String COOKIE = "JSESSIONID";
  private static final Pattern COOKIE_VALUE = Pattern.compile("[A-Za-z0-9_.!~\\-]{1,256}");

  private Headers() {}

  /**
   * Lets a page of another origin read the answer, with cookies. A page without an origin of its
   * own, from a file or a sandbox, says "null": browsers take cookies along only where the answer
   * says the same, as "*" and credentials exclude each other (Fetch, 3.3.3).
   */
  static void cors(HttpServerRequest request) {
    MultiMap to = request.response().headers();
    String origin = request.getHeader(HttpHeaders.ORIGIN);
    to.set(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN, origin == null ? ANY : origin);
    if (origin != null) {
      to.set(HttpHeaders.ACCESS_CONTROL_ALLOW_CREDENTIALS, TRUE);
    }
    String wanted = request.getHeader(HttpHeaders.ACCESS_CONTROL_REQUEST_HEADERS);
    if (wanted != null && !wanted.isEmpty()) {
      to.set(HttpHeaders.ACCESS_CONTROL_ALLOW_HEADERS, wanted);
    }
  }

  /** iOS 6 keeps even answers to POST; proxies that recompress a stream hold its frames back. */
  static void neverCached(HttpServerResponse response) {
    response.putHeader(HttpHeaders.CACHE_CONTROL, NEVER);
  }

  static void cachedForAYear(HttpServerResponse response) {
    ZonedDateTime expires = ZonedDateTime.now(ZoneOffset.UTC).plusSeconds(YEAR_SECONDS);
    response
        .putHeader(HttpHeaders.CACHE_CONTROL, "public, max-age=" + YEAR_TEXT)
        .putHeader(HttpHeaders.EXPIRES, DateTimeFormatter.RFC_1123_DATE_TIME.format(expires));
  }

  /** The answer to a browser that asks whether it may ask. */
  static void preflight(HttpServerRequest request, String method) {
    cors(request);
    cachedForAYear(request.response());
    request
        .response()
        .putHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_METHODS, "OPTIONS, " + method)
        .putHeader(HttpHeaders.ACCESS_CONTROL_MAX_AGE, YEAR_TEXT)
        .putHeader(HttpHeaders.VARY, HttpHeaders.ORIGIN)
        .setStatusCode(204)
        .end();
  }

  /** Gives the browser back the cookie that it has, or one that only says that there is one. */
  static void cookie(HttpServerRequest request) {
    Cookie cookie = request.getCookie(COOKIE);
    boolean isKept = cookie != null && COOKIE_VALUE.matcher(cookie.getValue()).matches();
    String value = isKept ? cookie.getValue() : "dummy";
    request.response().headers().add(HttpHeaders.SET_COOKIE, COOKIE + "=" + value + ";path=/");
  }
}
