package io.galop.broadcast;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;

/** The Bundles that are filled between two rounds of a {@link Pulse}, and their buffers. */
final class Tick {
  private final List<ByteBuf> buffers = new ArrayList<>();
  private final Bundle empty = Bundle.empty(this);
  private int holders;

  /** An outbox begins to fill a Bundle; it has to let it go once. */
  Bundle hold() {
    holders++;
    return empty;
  }

  void letGo() {
    holders--;
    if (holders == 0) {
      buffers.forEach(ByteBuf::release);
      buffers.clear();
      empty.clear();
    }
  }

  void releaseLater(ByteBuf buffer) {
    buffers.add(buffer);
  }
}
