package io.galop.record;

import java.security.SecureRandom;

/**
 * A 128-bit hash of an id under a key drawn once per process, so that nobody outside can make two
 * ids collide. Holds its result, to allocate nothing; never both halves zero.
 */
final class IdHash {
  private static final long KEY_HIGH;
  private static final long KEY_LOW;

  static {
    SecureRandom random = new SecureRandom();
    KEY_HIGH = random.nextLong();
    KEY_LOW = random.nextLong();
  }

  private long high;
  private long low;

  void of(String id) {
    long a = KEY_HIGH;
    long b = KEY_LOW;
    int length = id.length();
    for (int i = 0; i < length; i++) {
      long c = id.charAt(i);
      a = (a ^ c) * 0x9fb21c651e98df25L;
      a ^= a >>> 32;
      b = Long.rotateLeft(b + c, 23) * 0xd6e8feb86659fd93L;
      b ^= b >>> 29;
    }
    high = finish(a + Long.rotateLeft(b, 32) + length);
    low = finish(b ^ high) | (high == 0 ? 1 : 0);
  }

  /** The finisher of SplitMix64 (Steele, Lea and Flood, 2014). */
  private static long finish(long x) {
    long mixed = (x ^ (x >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
  }

  long high() {
    return high;
  }

  long low() {
    return low;
  }
}
