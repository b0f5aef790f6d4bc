package io.galop.broadcast.edge;

import io.galop.config.broadcast.OriginPattern;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Which pages may connect, on every transport alike: those whose host and port are the request's
 * own, and those configured. A request that names no origin does not come from a page of another
 * site, or from a program, which could name any, and is let through.
 */
final class Origins {
  /** Why a page of another site is refused. */
  static final String DENIED = "origin_denied";

  private static final String NO_ORIGIN = "";

  private final List<OriginPattern> allowed;

  Origins(List<String> configured) {
    this.allowed = configured.stream().map(OriginPattern::parse).toList();
  }

  /**
   * Judges a request, and tells the browser that the page may read the answer: exactly this page,
   * by its origin as it named itself (CORS, Fetch 3.2).
   *
   * @return why it may not go on; empty: it may
   */
  Optional<EdgeRefusal> judge(RoutingContext context) {
    HttpServerRequest request = context.request();
    HttpServerResponse response = context.response();
    response.headers().add(HttpHeaders.VARY, HttpHeaders.ORIGIN);
    String origin = claimed(request);
    if (!isAllowed(origin, request)) {
      String message = "pages from " + origin + " may not connect; see broadcast.origins";
      return Optional.of(new EdgeRefusal(403, DENIED, message, 0));
    }
    String named = request.getHeader(HttpHeaders.ORIGIN);
    if (named != null) {
      response.putHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN, named);
      response.putHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_CREDENTIALS, "true");
    }
    return Optional.empty();
  }

  /** Tells the browser whether a page of another site may read the answer; refuses nothing. */
  boolean mark(HttpServerRequest request, HttpServerResponse response) {
    response.headers().add(HttpHeaders.VARY, HttpHeaders.ORIGIN);
    String named = request.getHeader(HttpHeaders.ORIGIN);
    if (named == null || !isAllowed(named.toLowerCase(Locale.ROOT), request)) {
      return false;
    }
    response.putHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN, named);
    response.putHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_CREDENTIALS, "true");
    return true;
  }

  /**
   * JSONP and iframes are loaded without an Origin header, but with a Referer; where a page keeps
   * that back too, the browser says by itself whether the page is of another site.
   */
  private static String claimed(HttpServerRequest request) {
    String origin = request.getHeader(HttpHeaders.ORIGIN);
    if (origin != null) {
      return origin.toLowerCase(Locale.ROOT);
    }
    String referer = request.getHeader(HttpHeaders.REFERER);
    if (referer != null) {
      return originOf(referer);
    }
    String site = request.getHeader("Sec-Fetch-Site");
    boolean isElsewhere = "cross-site".equals(site) || "same-site".equals(site);
    return isElsewhere ? "null" : NO_ORIGIN;
  }

  private static String originOf(String referer) {
    try {
      URI uri = URI.create(referer);
      return (uri.getScheme() + "://" + uri.getRawAuthority()).toLowerCase(Locale.ROOT);
    } catch (IllegalArgumentException malformed) {
      return "null";
    }
  }

  private boolean isAllowed(String origin, HttpServerRequest request) {
    return origin.equals(NO_ORIGIN)
        || allowed.stream().anyMatch(pattern -> pattern.matches(origin))
        || OriginPattern.isSameHost(origin, String.valueOf(request.authority()));
  }
}
