package io.galop;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.ext.web.Router;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The page and its files need no room in the temporary directory. */
class PackedPagesTest {
  private static final Path SOURCES = Path.of("../webroot");

  private final Vertx vertx =
      Vertx.vertx(
          new VertxOptions()
              .setFileSystemOptions(new FileSystemOptions().setClassPathResolvingEnabled(false)));
  private final HttpClient client = HttpClient.newHttpClient();
  private String address = "";

  @BeforeEach
  void listen() {
    Router router = Router.router(vertx);
    new PageFiles("").mount(router);
    int port =
        vertx.createHttpServer().requestHandler(router).listen(0, "127.0.0.1").await().actualPort();
    address = "http://127.0.0.1:" + port;
  }

  @AfterEach
  void close() {
    vertx.close().await();
  }

  private HttpResponse<byte[]> get(String path, String... headers) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address + path));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), BodyHandlers.ofByteArray());
  }

  private static String header(HttpResponse<?> answer, String name) {
    return answer.headers().firstValue(name).orElse("");
  }

  @Test
  void eachFileIsThere() throws Exception {
    List<Path> files;
    try (Stream<Path> all = Files.walk(SOURCES)) {
      files = all.filter(Files::isRegularFile).toList();
    }
    assertFalse(files.isEmpty());
    for (Path file : files) {
      HttpResponse<byte[]> answer = get("/" + SOURCES.relativize(file));
      assertEquals(200, answer.statusCode(), "" + file);
      assertArrayEquals(Files.readAllBytes(file), answer.body(), "" + file);
      assertEquals("no-cache", header(answer, "cache-control"));
    }
    HttpResponse<byte[]> page = get("/");
    assertArrayEquals(Files.readAllBytes(SOURCES.resolve("index.html")), page.body());
    assertEquals("text/html;charset=UTF-8", header(page, "content-type"));
    assertEquals("text/javascript;charset=UTF-8", header(get("/galop.js"), "content-type"));
    assertEquals("image/svg+xml", header(get("/logo.svg"), "content-type"));
  }

  @Test
  void whatABrowserHasIsNotSentAgain() throws Exception {
    String tag = header(get("/galop.js"), "etag");
    assertTrue(tag.matches("\"[0-9a-f]{8}\""), tag);
    HttpResponse<byte[]> again = get("/galop.js", "If-None-Match", "W/" + tag);
    assertEquals(304, again.statusCode());
    assertEquals(0, again.body().length);
    assertEquals(200, get("/app.js", "If-None-Match", tag).statusCode(), "another file");
  }

  @Test
  void aHeadSaysHowLongAFileIs() throws Exception {
    URI file = URI.create(address + "/galop.js");
    HttpRequest head =
        HttpRequest.newBuilder(file).method("HEAD", HttpRequest.BodyPublishers.noBody()).build();
    HttpResponse<byte[]> answer = client.send(head, BodyHandlers.ofByteArray());
    assertEquals(200, answer.statusCode());
    assertEquals("" + get("/galop.js").body().length, header(answer, "content-length"));
  }

  @Test
  void aPageIsOnlyRead() throws Exception {
    for (String method : List.of("DELETE", "POST", "OPTIONS")) {
      for (String path : List.of("/", "/galop.js", "/none.js")) {
        HttpRequest request =
            HttpRequest.newBuilder(URI.create(address + path))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
        boolean isThere = !path.equals("/none.js");
        assertEquals(isThere ? 405 : 404, answer.statusCode(), method + " " + path);
        assertEquals(isThere ? "GET, HEAD" : "", header(answer, "allow"));
        assertEquals(isThere, answer.body().contains("\"reason\":\"wrong_method\""));
      }
    }
  }

  @Test
  void nothingElseIs() throws Exception {
    for (String path :
        List.of(
            "/vendor",
            "/vendor/",
            "/none.js",
            "/.js",
            "/vendor/../../console/console.js",
            "/%2e%2e/console/console.js",
            "/..%2fconsole/console.js",
            "/../logback.xml")) {
      assertEquals(404, get(path).statusCode(), path);
    }
  }
}
