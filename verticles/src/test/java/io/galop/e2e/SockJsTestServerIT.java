package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The command for whoever has a test suite of the SockJS protocol. */
@Timeout(180)
class SockJsTestServerIT {
  private static String post(GalopProcess server, String path, String body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(server.http(path)).POST(BodyPublishers.ofString(body)).build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
  }

  @Test
  void servesTheServicesThatSuitesExpect() throws Exception {
    List<String> command = List.of("sockjs-test-server", "--port", "0");
    try (GalopProcess server = GalopProcess.start(List.of(), command)) {
      Await.until("listening", 60, () -> server.text().contains("listening http "));
      for (String echo : List.of("echo", "disabled_websocket_echo", "cookie_needed_echo")) {
        String session = "/" + echo + "/000/it";
        assertEquals("o\n", post(server, session + "/xhr", ""));
        post(server, session + "/xhr_send", "[\"x\"]");
        assertEquals("a[\"x\"]\n", post(server, session + "/xhr", ""));
      }
      assertEquals("o\n", post(server, "/close/000/it/xhr", ""));
      assertEquals("c[3000,\"Go away!\"]\n", post(server, "/close/000/it/xhr", ""));
      String port = server.address("http").split(":")[1];
      try (GalopProcess second =
          GalopProcess.start(List.of(), List.of("sockjs-test-server", "--port", port))) {
        assertEquals(1, second.awaitExit(60));
        assertTrue(second.text().contains("--port takes another"), second.text());
      }
    }
  }

  @Test
  void isNotInTheHelp() throws Exception {
    try (GalopProcess help = GalopProcess.start(List.of(), List.of("--help"))) {
      assertEquals(0, help.awaitExit(60));
      assertTrue(help.text().contains("publish"), help.text());
      assertFalse(help.text().contains("sockjs"), help.text());
    }
  }
}
