package io.galop.record;

import java.security.SecureRandom;

/**
 * A 128-bit hash of a topic and an id of it under a key drawn once per process, so that nobody
 * outside can make two of them collide. Holds its result, to allocate nothing; never both halves
 * zero.
 */
final class IdHash {
  private static final long KEY_HIGH;
  private static final long KEY_LOW;

  static {
    SecureRandom random = new SecureRandom();
    KEY_HIGH = random.nextLong();
    KEY_LOW = random.nextLong();
  }

  private long a;
  private long b;
  private long high;
  private long low;

  void of(String topic, String id) {
    a = KEY_HIGH;
    b = KEY_LOW;
    mix(topic);
    mix(id);
    long lengths = (long) topic.length() << 32 | id.length();
    high = finish(a + Long.rotateLeft(b, 32) + lengths);
    low = finish(b ^ high) | (high == 0 ? 1 : 0);
  }

  /** Four characters at a time; the lengths, which come last, tell where one text ended. */
  private void mix(String text) {
    long first = a;
    long second = b;
    int length = text.length();
    int at = 0;
    for (; at + 4 <= length; at += 4) {
      long c =
          text.charAt(at)
              | (long) text.charAt(at + 1) << 16
              | (long) text.charAt(at + 2) << 32
              | (long) text.charAt(at + 3) << 48;
      first = (first ^ c) * 0x9fb21c651e98df25L;
      first ^= first >>> 32;
      second = Long.rotateLeft(second + c, 23) * 0xd6e8feb86659fd93L;
      second ^= second >>> 29;
    }
    if (at < length) {
      long c = 0;
      for (int i = at; i < length; i++) {
        c = c << 16 | text.charAt(i);
      }
      first = (first ^ c) * 0x9fb21c651e98df25L;
      first ^= first >>> 32;
      second = Long.rotateLeft(second + c, 23) * 0xd6e8feb86659fd93L;
      second ^= second >>> 29;
    }
    a = first;
    b = second;
  }

  /** The finisher of SplitMix64 (Steele, Lea and Flood, 2014). */
  static long finish(long x) {
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
