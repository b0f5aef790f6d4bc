package io.galop.vertx;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.internal.OutOfDirectMemoryError;
import io.netty.util.internal.PlatformDependent;

/** The memory outside the heap that Netty takes, and its bound. From any thread. */
public final class DirectMemory {
  private DirectMemory() {}

  /** What Netty has taken. */
  public static long usedBytes() {
    return PlatformDependent.usedDirectMemory();
  }

  /**
   * A buffer that does not grow.
   *
   * @throws IllegalStateException if so much is not left below the bound
   */
  public static ByteBuf allocate(ByteBufAllocator memory, int bytes) {
    try {
      return memory.directBuffer(bytes, bytes);
    } catch (OutOfDirectMemoryError e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }
}
