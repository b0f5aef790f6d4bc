package io.galop.broadcast.sockjs;

import static io.galop.broadcast.sockjs.RawFrames.BINARY;
import static io.galop.broadcast.sockjs.RawFrames.CLOSE;
import static io.galop.broadcast.sockjs.RawFrames.CONTINUATION;
import static io.galop.broadcast.sockjs.RawFrames.LAST;
import static io.galop.broadcast.sockjs.RawFrames.PING;
import static io.galop.broadcast.sockjs.RawFrames.PONG;
import static io.galop.broadcast.sockjs.RawFrames.TEXT;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.galop.broadcast.deflate.LoopDeflate;
import io.galop.broadcast.deflate.TestDeflate;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which frames of a client may be compressed (RFC 7692, 6), and what is heard of them. */
class CompressedMessagesTest implements FrameReader.Listener {
  private static final int RSV1 = 0x40;
  private static final int MAX_BYTES = 1000;

  /** Of the standard's examples. */
  private static final byte[] HELLO = FrameCases.bytes("f248cdc9c90700");

  private final LoopDeflate deflate = TestDeflate.open();
  private final FrameReader frames = new FrameReader(this, MAX_BYTES, deflate.in());
  private final List<String> heard = new ArrayList<>();

  @AfterEach
  void end() {
    deflate.close();
  }

  @Override
  public void onText(byte[] message) {
    heard.add(new String(message, StandardCharsets.UTF_8));
  }

  @Override
  public void onBinary(byte[] message) {
    heard.add("binary of " + message.length);
  }

  @Override
  public boolean hearsBinary() {
    return true;
  }

  @Override
  public void onPing(byte[] payload) {
    heard.add("ping");
  }

  @Override
  public void onClose(int code) {
    heard.add("close " + code);
  }

  @Override
  public void onTooLarge() {
    heard.add("too large");
  }

  @Override
  public void onViolation(int code, String reason) {
    heard.add("violation " + code);
  }

  private static void read(FrameReader reader, byte[] sent) {
    ByteBuf bytes = Unpooled.wrappedBuffer(sent);
    while (bytes.isReadable()) {
      reader.read(bytes);
    }
  }

  private void send(int flags, byte[] payload) {
    read(frames, FrameCases.frame(flags, payload));
  }

  @Test
  void compressedAndPlainMessagesTakeTurns() {
    send(LAST | RSV1 | TEXT, HELLO);
    send(LAST | TEXT, FrameCases.utf8("plain"));
    send(LAST | RSV1 | BINARY, HELLO);
    send(LAST | RSV1 | TEXT, HELLO);
    assertEquals(List.of("Hello", "plain", "binary of 5", "Hello"), heard);
  }

  /** Only the first part says it, and a ping between them is no part. */
  @Test
  void aMessageMayComeInParts() {
    send(RSV1 | TEXT, new byte[] {HELLO[0], HELLO[1]});
    send(LAST | PING, new byte[0]);
    send(CONTINUATION, new byte[0]);
    send(LAST | CONTINUATION, FrameCases.bytes("cdc9c90700"));
    assertEquals(List.of("ping", "Hello"), heard);
  }

  @ParameterizedTest
  @ValueSource(
      ints = {RSV1 | PING, RSV1 | PONG, RSV1 | CLOSE, 0x20 | TEXT, 0x10 | TEXT, 0x60 | TEXT})
  void otherReservedBitsAreAViolation(int flags) {
    send(LAST | flags, HELLO);
    assertEquals("violation 1002", heard.get(0));
  }

  @Test
  void aLaterPartMustNotSayIt() {
    send(RSV1 | TEXT, HELLO);
    send(LAST | RSV1 | CONTINUATION, HELLO);
    assertEquals(List.of("violation 1002"), heard);
  }

  @Test
  void whoHasNotNegotiatedMustNotCompress() {
    read(new FrameReader(this, MAX_BYTES, null), FrameCases.frame(LAST | RSV1 | TEXT, HELLO));
    assertEquals(List.of("violation 1002"), heard);
  }

  @Test
  void whatCannotBeInflatedIsAViolation() {
    send(LAST | RSV1 | TEXT, FrameCases.bytes("ff"));
    assertEquals(List.of("violation 1007"), heard);
  }

  /** The bytes c3 28, and the first byte of a character only. */
  @ParameterizedTest
  @ValueSource(strings = {"000200fdffc32800", "000100feffc300"})
  void aTextMustBeUtf8WhenItIsInflated(String hex) {
    send(LAST | RSV1 | TEXT, FrameCases.bytes(hex));
    assertEquals(List.of("violation 1007"), heard);
  }

  @Test
  void aBombIsTooLargeAndWhatComesNextIsHeard() {
    byte[] bomb = TestDeflate.compressed(new byte[100_000]);
    send(LAST | RSV1 | TEXT, bomb);
    send(LAST | RSV1 | TEXT, HELLO);
    assertEquals(List.of("too large", "Hello"), heard);
  }
}
