package io.galop.socket;

import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Looks at the head of each request before any router does: what two servers could read in two
 * ways, or no server can, is answered by 400 and goes no further.
 */
public final class RequestHeads {
  /** A head that is not served. */
  private record Wrong(int status, String error) {}

  /**
   * A router resolves these, and whoever reads a topic out of the path as it was sent does not:
   * they would take the same request for two. Clients and proxies resolve them before they send.
   */
  private static final Pattern DOTS = Pattern.compile("/(\\.|%2[eE]){1,2}(/|$)");

  private final HostNames hosts;
  private final Handler<HttpServerRequest> next;

  /** In front of what serves the others. */
  public RequestHeads(HostNames hosts, Handler<HttpServerRequest> next) {
    this.hosts = hosts;
    this.next = next;
  }

  /** Serves a request or refuses it. */
  public void handle(HttpServerRequest request) {
    Optional<Wrong> wrong = wrong(request);
    if (wrong.isEmpty()) {
      next.handle(request);
      return;
    }
    request
        .response()
        .setStatusCode(wrong.get().status())
        .putHeader("Content-Type", "application/json")
        .putHeader("Connection", "close")
        .end(new JsonObject().put("error", wrong.get().error()).toBuffer());
  }

  private Optional<Wrong> wrong(HttpServerRequest request) {
    List<String> named = request.headers().getAll("Host");
    if (named.size() > 1) {
      return wrong(400, "the request has more than one Host header; send one");
    }
    if (named.isEmpty() && request.version() != HttpVersion.HTTP_1_0) {
      return wrong(400, "the request has no Host header; send one");
    }
    if (!named.isEmpty() && request.authority() == null) {
      return wrong(400, "the Host header names no host");
    }
    if (!named.isEmpty() && !hosts.isAllowed(named.get(0))) {
      return wrong(403, "'" + named.get(0) + "' is no name of this node; see http.allowedHosts");
    }
    if (!isPercentCoded(request.uri())) {
      return wrong(400, "the address has a '%' without two hexadecimal digits behind it; send %25");
    }
    if (request.path() == null || !request.path().startsWith("/")) {
      return wrong(400, "the address has no path; it begins with '/'");
    }
    if (!isUtf8(request.path())) {
      return wrong(400, "the path is not percent-encoded UTF-8; send é as %C3%A9");
    }
    if (DOTS.matcher(request.path()).find()) {
      return wrong(404, "the path has a level of dots; resolve these before you ask");
    }
    return Optional.empty();
  }

  private static Optional<Wrong> wrong(int status, String error) {
    return Optional.of(new Wrong(status, error));
  }

  private static boolean isPercentCoded(String uri) {
    for (int i = uri.indexOf('%'); i >= 0; i = uri.indexOf('%', i + 1)) {
      if (i + 2 >= uri.length() || !isHex(uri.charAt(i + 1)) || !isHex(uri.charAt(i + 2))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isUtf8(String path) {
    try {
      PercentCoding.decode(path);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static boolean isHex(char c) {
    return Character.digit(c, 16) >= 0 && c < 128;
  }
}
