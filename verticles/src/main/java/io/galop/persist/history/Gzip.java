package io.galop.persist.history;

import io.vertx.core.buffer.Buffer;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/**
 * Compresses an answer piece by piece (RFC 1952), fast rather than small. Holds memory outside of
 * the heap until the last piece or {@link #close}, which may come more than once. On one thread at
 * a time.
 */
final class Gzip implements AutoCloseable {
  private static final byte[] HEAD = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 4, (byte) 0xff};
  private static final int SPARE_BYTES = 64;

  private final Deflater deflater = new Deflater(Deflater.BEST_SPEED, true);
  private final CRC32 sum = new CRC32();
  private boolean hasBegun;
  private boolean isClosed;

  /**
   * The next piece; it may be empty.
   *
   * @param isLast after which there is none
   */
  Buffer next(byte[] bytes, boolean isLast) {
    Buffer piece = Buffer.buffer(SPARE_BYTES + bytes.length / 4);
    if (isClosed) {
      return piece;
    }
    if (!hasBegun) {
      hasBegun = true;
      piece.appendBytes(HEAD);
    }
    sum.update(bytes);
    deflater.setInput(bytes);
    if (isLast) {
      deflater.finish();
    }
    byte[] room = new byte[SPARE_BYTES + bytes.length / 4];
    while (isLast ? !deflater.finished() : !deflater.needsInput()) {
      piece.appendBytes(room, 0, deflater.deflate(room));
    }
    if (isLast) {
      piece.appendIntLE((int) sum.getValue()).appendIntLE(deflater.getTotalIn());
      close();
    }
    return piece;
  }

  boolean isClosed() {
    return isClosed;
  }

  @Override
  public void close() {
    isClosed = true;
    deflater.end();
  }
}
