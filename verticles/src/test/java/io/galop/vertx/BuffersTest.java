package io.galop.vertx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class BuffersTest {
  private static final byte[] TEXT = "0123456789".getBytes(StandardCharsets.US_ASCII);

  private static void assertReads(String expected, ByteBuf bytes) {
    assertArrayEquals(
        expected.getBytes(StandardCharsets.US_ASCII), Buffers.array(Buffers.of(bytes)));
  }

  @Test
  void anArrayOfItsOwnIsNotCopied() {
    assertSame(TEXT, Buffers.array(Buffers.of(Unpooled.wrappedBuffer(TEXT))));
  }

  @Test
  void ofASharedArrayOnlyItsPartIsRead() {
    assertReads("345", Unpooled.wrappedBuffer(TEXT).slice(3, 3));
    assertReads("012", Unpooled.wrappedBuffer(TEXT).slice(0, 3));
    assertReads("01", Unpooled.buffer(64).writeBytes(TEXT, 0, 2));
    assertReads("0123456789", Unpooled.directBuffer(64).writeBytes(TEXT));
  }

  @Test
  void whatWasAppendedIsRead() {
    assertArrayEquals(
        "ab".getBytes(StandardCharsets.US_ASCII),
        Buffers.array(Buffer.buffer("a").appendString("b")));
  }
}
