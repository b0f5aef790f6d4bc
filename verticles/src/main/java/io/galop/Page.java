package io.galop;

import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.handler.FileSystemAccess;
import io.vertx.ext.web.handler.StaticHandler;

/** The page and its files, out of the jar. */
final class Page {
  private static final String ROOT = "webroot";

  private Page() {}

  /** Nothing is loaded from elsewhere, and no other site may frame the page. */
  private static final String POLICY =
      "default-src 'self'; connect-src 'self' ws: wss:; img-src 'self' data:;"
          + " style-src 'self' 'unsafe-inline'; frame-ancestors 'self'";

  static void mount(Router router) {
    StaticHandler files =
        StaticHandler.create(FileSystemAccess.RELATIVE, ROOT)
            .setIncludeHidden(false)
            .setDirectoryListing(false);
    router
        .get("/*")
        .handler(
            request -> {
              request.response().putHeader("Content-Security-Policy", POLICY);
              request.response().putHeader(HttpHeaders.CACHE_CONTROL, "no-cache");
              request.response().putHeader("X-Content-Type-Options", "nosniff");
              request.next();
            })
        .handler(files);
  }
}
