package io.galop.ingest.http;

/**
 * The header of a gzip member (RFC 1952, 2.3): ten bytes, then as the flags say an extra field with
 * its length, a name and a comment that end with zero, and two bytes of checksum.
 */
final class GzipHeader {
  private static final int FIXED_BYTES = 10;
  private static final int[] START = {0x1f, 0x8b, 8};
  private static final int CHECKSUM = 2;
  private static final int EXTRA = 4;
  private static final int NAME = 8;
  private static final int COMMENT = 16;
  private static final int UNKNOWN = 0xe0;

  private int count;
  private int flags;
  private int extraLeft = -2;
  private int extraLength;
  private int checksumLeft = 2;
  private boolean wrong;

  boolean isWrong() {
    return wrong;
  }

  boolean isDone() {
    return count >= FIXED_BYTES && (flags & (EXTRA | NAME | COMMENT | CHECKSUM)) == 0;
  }

  /** Takes bytes from {@code at} on; the index of the first that is not the header's. */
  int take(byte[] bytes, int at) {
    while (at < bytes.length && !isDone() && !wrong) {
      int b = bytes[at++] & 0xff;
      if (count < FIXED_BYTES) {
        fixed(b);
      } else {
        optional(b);
      }
    }
    return at;
  }

  private void fixed(int b) {
    if (count < START.length) {
      wrong = b != START[count];
    } else if (count == START.length) {
      flags = b;
      wrong = (b & UNKNOWN) != 0;
    }
    count++;
  }

  private void optional(int b) {
    if ((flags & EXTRA) != 0) {
      extra(b);
    } else if ((flags & NAME) != 0) {
      flags &= b == 0 ? ~NAME : ~0;
    } else if ((flags & COMMENT) != 0) {
      flags &= b == 0 ? ~COMMENT : ~0;
    } else if (--checksumLeft == 0) {
      flags &= ~CHECKSUM;
    }
  }

  private void extra(int b) {
    if (extraLeft < 0) {
      extraLength |= b << (extraLeft + 2) * 8;
      if (++extraLeft == 0) {
        extraLeft = extraLength;
      }
    } else {
      extraLeft--;
    }
    if (extraLeft == 0) {
      flags &= ~EXTRA;
    }
  }
}
