package io.galop.loadtest.client;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.jspecify.annotations.Nullable;

/** The begin of something whose end has not come yet. */
final class Rest {
  private @Nullable ByteBuf bytes;

  /** What was kept with what came now behind it; the caller releases it. */
  ByteBuf with(ByteBuf came) {
    if (bytes == null) {
      return came;
    }
    ByteBuf both = bytes.writeBytes(came);
    came.release();
    bytes = null;
    return both;
  }

  /** Keeps a copy of what was not read. */
  void keep(ByteBuf unread, ByteBufAllocator allocator) {
    bytes = allocator.buffer(2 * unread.readableBytes()).writeBytes(unread);
  }

  void release() {
    if (bytes != null) {
      bytes.release();
      bytes = null;
    }
  }
}
