package io.galop.broadcast;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a browser may say on a websocket, frame by frame (RFC 6455, 5.4 and 5.5). */
@Tag("slow")
@Timeout(180)
class WebsocketReaderTest extends FeedTest {
  private static final int TEXT = 0x1;
  private static final int CONTINUATION = 0x0;
  private static final int CLOSE = 0x8;
  private static final int PING = 0x9;
  private static final int PONG = 0xa;
  private static final int LAST = 0x80;

  private Socket socket;
  private DataInputStream in;
  private DataOutputStream out;

  @BeforeEach
  void connect() throws Exception {
    start("broadcast.maxMessageBytes=256");
    socket = new Socket();
    socket.connect(new InetSocketAddress("127.0.0.1", feed.port()), 20_000);
    socket.setSoTimeout(60_000);
    in = new DataInputStream(socket.getInputStream());
    out = new DataOutputStream(socket.getOutputStream());
    String request =
        "GET /live/websocket HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n";
    out.write(request.getBytes(StandardCharsets.US_ASCII));
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      head.append((char) in.readUnsignedByte());
    }
  }

  @AfterEach
  void hangUp() throws Exception {
    socket.close();
  }

  private void send(int type, String payload) throws IOException {
    byte[] bytes = payload.getBytes(StandardCharsets.ISO_8859_1);
    out.writeByte(type);
    out.writeByte(0x80 | (bytes.length < 126 ? bytes.length : 126));
    if (bytes.length >= 126) {
      out.writeShort(bytes.length);
    }
    out.writeInt(0);
    out.write(bytes);
  }

  private byte[] read(int type) throws IOException {
    assertEquals(LAST | type, in.readUnsignedByte());
    int length = in.readUnsignedByte();
    return in.readNBytes(length == 126 ? in.readUnsignedShort() : length);
  }

  private String readText() throws IOException {
    return new String(read(TEXT), StandardCharsets.UTF_8);
  }

  @Test
  void aMessageMayComeInPartsWithAPingBetweenThem() throws Exception {
    send(TEXT, "{\"type\":\"regis");
    send(CONTINUATION, "ter\",\"addr");
    send(LAST | PING, "here?");
    send(LAST | CONTINUATION, "ess\":\"a\"}");
    assertEquals("here?", new String(read(PONG), StandardCharsets.US_ASCII));
    send(LAST | TEXT, "{\"type\":\"ping\"}");
    assertEquals("{\"type\":\"pong\"}", readText());
    feed.publish("a", 1);
    assertTrue(readText().contains("\"id\":\"a:1\""));
  }

  @Test
  void aClosingIsAnsweredWithItsCodeAndTheConnectionEnds() throws Exception {
    send(LAST | CLOSE, "\u0003\u00e9bye");
    assertArrayEquals(new byte[] {3, (byte) 0xe9}, read(CLOSE));
    assertEquals(-1, in.read());
    LiveClient.await("end", () -> feed.verticle.feed().meters().connections().get() == 0);
  }

  @Test
  void aClosingWithoutACodeIsAnsweredWithoutOne() throws Exception {
    send(LAST | CLOSE, "");
    assertEquals(0, read(CLOSE).length);
    assertEquals(-1, in.read());
  }

  /** The answer to its closing would wait for ever behind what it does not read. */
  @Test
  void whoClosesAndReadsNothingIsCutOff() throws Exception {
    send(LAST | TEXT, "{\"type\":\"register\",\"address\":\"a\"}");
    send(LAST | TEXT, "{\"type\":\"ping\"}");
    assertEquals("{\"type\":\"pong\"}", readText());
    String large = "{\"x\":\"" + "x".repeat(16 << 20) + "\"}";
    feed.onOwners(() -> feed.owner("a").publish("a", "a:1", large));
    assertEquals(LAST | TEXT, in.readUnsignedByte());
    send(LAST | CLOSE, "\u0003\u00e9bye");
    LiveClient.await("end", () -> feed.verticle.feed().meters().connections().get() == 0);
  }

  @Test
  void partsThatAreTooLargeTogetherAreRefused() throws Exception {
    send(TEXT, "x".repeat(500));
    send(CONTINUATION, "x".repeat(500));
    assertTrue(readText().contains("message_too_large"));
    byte[] closing = read(CLOSE);
    assertEquals(3500, (closing[0] & 0xff) << 8 | closing[1] & 0xff);
    send(LAST | CLOSE, "\r\u00ac");
    assertEquals(-1, in.read());
  }

  @Test
  void anUnmaskedFrameEndsTheConnection() throws Exception {
    out.write(new byte[] {(byte) (LAST | TEXT), 1, 'x'});
    in.readAllBytes();
    LiveClient.await("end", () -> feed.verticle.feed().meters().connections().get() == 0);
  }
}
