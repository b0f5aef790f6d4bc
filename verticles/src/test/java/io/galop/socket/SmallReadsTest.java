package io.galop.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SmallReadsTest {
  /** Who reads on or not, decided as Vert.x does it: at the end of each read. */
  private static final class Reader extends ChannelInboundHandlerAdapter {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final List<Integer> parts = new ArrayList<>();
    private Runnable onPart = () -> {};
    private Runnable onComplete = () -> {};

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
      ByteBuf part = (ByteBuf) message;
      parts.add(part.readableBytes());
      part.readBytes(bytes, part.readableBytes());
      part.release();
      onPart.run();
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
      onComplete.run();
    }
  }

  private final Reader reader = new Reader();
  private final SmallReads reads = new SmallReads();
  private final EmbeddedChannel channel = new EmbeddedChannel(reads, reader);

  private static byte[] bytes(int count) {
    byte[] bytes = new byte[count];
    new Random(count).nextBytes(bytes);
    return bytes;
  }

  private void pauseAtTheEndOfEachRead() {
    reader.onComplete = () -> channel.config().setAutoRead(false);
  }

  private void readOn() {
    channel.config().setAutoRead(true);
    channel.runPendingTasks();
  }

  @Test
  void whoReadsOnIsGivenAllInSmallParts() {
    byte[] sent = bytes(10_000);
    channel.writeInbound(Unpooled.wrappedBuffer(sent));
    assertEquals(List.of(4096, 4096, 1808), reader.parts);
    assertEquals(Unpooled.wrappedBuffer(sent), Unpooled.wrappedBuffer(reader.bytes.toByteArray()));
  }

  @Test
  void whoPausesIsGivenOnePart() {
    pauseAtTheEndOfEachRead();
    channel.writeInbound(Unpooled.wrappedBuffer(bytes(65_536)));
    assertEquals(List.of(4096), reader.parts);
    readOn();
    assertEquals(List.of(4096, 4096), reader.parts);
  }

  @Test
  void whoAsksForOneReadWithoutReadingOnIsGivenOnePart() {
    channel.config().setAutoRead(false);
    channel.writeInbound(Unpooled.wrappedBuffer(bytes(10_000)));
    assertEquals(List.of(), reader.parts);
    channel.read();
    assertEquals(List.of(4096), reader.parts);
    channel.read();
    channel.read();
    assertEquals(List.of(4096, 4096, 1808), reader.parts);
  }

  @Test
  void whoAsksWithinAPartIsGivenTheNext() {
    channel.config().setAutoRead(false);
    reader.onPart = channel::read;
    channel.writeInbound(Unpooled.wrappedBuffer(bytes(10_000)));
    channel.read();
    assertEquals(List.of(4096, 4096, 1808), reader.parts);
  }

  /** Whatever is read, and whenever somebody pauses, asks, or goes on. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
  void everyByteComesOnceAndInItsOrder(int seed) {
    Random random = new Random(seed);
    reader.onPart = () -> turn(random);
    reader.onComplete = () -> turn(random);
    ByteArrayOutputStream sent = new ByteArrayOutputStream();
    for (int i = 0; i < 200; i++) {
      byte[] next = bytes(random.nextInt(4) == 0 ? random.nextInt(20_000) : random.nextInt(200));
      sent.writeBytes(next);
      channel.writeInbound(Unpooled.wrappedBuffer(next));
      turn(random);
    }
    reader.onPart = () -> {};
    reader.onComplete = () -> {};
    channel.config().setAutoRead(false);
    readOn();
    assertEquals(
        Unpooled.wrappedBuffer(sent.toByteArray()),
        Unpooled.wrappedBuffer(reader.bytes.toByteArray()));
    assertTrue(reader.parts.stream().allMatch(part -> part <= 4096));
  }

  private void turn(Random random) {
    switch (random.nextInt(4)) {
      case 0 -> channel.config().setAutoRead(false);
      case 1 -> channel.config().setAutoRead(true);
      case 2 -> channel.read();
      default -> {}
    }
  }

  @Test
  void whatIsLeftGoesOnWholeWhereItIsTakenOut() {
    pauseAtTheEndOfEachRead();
    byte[] sent = bytes(65_536);
    channel.writeInbound(Unpooled.wrappedBuffer(sent));
    channel.pipeline().remove(reads);
    assertEquals(List.of(4096, 61_440), reader.parts);
    assertEquals(Unpooled.wrappedBuffer(sent), Unpooled.wrappedBuffer(reader.bytes.toByteArray()));
  }

  /** As by the request that becomes a websocket. What is with those behind comes to its end. */
  @Test
  void takenOutWithinAPartItHandsTheRestOnBehindIt() {
    List<Integer> atEnd = new ArrayList<>();
    reader.onPart =
        () -> {
          if (channel.pipeline().get(SmallReads.class) != null) {
            channel.pipeline().remove(reads);
            atEnd.addAll(reader.parts);
          }
        };
    channel.writeInbound(Unpooled.wrappedBuffer(bytes(10_000)));
    assertEquals(List.of(4096), atEnd);
    assertEquals(List.of(4096, 5904), reader.parts);
  }

  @Test
  void whatIsLeftOfAClosedConnectionIsFreed() {
    pauseAtTheEndOfEachRead();
    ByteBuf sent = Unpooled.wrappedBuffer(bytes(65_536));
    channel.writeInbound(sent);
    assertTrue(sent.refCnt() > 0);
    channel.close();
    assertEquals(0, sent.refCnt());
    assertFalse(channel.isOpen());
  }
}
