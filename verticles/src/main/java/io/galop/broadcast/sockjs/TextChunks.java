package io.galop.broadcast.sockjs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

/**
 * What surrounds each message of a response that carries message after message, without SockJS's
 * frames. Lines end a message there, so those within one become spaces: JSON has them only between
 * its tokens.
 */
final class TextChunks extends FrameEnvelope {
  private static final int LEAST_RETRY_MS = 1_000;
  private static final int MOST_RETRY_MS = 3_000;

  private final Supplier<String> opening;
  private final byte[] before;
  private final byte[] after;
  private final byte[] last;

  /**
   * @param opening what a response begins with, asked for each
   * @param last what ends a response in order
   */
  TextChunks(String before, String after, Supplier<String> opening, String heartbeat, String last) {
    super("", "", false, opening.get(), heartbeat);
    this.opening = opening;
    this.before = before.getBytes(StandardCharsets.US_ASCII);
    this.after = after.getBytes(StandardCharsets.US_ASCII);
    this.last = last.getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * After which time an EventSource comes back by itself: each after another, for when a node ends
   * all of its would knock at the next one in the same moment.
   */
  static String retry() {
    int retryMs = ThreadLocalRandom.current().nextInt(LEAST_RETRY_MS, MOST_RETRY_MS + 1);
    return "retry: " + retryMs + "\n\n";
  }

  @Override
  ByteBuf opening() {
    return constant(opening.get(), Unpooled.buffer());
  }

  @Override
  ByteBuf messages(Frame[] frames, ByteBufAllocator allocator) {
    int size = 0;
    for (Frame frame : frames) {
      size += before.length + frame.textBytes() + after.length;
    }
    ByteBuf chunk = chunk(size, allocator.directBuffer(room(size)));
    for (Frame frame : frames) {
      chunk.writeBytes(before);
      int begin = chunk.writerIndex();
      frame.writeText(chunk);
      blank(chunk, begin, (byte) '\n');
      blank(chunk, begin, (byte) '\r');
      chunk.writeBytes(after);
    }
    return end(chunk);
  }

  private static void blank(ByteBuf chunk, int begin, byte line) {
    int at = chunk.indexOf(begin, chunk.writerIndex(), line);
    while (at >= 0) {
      chunk.setByte(at, ' ');
      at = chunk.indexOf(at + 1, chunk.writerIndex(), line);
    }
  }

  /** The words of an ending are messages, which came before. */
  @Override
  ByteBuf closing(Ending why, ByteBufAllocator allocator) {
    ByteBuf chunk = chunk(last.length, allocator.directBuffer(room(last.length)));
    return end(chunk.writeBytes(last));
  }
}
