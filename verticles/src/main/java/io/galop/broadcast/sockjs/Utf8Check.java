package io.galop.broadcast.sockjs;

/**
 * Whether bytes that come in parts are UTF-8 (RFC 3629, 4), known at the first byte that cannot
 * belong to it. Netty's check is not to be had without its frames.
 */
final class Utf8Check {
  /** How many bytes of the current character are still to come. */
  private int missing;

  /** What the next of them may be; other than 0x80 to 0xbf only for a second byte. */
  private int least = 0x80;

  private int most = 0xbf;

  void reset() {
    missing = 0;
    least = 0x80;
    most = 0xbf;
  }

  /** Whether the bytes, after those before, may still become UTF-8. */
  boolean accepts(byte[] bytes) {
    for (byte each : bytes) {
      if ((each < 0 || missing > 0) && !accepts(each & 0xff)) {
        return false;
      }
    }
    return true;
  }

  /** Whether the last character is whole. */
  boolean isComplete() {
    return missing == 0;
  }

  private boolean accepts(int next) {
    if (missing == 0) {
      return begins(next);
    }
    boolean isGood = next >= least && next <= most;
    missing--;
    least = 0x80;
    most = 0xbf;
    return isGood;
  }

  /** No overlong forms, no surrogates, nothing above U+10FFFF. */
  private boolean begins(int first) {
    if (first < 0xc2 || first > 0xf4) {
      return false;
    }
    missing = first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
    least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    return true;
  }
}
