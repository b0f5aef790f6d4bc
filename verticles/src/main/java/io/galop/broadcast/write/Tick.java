package io.galop.broadcast.write;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;

/**
 * The Bundles that are filled between two rounds of a {@link Pulse}, and their buffers. There are
 * two, in turn: one is filled while the other is emptied.
 */
final class Tick {
  private final int turn;
  private final List<Bundle> bundles = new ArrayList<>();
  private final List<ByteBuf> buffers = new ArrayList<>();
  private final Bundle empty;
  private int holders;

  /** What the last frames of all Bundles, and all buffers, count for; 0 when nobody holds any. */
  private long bytes;

  /**
   * @param turn 0 or 1
   */
  Tick(int turn) {
    this.turn = turn;
    this.empty = Bundle.empty(this);
  }

  /** The tick of a Bundle. */
  static int turnOf(int number) {
    return number & 1;
  }

  /** Numbers a new Bundle. */
  int number(Bundle bundle, int moreBytes) {
    bundles.add(bundle);
    bytes += moreBytes;
    return (bundles.size() - 1) << 1 | turn;
  }

  Bundle bundle(int number) {
    return bundles.get(number >> 1);
  }

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
      bundles.subList(1, bundles.size()).clear();
      empty.clear();
      bytes = 0;
    }
  }

  void releaseLater(ByteBuf buffer) {
    buffers.add(buffer);
    bytes += buffer.readableBytes();
  }

  /** How much it holds, in bytes of messages; what Java adds is two or three times as much. */
  long bytes() {
    return bytes;
  }
}
