package io.galop;

import io.galop.config.GalopConfig;
import io.galop.config.Role;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.FileSystemAccess;
import io.vertx.ext.web.handler.StaticHandler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;

/** The page and its files, out of the jar, and the user's own pages, out of a directory. */
final class PageFiles {
  private static final String ROOT = "webroot";
  private static final String OWN_PATH = "/pages/*";

  /** Nothing is loaded from elsewhere, and no other site may frame the page. */
  private static final String POLICY =
      "default-src 'self'; connect-src 'self' ws: wss:; img-src 'self' data:;"
          + " style-src 'self' 'unsafe-inline'; frame-ancestors 'self'";

  private final String own;
  private final PackedPages packed = new PackedPages(ROOT);

  /**
   * @param own the directory of the user's pages; empty for none
   */
  PageFiles(String own) {
    this.own = own;
  }

  /** What is wrong with the directory; a sentence that begins with its key. */
  static List<String> problems(GalopConfig config) {
    String own = config.http().pages();
    if (own.isEmpty() || !config.runs(Role.BROADCAST) || Files.isDirectory(Path.of(own))) {
      return List.of();
    }
    return List.of("http.pages: must name a directory: '" + own + "' is none");
  }

  private static String now() {
    return DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC));
  }

  void mount(Router router) {
    if (!own.isEmpty()) {
      mountOwn(router);
    }
    reading(router.route())
        .handler(
            request -> {
              request.response().putHeader("Content-Security-Policy", POLICY);
              request.response().putHeader(HttpHeaders.CACHE_CONTROL, "no-cache");
              request.response().putHeader("X-Content-Type-Options", "nosniff");
              // The page compares it with its own clock, to tell the true age of a value.
              request.response().putHeader(HttpHeaders.DATE, now());
              request.next();
            })
        .handler(packed);
    router.route().handler(packed::otherwise);
  }

  /** Their policy is their author's business. A changed file shows with the next request. */
  private void mountOwn(Router router) {
    String directory = Path.of(own).toAbsolutePath().normalize().toString();
    reading(router.route(OWN_PATH))
        .handler(
            request -> {
              request.response().putHeader(HttpHeaders.CACHE_CONTROL, "no-cache");
              request.response().putHeader("X-Content-Type-Options", "nosniff");
              request.next();
            })
        .handler(
            StaticHandler.create(FileSystemAccess.ROOT, directory)
                .setIncludeHidden(false)
                .setDirectoryListing(false)
                .setCachingEnabled(false)
                .setAlwaysAsyncFS(true))
        .handler(request -> request.fail(404))
        .failureHandler(PageFiles::missing);
  }

  /** What is not there is the asker's affair, and no line in the log. */
  private static void missing(RoutingContext request) {
    if (request.statusCode() == 404) {
      request.response().setStatusCode(404).end();
    } else {
      request.next();
    }
  }

  private static Route reading(Route route) {
    return route.method(HttpMethod.GET).method(HttpMethod.HEAD);
  }
}
