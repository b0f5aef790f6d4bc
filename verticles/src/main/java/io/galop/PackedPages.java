package io.galop;

import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * Files of a folder of the jar, each read when it is asked for first, and kept in memory: 200 KB in
 * all. Vert.x would unpack them into the temporary directory. What that had no room for it kept as
 * an empty file, and answered with that until the node was started anew. Safe on any event loop.
 */
final class PackedPages implements Handler<RoutingContext> {
  private static final String FIRST_PAGE = "index.html";

  /** By what their names end with; whatever else is in the folder is not for browsers. */
  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html;charset=UTF-8",
          "js", "text/javascript;charset=UTF-8",
          "css", "text/css;charset=UTF-8",
          "svg", "image/svg+xml",
          "txt", "text/plain;charset=UTF-8");

  private final String folder;

  /** Those that are there, so no more than the jar has. */
  private final Map<String, Page> read = new ConcurrentHashMap<>();

  private record Page(Buffer bytes, String type, String tag) {}

  PackedPages(String folder) {
    this.folder = folder;
  }

  @Override
  public void handle(RoutingContext request) {
    String path = request.normalizedPath();
    Page page = page(path.endsWith("/") ? path + FIRST_PAGE : path);
    if (page == null) {
      request.next();
      return;
    }
    request.response().putHeader(HttpHeaders.ETAG, page.tag);
    String had = request.request().getHeader(HttpHeaders.IF_NONE_MATCH);
    if (had != null && had.contains(page.tag)) {
      request.response().setStatusCode(304).end();
      return;
    }
    request
        .response()
        .putHeader(HttpHeaders.CONTENT_TYPE, page.type)
        .putHeader(HttpHeaders.CONTENT_LENGTH, String.valueOf(page.bytes.length())) // HEAD's, too
        .end(page.bytes);
  }

  /** What is asked for otherwise than to be read: a page is nothing else. */
  void otherwise(RoutingContext request) {
    String path = request.normalizedPath();
    if (page(path.endsWith("/") ? path + FIRST_PAGE : path) == null) {
      request.next();
      return;
    }
    request
        .response()
        .setStatusCode(405)
        .putHeader(HttpHeaders.ALLOW, "GET, HEAD")
        .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
        .end("{\"error\":\"a page is read by GET or HEAD\",\"reason\":\"wrong_method\"}");
  }

  /** Null if there is none. */
  private @Nullable Page page(String path) {
    String type = TYPES.get(path.substring(path.lastIndexOf('.') + 1));
    if (type == null || path.contains("/.")) {
      return null;
    }
    Page known = read.get(path);
    if (known != null) {
      return known;
    }
    try (InputStream in = PackedPages.class.getResourceAsStream("/" + folder + path)) {
      if (in == null) {
        return null;
      }
      Page found = page(in.readAllBytes(), type);
      read.put(path, found);
      return found;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Page page(byte[] bytes, String type) {
    CRC32 sum = new CRC32();
    sum.update(bytes);
    return new Page(Buffer.buffer(bytes), type, "\"%08x\"".formatted(sum.getValue()));
  }
}
