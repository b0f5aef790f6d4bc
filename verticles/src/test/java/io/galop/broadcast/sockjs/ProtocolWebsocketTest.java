package io.galop.broadcast.sockjs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What SockJS 0.3 says of websockets. */
class ProtocolWebsocketTest extends ProtocolFixture {
  private static final String UPGRADE = "Upgrade: websocket";
  private static final String CONNECTION = "Connection: Upgrade";
  private static final String KEY = "Sec-WebSocket-Key: x3JJHMbDL1EzLkh9GBhXDw==";

  /** Remembers what comes; a close is shown as {@code close <code>}. */
  private static final class Client implements WebSocket.Listener {
    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private final StringBuilder part = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket socket, CharSequence text, boolean isLast) {
      part.append(text);
      if (isLast) {
        heard.add(part.toString());
        part.setLength(0);
      }
      return WebSocket.Listener.super.onText(socket, text, isLast);
    }

    @Override
    public CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
      heard.add("close " + code);
      return null;
    }

    String next() throws InterruptedException {
      return heard.poll(60, TimeUnit.SECONDS);
    }
  }

  private static WebSocket connect(String path, Client client) throws Exception {
    return HttpClient.newHttpClient()
        .newWebSocketBuilder()
        .buildAsync(URI.create("ws://127.0.0.1:" + port + path), client)
        .get(60, TimeUnit.SECONDS);
  }

  @Test
  void carriesMessagesBothWays() throws Exception {
    Client client = new Client();
    WebSocket socket = connect(session("/echo") + "/websocket", client);
    assertEquals("o", client.next());
    socket.sendText("", true).get(60, TimeUnit.SECONDS);
    socket.sendText("[\"a\",\"b\"]", true);
    assertEquals("a[\"a\"]", client.next());
    assertEquals("a[\"b\"]", client.next());
    socket.abort();
  }

  @Test
  void closesWithAFrameOfItsOwnFirst() throws Exception {
    Client client = new Client();
    connect(session("/close") + "/websocket", client);
    assertEquals("o", client.next());
    assertEquals("c[3000,\"Go away!\"]", client.next());
    assertEquals("close 1000", client.next());
  }

  @Test
  void idsMayBeUsedTwice() throws Exception {
    String path = session("/echo") + "/websocket";
    Client one = new Client();
    Client other = new Client();
    WebSocket first = connect(path, one);
    WebSocket second = connect(path, other);
    first.sendText("[\"a\"]", true);
    second.sendText("[\"b\"]", true);
    assertEquals("o", one.next());
    assertEquals("a[\"a\"]", one.next());
    assertEquals("o", other.next());
    assertEquals("a[\"b\"]", other.next());
    assertNull(one.heard.poll());
    first.abort();
    second.abort();
  }

  /** By hand: the JDK's client now and then misses an end that comes without a Close frame. */
  @Test
  void brokenMessagesCutTheConnectionOff() throws IOException {
    try (RawFrames socket = new RawFrames(port, session("/echo") + "/websocket")) {
      assertEquals("o", socket.read().text());
      byte[] noMask = new byte[4];
      byte[] head = {(byte) (RawFrames.LAST | RawFrames.TEXT), (byte) (0x80 | 3)};
      socket.write(head);
      socket.write(noMask);
      socket.write("[\"a".getBytes(StandardCharsets.UTF_8));
      assertTrue(socket.isAtEnd());
    }
  }

  @Test
  void theRawOneHasNoFrames() throws Exception {
    Client client = new Client();
    WebSocket socket = connect("/echo/websocket", client);
    socket.sendText("Hello world!\uffff", true);
    assertEquals("Hello world!\uffff", client.next());
    socket.abort();
    Client closed = new Client();
    connect("/close/websocket", closed);
    assertEquals("close 3000", closed.next());
  }

  @ParameterizedTest
  @ValueSource(strings = {"/echo/0/0/websocket", "/echo/websocket"})
  void saysWhatAHandshakeNeeds(String path) throws IOException {
    RawHttp.Answer plain = get(path);
    assertEquals(400, plain.status());
    assertTrue(plain.body().contains("Can \"Upgrade\" only to \"WebSocket\"."), plain.body());
    RawHttp.Answer half = get(path, "Upgrade: WebSocket", "Connection: close");
    assertEquals(400, half.status());
    assertTrue(half.body().contains("\"Connection\" must be \"Upgrade\"."), half.body());
  }

  /**
   * Browsers of 2010 (Hixie-76) send eight bytes after the head, which HAProxy holds back until the
   * head is answered. They are refused at once, so that the client falls back to another transport.
   */
  @ParameterizedTest
  @ValueSource(strings = {"/echo/0/0/websocket", "/echo/websocket"})
  void refusesDraftsWithoutMasksAtOnce(String path) throws IOException {
    RawHttp http = http();
    http.sendHead(
        "GET " + path + " HTTP/1.1",
        "Connection: Upgrade",
        "Upgrade: WebSocket",
        "Origin: http://127.0.0.1",
        "Sec-WebSocket-Key1: 4 @1  46546xW%0l 1 5",
        "Sec-WebSocket-Key2: 12998 5 Y3 1  .P00");
    RawHttp.Answer answer = http.answer();
    assertEquals(426, answer.status());
    assertEquals("13, 8, 7", answer.header("sec-websocket-version"));
    assertTrue(http.isAtEnd());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0", "6", "14", "13.0", "x"})
  void refusesOtherVersions(String version) throws IOException {
    RawHttp.Answer answer =
        get("/echo/websocket", UPGRADE, CONNECTION, "Sec-WebSocket-Version: " + version, KEY);
    assertEquals(426, answer.status());
    assertEquals("13, 8, 7", answer.header("sec-websocket-version"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"X-Other: 1", "Sec-WebSocket-Key: abc", "Sec-WebSocket-Key: %%%"})
  void refusesHandshakesWithoutAKey(String header) throws IOException {
    RawHttp.Answer answer =
        get("/echo/websocket", UPGRADE, CONNECTION, "Sec-WebSocket-Version: 13", header);
    assertEquals(400, answer.status());
    assertTrue(answer.body().contains("\"Sec-WebSocket-Key\" must be 16 bytes"), answer.body());
  }

  @ParameterizedTest
  @ValueSource(strings = {"7", "8", "13"})
  void takesAllVersionsOfTheHandshake(String version) throws IOException {
    for (String connection : new String[] {"Upgrade", "keep-alive, Upgrade"}) {
      RawHttp.Answer answer =
          get(
              session("/echo") + "/websocket",
              "Upgrade: websocket",
              "Connection: " + connection,
              "Sec-WebSocket-Version: " + version,
              KEY);
      assertEquals(101, answer.status());
      assertEquals("HSmrc0sMlYUkAGmm5OPpG2HaGWk=", answer.header("sec-websocket-accept"));
      assertEquals("upgrade", answer.header("connection").toLowerCase(java.util.Locale.ROOT));
      assertEquals("", answer.header("content-length"));
    }
  }

  @Test
  void isNotThereWhereItIsDisabled() throws Exception {
    String path = session("/disabled_websocket_echo") + "/websocket";
    assertEquals(404, get(path, "Upgrade: websocket", "Connection: Upgrade", KEY).status());
    assertThrows(ExecutionException.class, () -> connect(path, new Client()));
  }
}
