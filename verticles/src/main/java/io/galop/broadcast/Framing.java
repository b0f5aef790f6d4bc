package io.galop.broadcast;

import io.galop.record.JsonString;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;

/** How messages are put into frames of a websocket (RFC 6455, 5.2), which a server never masks. */
enum Framing {
  /** SockJS: one text frame with an array of strings. */
  SOCKJS {
    @Override
    ByteBuf encode(Frame[] frames, ByteBufAllocator allocator) {
      int payload = "a[]".length() + frames.length - 1;
      for (Frame frame : frames) {
        payload += frame.element().length;
      }
      ByteBuf bytes = header(allocator.directBuffer(payload + MAX_HEADER), payload);
      bytes.writeByte('a').writeByte('[').writeBytes(frames[0].element());
      for (int i = 1; i < frames.length; i++) {
        bytes.writeByte(',').writeBytes(frames[i].element());
      }
      return bytes.writeByte(']');
    }

    @Override
    ByteBuf opening() {
      return OPEN.duplicate();
    }

    @Override
    ByteBuf heartbeat() {
      return HEARTBEAT.duplicate();
    }

    @Override
    ByteBuf farewell(Disconnect why, ByteBufAllocator allocator) {
      String close = "c[" + why.code() + "," + JsonString.quoted(why.reason()) + "]";
      ByteBuf farewell = encode(new Frame[] {why.farewell()}, allocator);
      return text(farewell, close.getBytes(StandardCharsets.UTF_8));
    }
  },

  /** Each message is a text frame. */
  RAW {
    @Override
    ByteBuf encode(Frame[] frames, ByteBufAllocator allocator) {
      int most = 0;
      for (Frame frame : frames) {
        most += MAX_HEADER + ByteBufUtil.utf8MaxBytes(frame.text().length());
      }
      ByteBuf bytes = allocator.directBuffer(Math.min(most, FIRST_GUESS));
      for (Frame frame : frames) {
        text(bytes, frame.text().getBytes(StandardCharsets.UTF_8));
      }
      return bytes;
    }

    @Override
    ByteBuf opening() {
      return Unpooled.EMPTY_BUFFER;
    }

    @Override
    ByteBuf heartbeat() {
      return PING.duplicate();
    }

    @Override
    ByteBuf farewell(Disconnect why, ByteBufAllocator allocator) {
      return encode(new Frame[] {why.farewell()}, allocator);
    }
  };

  private static final int MAX_HEADER = 10;
  private static final int FIRST_GUESS = 4096;
  private static final int FINAL_TEXT = 0x81;
  private static final int FINAL_PING = 0x89;
  private static final int LENGTH_IN_2_BYTES = 126;
  private static final int LENGTH_IN_8_BYTES = 127;
  private static final ByteBuf OPEN = constant(FINAL_TEXT, 1, 'o');
  private static final ByteBuf HEARTBEAT = constant(FINAL_TEXT, 1, 'h');
  private static final ByteBuf PING = constant(FINAL_PING, 0);

  /** Frames for one connection or more: a direct buffer with one reference. */
  abstract ByteBuf encode(Frame[] frames, ByteBufAllocator allocator);

  /** What the connection begins with. */
  abstract ByteBuf opening();

  /** What tells an idle connection, and whatever is on the way, that the node is there. */
  abstract ByteBuf heartbeat();

  /** The last words before the websocket's own closing. */
  abstract ByteBuf farewell(Disconnect why, ByteBufAllocator allocator);

  private static ByteBuf constant(int... bytes) {
    ByteBuf constant = Unpooled.directBuffer(bytes.length, bytes.length);
    for (int each : bytes) {
      constant.writeByte(each);
    }
    return Unpooled.unreleasableBuffer(constant.asReadOnly());
  }

  private static ByteBuf text(ByteBuf to, byte[] payload) {
    return header(to, payload.length).writeBytes(payload);
  }

  private static ByteBuf header(ByteBuf to, int payload) {
    to.writeByte(FINAL_TEXT);
    if (payload < LENGTH_IN_2_BYTES) {
      return to.writeByte(payload);
    }
    return payload <= 0xffff
        ? to.writeByte(LENGTH_IN_2_BYTES).writeShort(payload)
        : to.writeByte(LENGTH_IN_8_BYTES).writeLong(payload);
  }
}
