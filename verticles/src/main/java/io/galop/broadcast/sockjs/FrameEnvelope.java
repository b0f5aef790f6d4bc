package io.galop.broadcast.sockjs;

import io.galop.json.JsonString;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;

/**
 * What a transport over HTTP puts around a SockJS frame. The bytes are one chunk of a chunked body
 * (RFC 9112, 7.1), so that they can be written as they are; {@link #content} is what is in it.
 */
class FrameEnvelope {
  /** Eight hexadecimal digits and the end of a line. */
  private static final int MAX_SIZE_LINE = 10;

  private static final byte[] UNICODE_LESS_THAN = {'\\', 'u', '0', '0', '3', 'c'};

  private final byte[] before;
  private final byte[] after;
  private final boolean isQuoted;
  private final ByteBuf opening;
  private final ByteBuf heartbeat;

  /**
   * @param isQuoted whether the frame is written into a script, between the quotes of a string
   */
  FrameEnvelope(String before, String after, boolean isQuoted) {
    this(before, after, isQuoted, "o", "h");
  }

  /**
   * @param opening what a connection begins with
   * @param heartbeat what tells that the node is there
   */
  FrameEnvelope(String before, String after, boolean isQuoted, String opening, String heartbeat) {
    this.before = before.getBytes(StandardCharsets.US_ASCII);
    this.after = after.getBytes(StandardCharsets.US_ASCII);
    this.isQuoted = isQuoted;
    this.opening = constant(opening, Unpooled.directBuffer());
    this.heartbeat = constant(heartbeat, Unpooled.directBuffer());
  }

  /** A chunk that nobody has to release; one that is not for ever is on the heap. */
  final ByteBuf constant(String frame, ByteBuf empty) {
    ByteBuf chunk = chunk(frame.length(), empty);
    chunk.writeCharSequence(frame, StandardCharsets.US_ASCII);
    return Unpooled.unreleasableBuffer(end(chunk).asReadOnly());
  }

  ByteBuf opening() {
    return opening.duplicate();
  }

  ByteBuf heartbeat() {
    return heartbeat.duplicate();
  }

  /** An array of messages. */
  ByteBuf messages(Frame[] frames, ByteBufAllocator allocator) {
    int size = "a[]".length() + frames.length - 1;
    for (Frame frame : frames) {
      size += frame.element().length;
    }
    ByteBuf chunk = chunk(size, allocator.directBuffer(room(size)));
    chunk.writeByte('a').writeByte('[');
    put(chunk, frames[0].element());
    for (int i = 1; i < frames.length; i++) {
      put(chunk.writeByte(','), frames[i].element());
    }
    return end(chunk.writeByte(']'));
  }

  ByteBuf closing(Ending why, ByteBufAllocator allocator) {
    byte[] frame =
        ("c[" + why.code() + "," + JsonString.quoted(why.reason()) + "]")
            .getBytes(StandardCharsets.UTF_8);
    ByteBuf chunk = chunk(frame.length, allocator.directBuffer(room(frame.length)));
    put(chunk, frame);
    return end(chunk);
  }

  /** Enough for most frames; quotes that take more make the buffer grow. */
  int room(int size) {
    int content = isQuoted ? size + size / 8 : size;
    return MAX_SIZE_LINE + before.length + content + after.length + 2;
  }

  /** Room for so much, with the place of the line before it. */
  ByteBuf chunk(int size, ByteBuf empty) {
    return empty.ensureWritable(room(size)).writeZero(MAX_SIZE_LINE).writeBytes(before);
  }

  private void put(ByteBuf to, byte[] frame) {
    if (isQuoted) {
      quote(to, frame);
    } else {
      to.writeBytes(frame);
    }
  }

  /**
   * In a frame all control characters are escaped already. What a page may take for the end of the
   * script must not stay either.
   */
  private static void quote(ByteBuf to, byte[] frame) {
    for (byte b : frame) {
      if (b == '<') {
        to.writeBytes(UNICODE_LESS_THAN);
      } else if (b == '"' || b == '\\') {
        to.writeByte('\\').writeByte(b);
      } else {
        to.writeByte(b);
      }
    }
  }

  /** Puts the line with the chunk's size before it. */
  ByteBuf end(ByteBuf chunk) {
    chunk.writeBytes(after);
    String size = Integer.toHexString(chunk.readableBytes() - MAX_SIZE_LINE) + "\r\n";
    int begin = MAX_SIZE_LINE - size.length();
    chunk.setCharSequence(begin, size, StandardCharsets.US_ASCII);
    return chunk.writeByte('\r').writeByte('\n').readerIndex(begin);
  }

  /** What is in a chunk: a part of the same memory. */
  static ByteBuf content(ByteBuf chunk) {
    return chunk.slice(contentIndex(chunk), contentBytes(chunk));
  }

  static int contentBytes(ByteBuf chunk) {
    return chunk.writerIndex() - contentIndex(chunk) - 2;
  }

  private static int contentIndex(ByteBuf chunk) {
    return chunk.indexOf(chunk.readerIndex(), chunk.writerIndex(), (byte) '\n') + 1;
  }
}
