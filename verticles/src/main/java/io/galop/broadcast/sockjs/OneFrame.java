package io.galop.broadcast.sockjs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.jspecify.annotations.Nullable;

/** A message for one connection only; to be closed when it was written. */
public final class OneFrame implements Frames, AutoCloseable {
  private final Frame frame;
  private @Nullable ByteBuf encoded;

  public OneFrame(Frame frame) {
    this.frame = frame;
  }

  @Override
  public Frame[] frames() {
    return new Frame[] {frame};
  }

  @Override
  public int records() {
    return 0;
  }

  @Override
  public int size() {
    return frame.size();
  }

  @Override
  public ByteBuf encoded(Framing framing, ByteBufAllocator allocator) {
    ByteBuf bytes = encoded;
    if (bytes == null) {
      bytes = framing.encode(frames(), allocator);
      encoded = bytes;
    }
    return bytes;
  }

  /** Gives up the bytes; whoever still needs them has retained them. */
  @Override
  public void close() {
    if (encoded != null) {
      encoded.release();
    }
  }
}
