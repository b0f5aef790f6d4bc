package io.galop.broadcast.deflate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.Inflater;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the server sends compressed, and what it leaves as it is. */
class FrameDeflaterTest {
  private static final UnpooledByteBufAllocator ALLOCATOR = UnpooledByteBufAllocator.DEFAULT;
  private static final byte[] TAIL = {0, 0, (byte) 0xff, (byte) 0xff};

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final AtomicLong nowNanos = new AtomicLong();
  private long costNanos;

  /** Each look at the clock moves it by what the work between two looks is to cost. */
  private final FrameDeflater deflater =
      new FrameDeflater(new DeflateMeters(registry), 6, () -> nowNanos.addAndGet(costNanos));

  @AfterEach
  void end() {
    deflater.end();
  }

  private static byte[] text(int length) {
    StringBuilder text = new StringBuilder();
    for (int n = 0; text.length() < length; n++) {
      text.append("{\"type\":\"rec\",\"n\":").append(n * 7919 % 1000).append('}');
    }
    return text.substring(0, length).getBytes(StandardCharsets.US_ASCII);
  }

  private static ByteBuf frame(byte[] payload) {
    ByteBuf frame = ALLOCATOR.directBuffer().writeByte(0x81);
    if (payload.length < 126) {
      frame.writeByte(payload.length);
    } else if (payload.length <= 0xffff) {
      frame.writeByte(126).writeShort(payload.length);
    } else {
      frame.writeByte(127).writeLong(payload.length);
    }
    return frame.writeBytes(payload);
  }

  private double counted(String what) {
    return registry.get("galop.broadcast." + what).counter().count();
  }

  /** Takes the next frame off, and reads it as a client does that forgets between messages. */
  private static byte[] read(ByteBuf frames, int flags) throws Exception {
    assertEquals(flags, frames.readUnsignedByte());
    int length = frames.readUnsignedByte();
    if (length == 126) {
      length = frames.readUnsignedShort();
      assertTrue(length >= 126, "in as few bytes as can be: " + length);
    } else if (length == 127) {
      length = (int) frames.readLong();
      assertTrue(length > 0xffff, "in as few bytes as can be: " + length);
    }
    byte[] payload = new byte[length];
    frames.readBytes(payload);
    return flags == 0x81 ? payload : inflate(payload);
  }

  private static byte[] inflate(byte[] payload) throws Exception {
    byte[] end = Arrays.copyOfRange(payload, payload.length - TAIL.length, payload.length);
    assertFalse(Arrays.equals(TAIL, end), "the end of a flush is not sent");
    byte[] all = Arrays.copyOf(payload, payload.length + TAIL.length);
    System.arraycopy(TAIL, 0, all, payload.length, TAIL.length);
    Inflater inflater = new Inflater(true);
    inflater.setInput(all);
    byte[] message = new byte[1 << 20];
    int count = inflater.inflate(message);
    assertEquals(0, inflater.getRemaining());
    inflater.end();
    return Arrays.copyOf(message, count);
  }

  @ParameterizedTest
  @ValueSource(ints = {256, 257, 1000, 65_535, 65_536, 200_000})
  void aClientReadsTheSame(int length) throws Exception {
    byte[] text = text(length);
    ByteBuf plain = frame(text);
    ByteBuf sent = deflater.deflated(plain, ALLOCATOR);
    assertNotSame(plain, sent);
    assertTrue(sent.isDirect());
    assertEquals(sent.readableBytes(), sent.capacity(), "no more memory than it needs");
    assertEquals(1, counted("compressed"));
    assertEquals(plain.readableBytes(), counted("compressed.before"));
    assertEquals(sent.readableBytes(), counted("compressed.after"));
    assertTrue(sent.readableBytes() < plain.readableBytes());
    assertArrayEquals(text, read(sent, 0xc1));
    assertEquals(0, sent.readableBytes());
    assertTrue(sent.release());
    assertTrue(plain.release());
  }

  @Test
  void sameBytesAgainWhateverWasBefore() {
    ByteBuf plain = frame(text(1000));
    ByteBuf other = frame(text(5000));
    ByteBuf first = deflater.deflated(plain, ALLOCATOR);
    deflater.deflated(other, ALLOCATOR).release();
    ByteBuf second = deflater.deflated(plain, ALLOCATOR);
    assertEquals(ByteBufUtil.hexDump(first), ByteBufUtil.hexDump(second));
    first.release();
    second.release();
    plain.release();
    other.release();
  }

  @Test
  void eachMessageOfAPacketIsLookedAtByItself() throws Exception {
    byte[] noise = new byte[400];
    new Random(1).nextBytes(noise);
    ByteBuf plain =
        Unpooled.directBuffer()
            .writeBytes(frame(text(600)))
            .writeBytes(frame(text(FrameDeflater.LEAST_BYTES - 1)))
            .writeBytes(frame(noise))
            .writeBytes(frame(text(500)));
    ByteBuf sent = deflater.deflated(plain, ALLOCATOR);
    assertArrayEquals(text(600), read(sent, 0xc1));
    assertArrayEquals(text(FrameDeflater.LEAST_BYTES - 1), read(sent, 0x81));
    assertArrayEquals(noise, read(sent, 0x81));
    assertArrayEquals(text(500), read(sent, 0xc1));
    assertEquals(2, counted("compressed"));
  }

  @Test
  void whatIsShortOrDoesNotShrinkIsTheSameBuffer() {
    byte[] noise = new byte[5000];
    new Random(2).nextBytes(noise);
    for (byte[] payload : new byte[][] {noise, text(100)}) {
      ByteBuf plain = frame(payload);
      assertSame(plain, deflater.deflated(plain, ALLOCATOR));
      assertEquals(2, plain.refCnt(), "one reference more");
      plain.release(2);
    }
    assertEquals(0, counted("compressed"));
  }

  @Test
  void takesAQuarterOfTheTimeAtMost() {
    ByteBuf plain = frame(text(1000));
    costNanos = 10_000_000;
    int compressed = 0;
    int rounds = 400;
    for (int n = 0; n < rounds; n++) {
      ByteBuf sent = deflater.deflated(plain, ALLOCATOR);
      compressed += sent == plain ? 0 : 1;
      sent.release();
    }
    assertEquals(compressed, counted("compressed"));
    assertEquals(rounds - compressed, counted("compressed.not"));
    double share = compressed * 10_000_000.0 / nowNanos.get();
    assertTrue(share > 0.2 && share < 0.28, "share of the time: " + share);
    nowNanos.addAndGet(200_000_000);
    ByteBuf after = deflater.deflated(plain, ALLOCATOR);
    assertNotSame(plain, after, "it has time again");
  }

  @Test
  void afterTheEndNothingIsCompressed() {
    deflater.end();
    ByteBuf plain = frame(text(1000));
    assertSame(plain, deflater.deflated(plain, ALLOCATOR));
    assertEquals(2, plain.refCnt());
  }
}
