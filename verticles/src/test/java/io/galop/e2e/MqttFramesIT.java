package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The frames in which MQTT comes in a websocket, and those that are refused; by the JDK's client.
 */
@Timeout(180)
class MqttFramesIT {
  private static final int SOON = 60;

  @TempDir static Path directory;
  private static GalopProcess node;

  @BeforeAll
  static void start() {
    node =
        GalopProcess.run(
            directory.resolve("data"),
            List.of(),
            List.of(
                "--set",
                "broadcast.mqtt={websocket: true}",
                "--set",
                "broadcast.origins=[\"https://shown.example\"]"));
  }

  @AfterAll
  static void stop() {
    if (node != null) {
      node.close();
    }
  }

  /** What the node sent, as text in hexadecimal digits, and how it ended. */
  private static final class Heard implements WebSocket.Listener {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final CompletableFuture<Integer> closed = new CompletableFuture<>();
    private final CompletableFuture<String> pong = new CompletableFuture<>();

    @Override
    public CompletionStage<?> onBinary(WebSocket socket, ByteBuffer data, boolean isLast) {
      synchronized (bytes) {
        while (data.hasRemaining()) {
          bytes.write(data.get());
        }
      }
      socket.request(1);
      return null;
    }

    @Override
    public CompletionStage<?> onPong(WebSocket socket, ByteBuffer payload) {
      byte[] content = new byte[payload.remaining()];
      payload.get(content);
      pong.complete(HexFormat.of().formatHex(content));
      socket.request(1);
      return null;
    }

    @Override
    public CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
      closed.complete(code);
      return null;
    }

    @Override
    public void onError(WebSocket socket, Throwable broken) {
      closed.completeExceptionally(broken);
    }

    String hex() {
      synchronized (bytes) {
        return HexFormat.of().formatHex(bytes.toByteArray());
      }
    }

    int closed() throws Exception {
      return closed.get(SOON, TimeUnit.SECONDS);
    }
  }

  private static WebSocket.Builder asking() {
    return HttpClient.newHttpClient().newWebSocketBuilder();
  }

  private static URI address() {
    return URI.create("ws://" + node.http("/mqtt").getAuthority() + "/mqtt");
  }

  private static WebSocket connect(Heard heard) {
    WebSocket socket = asking().subprotocols("mqtt").buildAsync(address(), heard).join();
    assertEquals("mqtt", socket.getSubprotocol());
    return socket;
  }

  private static void awaitBytes(Heard heard, String regex) {
    Await.until(regex + " in " + heard.hex(), SOON, () -> heard.hex().matches(regex));
  }

  private static byte[] both(byte[] first, byte[] second) {
    byte[] all = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, all, first.length, second.length);
    return all;
  }

  @Test
  void packetsAreReadFromFramesAsTheyCome() throws Exception {
    Heard heard = new Heard();
    WebSocket socket = connect(heard);
    byte[] greeting = RawPackets.connect("anybody", 5);
    for (int i = 0; i < greeting.length - 1; i++) {
      socket.sendBinary(ByteBuffer.wrap(greeting, i, 1), i % 3 == 0).join();
    }
    byte[] last = {greeting[greeting.length - 1]};
    socket.sendBinary(ByteBuffer.wrap(both(last, RawPackets.subscribe("f/1"))), true).join();
    awaitBytes(heard, "20.*9004000100.*");
    Stored.post(node.http("/publish/f/1"), "application/x-ndjson", "{\"n\":1}\n");
    String topic = "0003" + HexFormat.of().formatHex("f/1".getBytes());
    awaitBytes(heard, "20.*9004000100.*32.." + topic + ".*" + hex("{\"n\":1}"));
    socket.sendPing(ByteBuffer.wrap(new byte[] {1, 2})).join();
    assertEquals("0102", heard.pong.get(SOON, TimeUnit.SECONDS));
    socket.sendClose(WebSocket.NORMAL_CLOSURE, "").join();
    assertEquals(1000, heard.closed());
  }

  private static String hex(String text) {
    return HexFormat.of().formatHex(text.getBytes());
  }

  /** Its session, and its seat, must not wait until the network gives it up. */
  @Test
  void aClientThatReadsNothingMakesRoomForItself() throws Exception {
    try (Socket deaf = new Socket()) {
      deaf.setReceiveBufferSize(4096);
      deaf.connect(new InetSocketAddress(address().getHost(), address().getPort()));
      String asked =
          "GET /mqtt HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
              + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
              + "Sec-WebSocket-Protocol: mqtt\r\n\r\n";
      deaf.getOutputStream().write(asked.getBytes(StandardCharsets.UTF_8));
      deaf.getInputStream().readNBytes(64);
      deaf.getOutputStream().write(frame(RawPackets.connect("same", "", 65_535)));
      deaf.getOutputStream().write(frame(RawPackets.subscribe("deaf/1")));
      // One by one: what the socket does not take any more is little, and seems to be writable.
      String line = "{\"x\":\"" + "y".repeat(30_000) + "\"}\n";
      for (int i = 0; i < 400; i++) {
        Stored.post(node.http("/publish/deaf/1"), "application/x-ndjson", line);
      }
      Heard heard = new Heard();
      connect(heard).sendBinary(ByteBuffer.wrap(RawPackets.connect("same", "", 5)), true).join();
      awaitBytes(heard, "20.*");
    }
  }

  /** One binary frame of a client, with a mask of zeros. */
  private static byte[] frame(byte[] content) {
    byte[] head = {(byte) 0x82, (byte) (0x80 | content.length), 0, 0, 0, 0};
    return both(head, content);
  }

  /** A client that gets a packet larger than it takes ends the connection, and comes again. */
  @Test
  void aReasonIsLeftOutWhereTheClientDoesNotTakeIt() throws Exception {
    for (String wish : List.of("052700000020", "021700")) { // 32 bytes at most; no reasons
      Heard heard = new Heard();
      String body = "00044d5154540502003c" + wish + "000163";
      byte[] greeting = HexFormat.of().parseHex("10%02x".formatted(body.length() / 2) + body);
      byte[] asked = RawPackets.subscribe("$share/g/a");
      connect(heard).sendBinary(ByteBuffer.wrap(both(greeting, asked)), true).join();
      awaitBytes(heard, "20.*90040001009e");
    }
  }

  @Test
  void textIsNoPacket() throws Exception {
    Heard heard = new Heard();
    connect(heard).sendText("hello", true).join();
    assertEquals(1003, heard.closed());
  }

  @Test
  void otherPacketsThanConnectAreAnsweredAndTheConnectionIsClosed() throws Exception {
    Heard heard = new Heard();
    connect(heard).sendBinary(ByteBuffer.wrap(new byte[] {(byte) 0xc0, 0}), true).join();
    assertEquals(1000, heard.closed());
    assertTrue(heard.hex().startsWith("2002"), heard.hex());
  }

  @Test
  void pagesFromElsewhereAndOtherProtocolsAreRefused() throws Exception {
    assertEquals(
        101, status(asking().subprotocols("mqtt").header("Origin", "https://shown.example")));
    assertEquals(
        403, status(asking().subprotocols("mqtt").header("Origin", "https://other.example")));
    assertEquals(400, status(asking().subprotocols("stomp")));
    assertEquals(400, status(asking()));
    HttpResponse<String> plain =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(node.http("/mqtt")).build(),
                HttpResponse.BodyHandlers.ofString());
    assertEquals(400, plain.statusCode(), plain.body());
  }

  private static int status(WebSocket.Builder asking) {
    try {
      asking.buildAsync(address(), new Heard()).join().abort();
      return 101;
    } catch (CompletionException refused) {
      return ((java.net.http.WebSocketHandshakeException) refused.getCause())
          .getResponse()
          .statusCode();
    }
  }
}
