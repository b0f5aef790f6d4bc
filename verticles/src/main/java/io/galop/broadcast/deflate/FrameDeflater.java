package io.galop.broadcast.deflate;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.zip.Deflater;

/**
 * Compresses frames of a server's websocket, each by itself (RFC 7692, 7.2.1): whoever has
 * negotiated it can read any of them, whatever it was sent before. For the connections of one event
 * loop, and on that loop.
 *
 * <p>It takes a quarter of the loop's time at most. Beyond, frames stay as they are: what is shared
 * by many takes far less, what each viewer is sent for itself, as a snapshot, could take it all.
 */
public final class FrameDeflater {
  /** What is shorter hardly shrinks. */
  static final int LEAST_BYTES = 256;

  /** Higher levels take more time for the same few bytes: see docs/performance.md. */
  static final int LEVEL = 3;

  private static final int SHARE_OF_TIME = 4;
  private static final long MOST_SAVED_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** Larger ones come seldom, and are not kept. */
  private static final int MOST_KEPT_BYTES = 64 * 1024;

  private static final int COMPRESSED = 0x40;
  private static final int LENGTH_IN_2_BYTES = 126;
  private static final int LENGTH_IN_8_BYTES = 127;

  /** What a flush ends with, {@code 00 00 ff ff}, is not sent. */
  private static final int TAIL_BYTES = 4;

  private final DeflateMeters meters;
  private final LongSupplier clock;
  private final Deflater deflater;
  private byte[] scratch = new byte[0];
  private long savedNanos = MOST_SAVED_NANOS;
  private long lookedNanos;
  private boolean isEnded;

  FrameDeflater(DeflateMeters meters, int level, LongSupplier clock) {
    this.meters = meters;
    this.clock = clock;
    this.deflater = new Deflater(level, true);
    this.lookedNanos = clock.getAsLong();
  }

  /**
   * The same messages, those compressed that get shorter by it. The result has one reference more,
   * which is the caller's; it may be the same buffer.
   *
   * @param frames whole ones, each the only one of its message, without a mask
   */
  public ByteBuf deflated(ByteBuf frames, ByteBufAllocator allocator) {
    if (frames.readableBytes() < LEAST_BYTES || isEnded) {
      return frames.retain();
    }
    long begin = clock.getAsLong();
    long earned = (begin - lookedNanos) / SHARE_OF_TIME;
    savedNanos = Math.min(MOST_SAVED_NANOS, savedNanos + earned);
    lookedNanos = begin;
    if (savedNanos <= 0) {
      meters.late();
      return frames.retain();
    }
    ByteBuf shorter = allocator.directBuffer(frames.readableBytes());
    try {
      writeAll(frames, shorter);
      if (shorter.readableBytes() < frames.readableBytes()) {
        // A slow connection keeps it for long: no more than it needs.
        return shorter.capacity(shorter.readableBytes()).retain();
      }
      return frames.retain();
    } finally {
      shorter.release();
      scratch = scratch.length > MOST_KEPT_BYTES ? new byte[0] : scratch;
      savedNanos -= clock.getAsLong() - begin;
    }
  }

  private void writeAll(ByteBuf frames, ByteBuf to) {
    int at = frames.readerIndex();
    while (at < frames.writerIndex()) {
      int begin = at;
      int shortLength = frames.getByte(at + 1);
      int length;
      switch (shortLength) {
        case LENGTH_IN_2_BYTES -> {
          length = frames.getUnsignedShort(at + 2);
          at += 2 + Short.BYTES;
        }
        case LENGTH_IN_8_BYTES -> {
          length = (int) frames.getLong(at + 2);
          at += 2 + Long.BYTES;
        }
        default -> {
          length = shortLength;
          at += 2;
        }
      }
      int size = length < LEAST_BYTES ? length : deflate(frames, at, length);
      if (size < length) {
        header(to, frames.getByte(begin) | COMPRESSED, size).writeBytes(scratch, 0, size);
        meters.compressed(at + length - begin, 2 + extraBytes(size) + size);
      } else {
        to.writeBytes(frames, begin, at + length - begin);
      }
      at += length;
    }
  }

  /** Fills the scratch; returns the size, or the length if it does not get shorter. */
  private int deflate(ByteBuf from, int at, int length) {
    int room = length + TAIL_BYTES;
    byte[] to = scratch.length < room ? new byte[room] : scratch;
    scratch = to;
    try {
      deflater.setInput(from.nioBuffer(at, length));
      // What fills all the room may have more to come; and is not shorter.
      return deflater.deflate(to, 0, room, Deflater.SYNC_FLUSH) - TAIL_BYTES;
    } finally {
      deflater.reset();
    }
  }

  private static int extraBytes(int length) {
    if (length < LENGTH_IN_2_BYTES) {
      return 0;
    }
    return length <= 0xffff ? Short.BYTES : Long.BYTES;
  }

  private static ByteBuf header(ByteBuf to, int flags, int length) {
    to.writeByte(flags);
    return switch (extraBytes(length)) {
      case 0 -> to.writeByte(length);
      case Short.BYTES -> to.writeByte(LENGTH_IN_2_BYTES).writeShort(length);
      default -> to.writeByte(LENGTH_IN_8_BYTES).writeLong(length);
    };
  }

  /** Gives back its memory; what comes then stays as it is. */
  void end() {
    isEnded = true;
    deflater.end();
  }
}
