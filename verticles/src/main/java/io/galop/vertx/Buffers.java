package io.galop.vertx;

import io.netty.buffer.ByteBuf;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.buffer.BufferInternal;

/** Buffers of Vert.x over those of Netty, and the other way, without a copy. From any thread. */
public final class Buffers {
  private Buffers() {}

  /** The same bytes. Whoever made them releases them: Vert.x does not. */
  public static Buffer of(ByteBuf bytes) {
    return BufferInternal.buffer(bytes);
  }

  /** The same bytes, to be read only. */
  public static ByteBuf bytes(Buffer buffer) {
    return ((BufferInternal) buffer).getByteBuf();
  }
}
