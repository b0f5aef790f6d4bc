package io.galop.broadcast.write;

import io.galop.broadcast.deflate.FrameDeflater;
import io.galop.broadcast.sockjs.Frame;
import io.galop.broadcast.sockjs.Frames;
import io.galop.broadcast.sockjs.Framing;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.IdentityHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Frames that go out together, in their order. Subscribers of an event loop that are sent the same
 * frames within a tick share one Bundle, and its bytes: whoever adds the same frame to the same
 * Bundle gets the same Bundle. So what is joined is joined once per distinct set of filters,
 * without anybody knowing the sets.
 */
final class Bundle implements Frames {
  private static final int FRAMINGS = Framing.values().length;

  private final Tick tick;
  private final int number;

  /** The frames before the last; null of the empty Bundle, as that is. */
  private final @Nullable Bundle before;

  private final @Nullable Frame last;
  private final int count;
  private final int records;
  private final int size;
  private @Nullable Bundle newest;
  private @Nullable Map<Frame, Bundle> others;

  /** Null while nobody has asked for bytes: most have others added before. */
  private ByteBuf @Nullable [] encoded;

  /** Null while nobody has asked for compressed bytes. */
  private ByteBuf @Nullable [] deflated;

  /** See {@link #areTaken}; null until the first asks. */
  private @Nullable Boolean isTakenByThree;

  private @Nullable Boolean isTakenByFive;

  private Bundle(Tick tick, @Nullable Bundle before, @Nullable Frame last) {
    this.tick = tick;
    this.number = tick.number(this, last == null ? 0 : last.size());
    this.before = before;
    this.last = last;
    this.count = before == null ? 0 : before.count + 1;
    this.records = before == null || last == null ? 0 : before.records + last.records();
    this.size = before == null || last == null ? 0 : before.size + last.size();
  }

  static Bundle empty(Tick tick) {
    return new Bundle(tick, null, null);
  }

  /** These frames and one more. */
  Bundle with(Frame frame) {
    Bundle next = newest;
    if (next == null) {
      next = new Bundle(tick, this, frame);
      newest = next;
    } else if (next.last != frame) {
      return other(frame);
    }
    return next;
  }

  private Bundle other(Frame frame) {
    Map<Frame, Bundle> known = others;
    if (known == null) {
      known = new IdentityHashMap<>();
      others = known;
    }
    return known.computeIfAbsent(frame, next -> new Bundle(tick, this, next));
  }

  /** By which the {@link Pulse} finds it. */
  int number() {
    return number;
  }

  /** How many of the frames carry a record. */
  @Override
  public int records() {
    return records;
  }

  /** What the frames count for in an outbox. */
  @Override
  public int size() {
    return size;
  }

  /** The frames. */
  @Override
  public Frame[] frames() {
    Frame[] frames = new Frame[count];
    int at = count;
    for (Bundle each = this; each != null && each.last != null; each = each.before) {
      frames[--at] = each.last;
    }
    return frames;
  }

  /** Looked at once, whoever asks: not at each frame for each client. */
  @Override
  public boolean areTaken(boolean isFive) {
    Boolean known = isFive ? isTakenByFive : isTakenByThree;
    if (known == null) {
      known = Frames.super.areTaken(isFive);
      if (isFive) {
        isTakenByFive = known;
      } else {
        isTakenByThree = known;
      }
    }
    return known;
  }

  /** The bytes for a websocket; released when nobody of the tick needs them any more. */
  @Override
  public ByteBuf encoded(Framing framing, ByteBufAllocator allocator) {
    ByteBuf[] all = encoded;
    if (all == null) {
      all = new ByteBuf[FRAMINGS];
      encoded = all;
    }
    ByteBuf bytes = all[framing.ordinal()];
    if (bytes == null) {
      bytes = framing.encode(frames(), allocator);
      all[framing.ordinal()] = bytes;
      tick.releaseLater(bytes);
    }
    return bytes;
  }

  /** Compressed when the first asks who can read that; released with the others. */
  @Override
  public ByteBuf deflated(Framing framing, FrameDeflater deflater, ByteBufAllocator allocator) {
    ByteBuf[] all = deflated;
    if (all == null) {
      all = new ByteBuf[FRAMINGS];
      deflated = all;
    }
    ByteBuf bytes = all[framing.ordinal()];
    if (bytes == null) {
      bytes = deflater.deflated(encoded(framing, allocator), allocator);
      all[framing.ordinal()] = bytes;
      tick.releaseLater(bytes);
    }
    return bytes;
  }

  /** The outbox that has filled it no longer needs it. */
  void letGo() {
    tick.letGo();
  }

  /** Forgets what was added to it. */
  void clear() {
    newest = null;
    others = null;
  }
}
