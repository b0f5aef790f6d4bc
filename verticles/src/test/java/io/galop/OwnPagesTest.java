package io.galop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.galop.config.ConfigLoader;
import io.galop.e2e.Await;
import io.galop.socket.Hangup;
import io.galop.yaml.ConfigException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** A directory of the user's own pages on the HTTP port, asked by bare sockets. */
@Timeout(180)
class OwnPagesTest {
  @TempDir private Path directory;

  private GalopNode start(String... settings) {
    List<String> sets = new ArrayList<>(List.of("node.dataDir=" + directory.resolve("data")));
    for (String port :
        List.of("http", "management", "ingest.tcp", "ingest.mqtt", "ingest.bridge")) {
      sets.add(port + ".port=0");
    }
    sets.addAll(List.of(settings));
    return GalopNode.start(ConfigLoader.load(Optional.empty(), Map.of(), sets, Map.of()));
  }

  /** The whole answer; the path goes out as it is, which an HTTP client would not do. */
  private static String get(GalopNode node, String path) throws IOException {
    String[] address = node.listeners().get("http").split(":");
    try (Socket socket = new Socket(address[0], Integer.parseInt(address[1]))) {
      String request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static void assertStatus(int status, String answer) {
    assertTrue(answer.startsWith("HTTP/1.1 " + status + " "), answer);
  }

  /** Larger than all buffers between, so that the node is still sending. */
  @Test
  void whoResetsItsConnectionIsNoError() throws Exception {
    Path pages = Files.createDirectories(directory.resolve("pages"));
    try (RandomAccessFile large = new RandomAccessFile(pages.resolve("large.bin").toFile(), "rw")) {
      large.setLength(256 << 20);
    }
    Logger hangup = (Logger) LoggerFactory.getLogger(Hangup.class);
    hangup.setLevel(Level.DEBUG);
    try (Logged log = new Logged(Hangup.class);
        Logged front = new Logged(HttpFront.class);
        GalopNode node = start("http.pages=" + pages)) {
      String[] address = node.listeners().get("http").split(":");
      try (Socket socket = new Socket(address[0], Integer.parseInt(address[1]))) {
        socket.setSoLinger(true, 0);
        String request = "GET /pages/large.bin HTTP/1.1\r\nHost: localhost\r\n\r\n";
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        assertEquals('H', socket.getInputStream().read());
      }
      Await.until("the node notices the reset", 30, () -> !log.with("").isEmpty());
      assertEquals(1, log.with("DEBUG 127.0.0.1:").size(), "" + log.with(""));
      assertEquals(List.of(), front.with(""));
    } finally {
      hangup.setLevel(null);
    }
  }

  @Test
  void servesADirectoryAndNothingBesideIt() throws Exception {
    Path pages = Files.createDirectories(directory.resolve("pages/plant"));
    Files.writeString(pages.resolve("index.html"), "<p>first</p>");
    Files.writeString(pages.resolve(".hidden"), "secret");
    Files.writeString(directory.resolve("secret.html"), "secret");
    try (Logged log = new Logged("io.vertx.ext.web");
        GalopNode node = start("http.pages=" + directory.resolve("pages"))) {
      String answer = get(node, "/pages/plant/index.html");
      assertStatus(200, answer);
      assertTrue(answer.endsWith("<p>first</p>"), answer);
      assertTrue(answer.contains("text/html"), answer);
      assertTrue(!answer.contains("Content-Security-Policy"), answer);
      assertTrue(get(node, "/pages/plant/").endsWith("<p>first</p>"));
      Files.writeString(pages.resolve("index.html"), "<p>changed</p>");
      assertTrue(get(node, "/pages/plant/index.html").endsWith("<p>changed</p>"));
      for (String path :
          List.of(
              "/pages/../secret.html",
              "/pages/%2e%2e/secret.html",
              "/pages/..%2fsecret.html",
              "/pages/plant/..%5c..%5c../secret.html",
              "/pages/plant/.hidden",
              "/pages/",
              "/pages/none.html",
              "/pages/galop.js")) {
        answer = get(node, path);
        assertTrue(answer.startsWith("HTTP/1.1 40"), path + ": " + answer);
        assertTrue(!answer.contains("secret\n") && !answer.endsWith("secret"), answer);
      }
      assertEquals(List.of(), log.with("ERROR"), "what is not there is no fault");
      assertStatus(200, get(node, "/galop.js"));
    }
  }

  @Test
  void servesNoneUnlessADirectoryIsNamed() throws Exception {
    String none = directory.resolve("none").toString();
    ConfigException refused =
        assertThrows(ConfigException.class, () -> start("http.pages=" + none));
    assertEquals("http.pages: must name a directory: '" + none + "' is none", refused.getMessage());
    try (GalopNode node = start()) {
      assertStatus(404, get(node, "/pages/index.html"));
    }
  }
}
