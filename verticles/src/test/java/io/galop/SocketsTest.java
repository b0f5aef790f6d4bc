package io.galop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.ConfigLoader;
import io.galop.config.GalopConfig;
import io.galop.yaml.ConfigException;
import io.vertx.core.transport.Transport;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A node on each kind of sockets. */
@Tag("slow")
@Timeout(180)
class SocketsTest {
  private static final String PING = "[\"{\\\"type\\\":\\\"ping\\\"}\"]";
  private static final String PONG =
      "a[\"{\\\"type\\\":\\\"pong\\\",\\\"address\\\":\\\"toString\\\"}\"]";

  @TempDir private Path directory;

  private GalopConfig config(String transport) {
    List<String> sets =
        List.of(
            "node.dataDir=" + directory,
            "node.transport=" + transport,
            "node.roles=[persist, broadcast]",
            "http.port=0",
            "management.port=0");
    return ConfigLoader.load(Optional.empty(), Map.of(), sets, Map.of());
  }

  private static boolean isThere(String transport) {
    Transport found =
        switch (transport) {
          case "epoll" -> Transport.EPOLL;
          case "io-uring" -> Transport.IO_URING;
          default -> Transport.NIO;
        };
    return found != null && found.available();
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "epoll", "io-uring", "nio"})
  void carriesBrowsersOrSaysWhyNot(String transport) throws Exception {
    if (!isThere(transport)) {
      ConfigException refused =
          assertThrows(ConfigException.class, () -> GalopNode.start(config(transport)));
      assertTrue(
          refused.getMessage().contains("node.transport: " + transport + " is not to be had"));
      return;
    }
    try (GalopNode node = GalopNode.start(config(transport))) {
      String address = node.listeners().get("http");
      assertEquals("o", onWebsocket(address).poll(60, TimeUnit.SECONDS));
      poll(address);
    }
  }

  private static BlockingQueue<String> onWebsocket(String address) throws Exception {
    BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    WebSocket.Listener listener =
        new WebSocket.Listener() {
          @Override
          public CompletionStage<?> onText(WebSocket socket, CharSequence text, boolean isLast) {
            heard.add(text.toString());
            return WebSocket.Listener.super.onText(socket, text, isLast);
          }
        };
    WebSocket socket =
        HttpClient.newHttpClient()
            .newWebSocketBuilder()
            .buildAsync(URI.create("ws://" + address + "/live/0/w/websocket"), listener)
            .get(60, TimeUnit.SECONDS);
    socket.sendText(PING, true);
    String open = heard.poll(60, TimeUnit.SECONDS);
    assertEquals(PONG, heard.poll(60, TimeUnit.SECONDS));
    socket.abort();
    heard.add(open);
    return heard;
  }

  private static void poll(String address) throws Exception {
    assertEquals("o\n", post(address, "xhr", ""));
    assertEquals("", post(address, "xhr_send", PING));
    assertEquals(PONG + "\n", post(address, "xhr", ""));
  }

  private static String post(String address, String what, String body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://" + address + "/live/0/s/" + what))
            .POST(BodyPublishers.ofString(body))
            .build();
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .build()
        .send(request, BodyHandlers.ofString())
        .body();
  }

  @Test
  void otherWordsAreRefused() {
    ConfigException refused = assertThrows(ConfigException.class, () -> config("uring"));
    assertTrue(refused.getMessage().contains("auto, epoll, io-uring or nio"), refused.getMessage());
  }
}
