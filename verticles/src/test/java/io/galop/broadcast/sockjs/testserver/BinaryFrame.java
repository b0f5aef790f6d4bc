package io.galop.broadcast.sockjs.testserver;

import io.galop.broadcast.sockjs.Frame;
import io.galop.broadcast.sockjs.Frames;
import io.galop.broadcast.sockjs.Framing;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/** One binary message on the raw websocket: the product itself sends none. */
final class BinaryFrame implements Frames, AutoCloseable {
  private static final int FINAL_BINARY = 0x82;
  private static final int MAX_HEADER = 10;

  private final byte[] message;
  private ByteBuf encoded;

  BinaryFrame(byte[] message) {
    this.message = message;
  }

  @Override
  public Frame[] frames() {
    throw new UnsupportedOperationException("a binary message is no text frame");
  }

  @Override
  public int records() {
    return 0;
  }

  @Override
  public int size() {
    return message.length;
  }

  @Override
  public ByteBuf encoded(Framing framing, ByteBufAllocator allocator) {
    if (encoded == null) {
      encoded = allocator.directBuffer(MAX_HEADER + message.length).writeByte(FINAL_BINARY);
      if (message.length < 126) {
        encoded.writeByte(message.length);
      } else if (message.length <= 0xffff) {
        encoded.writeByte(126).writeShort(message.length);
      } else {
        encoded.writeByte(127).writeLong(message.length);
      }
      encoded.writeBytes(message);
    }
    return encoded;
  }

  @Override
  public void close() {
    if (encoded != null) {
      encoded.release();
    }
  }
}
