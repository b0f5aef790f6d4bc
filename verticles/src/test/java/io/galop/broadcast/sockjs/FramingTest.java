package io.galop.broadcast.sockjs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bytes on the wire. */
class FramingTest {
  private static final UnpooledByteBufAllocator ALLOCATOR = UnpooledByteBufAllocator.DEFAULT;

  private static Frame text(int length) {
    return Frame.ofControl("x".repeat(length));
  }

  private static String hex(ByteBuf bytes, int count) {
    return io.netty.buffer.ByteBufUtil.hexDump(bytes, 0, count);
  }

  @ParameterizedTest
  @CsvSource({
    "0,2,8100",
    "125,2,817d",
    "126,4,817e007e",
    "65535,4,817effff",
    "65536,10,817f0000000000010000"
  })
  void lengthsTakeAsFewBytesAsTheyMay(int length, int header, String expected) {
    ByteBuf bytes = Framing.RAW.encode(new Frame[] {text(length)}, ALLOCATOR);
    assertEquals(expected, hex(bytes, header));
    assertEquals(header + length, bytes.readableBytes());
    bytes.release();
  }

  @ParameterizedTest
  @CsvSource({"120,817d", "121,817e007e"})
  void anArrayCountsItsBracketsAndQuotes(int length, String expected) {
    ByteBuf bytes = Framing.SOCKJS.encode(new Frame[] {text(length)}, ALLOCATOR);
    assertEquals(expected, hex(bytes, expected.length() / 2));
    bytes.release();
  }

  @Test
  void whatManyMessagesBeginWithIsPartOfEach() {
    String begin = "{\"a\\\":\"\u2028é\",";
    String rest = "\"b\\\":\"\u2028\u0001é\"}";
    Frame frame = Frame.ofRecord(new Frame.Opening(begin), rest.getBytes(StandardCharsets.UTF_8));
    ByteBuf plain = Framing.RAW.encode(new Frame[] {frame}, ALLOCATOR);
    assertEquals(begin + rest, plain.skipBytes(2).toString(StandardCharsets.UTF_8));
    Frame[] one = {frame};
    Frame[] whole = {Frame.ofControl(begin + rest)};
    ByteBuf joined = Framing.SOCKJS.encode(one, ALLOCATOR);
    ByteBuf expected = Framing.SOCKJS.encode(whole, ALLOCATOR);
    assertEquals(expected, joined);
    plain.release();
    joined.release();
    expected.release();
  }

  @Test
  void joinsElementsAndEscapesThem() {
    Frame[] frames = {Frame.ofControl("{\"é\":\"a\\b\n\"}"), Frame.ofControl("2")};
    ByteBuf bytes = Framing.SOCKJS.encode(frames, ALLOCATOR);
    assertEquals(
        "a[\"{\\\"é\\\":\\\"a\\\\b\\n\\\"}\",\"2\"]",
        bytes.skipBytes(2).toString(StandardCharsets.UTF_8));
    bytes.release();
  }
}
