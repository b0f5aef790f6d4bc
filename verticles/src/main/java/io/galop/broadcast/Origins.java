package io.galop.broadcast;

import io.galop.record.JsonString;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which pages may connect, on every transport alike: those whose host and port are the request's
 * own, and those configured. A request that names no origin does not come from a page of another
 * site, or from a program, which could name any, and is let through.
 */
final class Origins {
  private final boolean allowsAny;
  private final Set<String> allowed;

  Origins(List<String> configured) {
    this.allowsAny = configured.contains("*");
    this.allowed =
        configured.stream()
            .map(origin -> origin.toLowerCase(Locale.ROOT))
            .collect(Collectors.toSet());
  }

  void check(RoutingContext context) {
    String origin = claimed(context.request());
    if (isAllowed(origin, context.request())) {
      context.next();
      return;
    }
    context
        .response()
        .setStatusCode(403)
        .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
        .end(
            "{\"error\":"
                + JsonString.quoted(
                    "pages from " + origin + " may not connect; see broadcast.origins")
                + "}");
  }

  /** JSONP and iframes are loaded without an Origin header, but with a Referer. */
  private static String claimed(HttpServerRequest request) {
    String origin = request.getHeader(HttpHeaders.ORIGIN);
    if (origin != null) {
      return origin.toLowerCase(Locale.ROOT);
    }
    String referer = request.getHeader(HttpHeaders.REFERER);
    return referer == null ? "" : originOf(referer);
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
    return origin.isEmpty()
        || allowsAny
        || allowed.contains(origin)
        || isSameHost(origin, String.valueOf(request.authority()).toLowerCase(Locale.ROOT));
  }

  /** Without the scheme, since a proxy that ends TLS passes on the host but not the scheme. */
  private static boolean isSameHost(String origin, String host) {
    int start = origin.indexOf("://");
    return start > 0 && origin.substring(start + 3).equals(host);
  }
}
