package io.galop.broadcast.sockjs;

import io.galop.broadcast.deflate.FrameDeflater;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/** Frames that go out together, in their order, perhaps to many connections of an event loop. */
public interface Frames {
  /** The frames. */
  Frame[] frames();

  /** How many of the frames carry a record. */
  int records();

  /** What the frames count for in an outbox. */
  int size();

  /** Whether clients of MQTT go on reading at each of them. */
  default boolean areTaken(boolean isFive) {
    for (Frame frame : frames()) {
      if (frame.isRecord() && !frame.packet().isTaken(isFive)) {
        return false;
      }
    }
    return true;
  }

  /** The bytes for the network, which stay the callee's: whoever keeps them retains them. */
  ByteBuf encoded(Framing framing, ByteBufAllocator allocator);

  /** The same, compressed where that gains something. What only one connection is sent is not. */
  default ByteBuf deflated(Framing framing, FrameDeflater deflater, ByteBufAllocator allocator) {
    return encoded(framing, allocator);
  }
}
