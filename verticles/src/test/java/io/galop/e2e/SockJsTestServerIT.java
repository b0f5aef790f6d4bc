package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The jar for whoever has a test suite of the SockJS protocol, and that galop.jar is without it.
 */
@Timeout(180)
class SockJsTestServerIT {
  private static final String JAR = "galop-sockjs-test.jar";

  private static String post(GalopProcess server, String path, String body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(server.http(path)).POST(BodyPublishers.ofString(body)).build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
  }

  @Test
  void servesTheServicesThatSuitesExpect() throws Exception {
    try (GalopProcess server = GalopProcess.startJar(JAR, List.of("--port", "0"))) {
      Await.until("listening", 120, () -> server.text().contains("listening http "));
      for (String echo : List.of("echo", "disabled_websocket_echo", "cookie_needed_echo")) {
        String session = "/" + echo + "/000/it";
        assertEquals("o\n", post(server, session + "/xhr", ""));
        post(server, session + "/xhr_send", "[\"x\"]");
        assertEquals("a[\"x\"]\n", post(server, session + "/xhr", ""));
      }
      assertEquals("o\n", post(server, "/close/000/it/xhr", ""));
      assertEquals("c[3000,\"Go away!\"]\n", post(server, "/close/000/it/xhr", ""));
      String port = server.address("http").split(":")[1];
      try (GalopProcess second = GalopProcess.startJar(JAR, List.of("--port", port))) {
        assertEquals(1, second.awaitExit(60));
        assertTrue(second.text().contains("--port takes another"), second.text());
      }
    }
  }

  @Test
  void theProductHasNeitherTheCommandNorItsClasses() throws Exception {
    try (GalopProcess asked = GalopProcess.start(List.of(), List.of("sockjs-test-server"))) {
      assertEquals(2, asked.awaitExit(60), asked::text);
    }
    Path product = GalopProcess.jar("galop.jar");
    try (JarFile jar = new JarFile(product.toFile())) {
      assertTrue(jar.stream().noneMatch(entry -> entry.getName().contains("testserver")));
    }
  }
}
