package io.galop;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.handler.FileSystemAccess;
import io.vertx.ext.web.handler.StaticHandler;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;

/** The page and its files, out of the jar. */
final class PageFiles {
  private static final String ROOT = "webroot";

  private PageFiles() {}

  /** Nothing is loaded from elsewhere, and no other site may frame the page. */
  private static final String POLICY =
      "default-src 'self'; connect-src 'self' ws: wss:; img-src 'self' data:;"
          + " style-src 'self' 'unsafe-inline'; frame-ancestors 'self'";

  private static String now() {
    return DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC));
  }

  static void mount(Router router) {
    StaticHandler files =
        StaticHandler.create(FileSystemAccess.RELATIVE, ROOT)
            .setIncludeHidden(false)
            .setDirectoryListing(false);
    router
        .route()
        .method(HttpMethod.GET)
        .method(HttpMethod.HEAD)
        .handler(
            request -> {
              request.response().putHeader("Content-Security-Policy", POLICY);
              request.response().putHeader(HttpHeaders.CACHE_CONTROL, "no-cache");
              request.response().putHeader("X-Content-Type-Options", "nosniff");
              // The page compares it with its own clock, to tell the true age of a value.
              request.response().putHeader(HttpHeaders.DATE, now());
              request.next();
            })
        .handler(files);
  }
}
