package io.galop.ops.console;

import io.galop.ops.access.RouteAccess;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;

/**
 * The files of the console, from the jar: the page at {@code /}, and what it loads below {@code
 * /console/}. They are read once, when the port opens, and stay in memory: 50 KB in all.
 */
public final class ConsoleFiles {
  static final String FOLDER = "/console/";

  /** Nothing from elsewhere, and in no frame: a page around it could guide a click to a button. */
  private static final String CONTENT_POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:;"
          + " form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

  private ConsoleFiles() {}

  /** Adds a route for each file that {@link RouteAccess} lists. */
  public static void mount(Router router) {
    mount(router, "/", FOLDER + "index.html");
    RouteAccess.all().stream()
        .map(RouteAccess::path)
        .filter(path -> path.startsWith(FOLDER) && !path.equals(ConsoleFeed.PATH))
        .forEach(path -> mount(router, path, path));
  }

  private static void mount(Router router, String path, String resource) {
    Buffer file = read(resource);
    String type = type(resource);
    router.get(path).handler(request -> send(request, type, file));
  }

  private static void send(RoutingContext request, String type, Buffer file) {
    request
        .response()
        .putHeader(HttpHeaders.CONTENT_TYPE, type)
        .putHeader("Content-Security-Policy", CONTENT_POLICY)
        .putHeader("X-Content-Type-Options", "nosniff")
        .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
        .end(file);
  }

  private static String type(String resource) {
    if (resource.endsWith(".css")) {
      return "text/css; charset=utf-8";
    }
    if (resource.endsWith(".md")) {
      return "text/plain; charset=utf-8";
    }
    return resource.endsWith(".js") ? "text/javascript; charset=utf-8" : "text/html; charset=utf-8";
  }

  private static Buffer read(String resource) {
    try (InputStream in = ConsoleFiles.class.getResourceAsStream(resource)) {
      return Buffer.buffer(Objects.requireNonNull(in, resource).readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
