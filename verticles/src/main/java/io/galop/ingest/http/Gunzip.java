package io.galop.ingest.http;

import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Unpacks gzip (RFC 1952) that comes in pieces, one small buffer at a time, and stops as soon as it
 * becomes larger than allowed: a packed body must not take more memory than an open one.
 */
final class Gunzip implements AutoCloseable {
  /** Where the unpacked bytes go. */
  interface Output {
    void take(byte[] bytes, int from, int to);
  }

  /** How it stands after a piece. */
  enum State {
    GOOD,
    NOT_GZIP,
    TOO_LARGE
  }

  private static final int TRAILER_BYTES = 8;

  /** Small bodies may well be packed better than any honest large one. */
  private static final int RATIO_FREE_BYTES = 65_536;

  private final long maxBytes;
  private final int maxRatio;
  private final Inflater inflater = new Inflater(true);
  private final CRC32 crc = new CRC32();
  private final byte[] unpacked = new byte[16_384];
  private GzipHeader header = new GzipHeader();
  private int trailerBytes = TRAILER_BYTES;
  private long trailer;
  private long in;
  private long out;
  private boolean anything;

  Gunzip(long maxBytes, int maxRatio) {
    this.maxBytes = maxBytes;
    this.maxRatio = maxRatio;
  }

  /** Takes the next piece and hands on what it unpacks to. */
  State take(byte[] bytes, Output output) {
    in += bytes.length;
    int at = 0;
    State state = State.GOOD;
    while (at < bytes.length && state == State.GOOD) {
      anything = true;
      if (!header.isDone()) {
        at = header.take(bytes, at);
        state = header.isWrong() ? State.NOT_GZIP : State.GOOD;
      } else if (!inflater.finished()) {
        inflater.setInput(bytes, at, bytes.length - at);
        state = inflate(output);
        at = bytes.length - inflater.getRemaining();
      } else {
        at = trailer(bytes, at);
        state = trailerBytes > 0 || endsWell() ? State.GOOD : State.NOT_GZIP;
      }
    }
    return state;
  }

  private State inflate(Output output) {
    try {
      int length = inflater.inflate(unpacked);
      while (length > 0) {
        out += length;
        if (out > maxBytes || out > RATIO_FREE_BYTES && out / maxRatio > in) {
          return State.TOO_LARGE;
        }
        crc.update(unpacked, 0, length);
        output.take(unpacked, 0, length);
        length = inflater.inflate(unpacked);
      }
      return inflater.needsDictionary() ? State.NOT_GZIP : State.GOOD;
    } catch (DataFormatException e) {
      return State.NOT_GZIP;
    }
  }

  /** CRC-32 and length, four bytes each, the lowest first. */
  private int trailer(byte[] bytes, int at) {
    while (at < bytes.length && trailerBytes > 0) {
      trailer |= (bytes[at++] & 0xffL) << (TRAILER_BYTES - trailerBytes) * 8;
      trailerBytes--;
    }
    return at;
  }

  /** Checks one member, and makes ready for another: a gzip file may be several in a row. */
  private boolean endsWell() {
    long expected = inflater.getBytesWritten() << 32 | crc.getValue();
    boolean good = trailer == expected;
    header = new GzipHeader();
    inflater.reset();
    crc.reset();
    trailerBytes = TRAILER_BYTES;
    trailer = 0;
    anything = false;
    return good;
  }

  /** Whether what has been taken ends where a member does. */
  boolean isWhole() {
    return in > 0 && !anything;
  }

  @Override
  public void close() {
    inflater.end();
  }
}
