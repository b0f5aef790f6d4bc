package io.galop.loadtest.client;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;

/** Cuts a body, which comes in pieces of any size, into lines. */
final class Lines {
  /** Is given each line, without its end. */
  interface Reader {
    void onLine(ByteBuf in, int start, int length);
  }

  private final Reader reader;
  private @Nullable ByteBuf rest;

  Lines(Reader reader) {
    this.reader = reader;
  }

  void read(ByteBuf in, int length) {
    if (rest != null) {
      rest.writeBytes(in, length);
      int left = split(rest);
      if (left == 0) {
        release();
      } else {
        rest.readerIndex(rest.writerIndex() - left).discardSomeReadBytes();
      }
      return;
    }
    int left = split(in.slice(in.readerIndex(), length));
    if (left > 0) {
      rest = Unpooled.buffer(Math.max(512, 2 * left));
      rest.writeBytes(in, in.readerIndex() + length - left, left);
    }
  }

  /** Returns how much is left after the last line. */
  private int split(ByteBuf in) {
    int from = in.readerIndex();
    int to = in.writerIndex();
    for (int end = in.indexOf(from, to, (byte) '\n');
        end >= 0;
        end = from < to ? in.indexOf(from, to, (byte) '\n') : -1) {
      reader.onLine(in, from, end - from);
      from = end + 1;
    }
    return to - from;
  }

  void release() {
    if (rest != null) {
      rest.release();
      rest = null;
    }
  }
}
