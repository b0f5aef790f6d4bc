package io.galop.broadcast.delta;

import io.galop.json.TextBytes;
import java.util.Arrays;

/**
 * Finds what is different between two texts in UTF-8 and writes it as text: one character that
 * tells the length of the result, then, for each place that differs, how much of the base is copied
 * before it, how much is inserted, how much of the base it replaces (unless as much), and what is
 * inserted. What is left of the base is copied. Lengths are in units of UTF-16, as JavaScript
 * counts them. Quotes and apostrophes are swapped in what is inserted, since most transports escape
 * quotes.
 *
 * <p>Knows nothing of JSON, so what comes out is the target to the byte. One pass over both texts;
 * its tables are kept, so each event loop has its own.
 */
public final class TextDelta {
  /** What is copied is as long as this at least; shorter takes more to say than to repeat. */
  private static final int GRAM = 4;

  /** Beyond it, all between what both begin and end with is one difference. */
  private static final int MOST_INDEXED = 1 << 14;

  private static final int MOST_TRIED = 16;
  private static final int FEWEST_PLACES = 64;
  private static final int NONE = -1;

  /** Where in the base four bytes stand first, by their hash; and where they stand next. */
  private int[] first = new int[512];

  private int[] next = new int[512];
  private int indexFrom;
  private int mask;

  private byte[] base = {};
  private byte[] target = {};
  private int baseEnd;
  private int targetEnd;

  /** Where both texts are the same again. */
  private int baseAgain;

  private int targetAgain;

  /**
   * Writes what makes the target of the base.
   *
   * @param from valid UTF-8, as the target is
   */
  public void write(byte[] from, byte[] to, TextBytes out) {
    base = from;
    target = to;
    DeltaDigits.writeRest(units(to, 0, to.length), out);
    int begin = commonBegin();
    cutCommonEnd(begin);
    boolean isIndexed = index(begin);
    int copied = 0;
    int b = begin;
    int t = begin;
    while (b < baseEnd || t < targetEnd) {
      if (!isIndexed || !findAgain(b, t)) {
        baseAgain = baseEnd;
        targetAgain = targetEnd;
      }
      writeDifference(copied, b, t, out);
      copied = baseAgain;
      int same = sameFrom(baseAgain, targetAgain);
      b = baseAgain + same;
      t = targetAgain + same;
    }
  }

  private int commonBegin() {
    int most = Math.min(base.length, target.length);
    int same = Arrays.mismatch(base, 0, most, target, 0, most);
    int at = same < 0 ? most : same;
    while (isInside(base, at) || isInside(target, at)) {
      at--;
    }
    return at;
  }

  private void cutCommonEnd(int begin) {
    baseEnd = base.length;
    targetEnd = target.length;
    while (baseEnd > begin && targetEnd > begin && base[baseEnd - 1] == target[targetEnd - 1]) {
      baseEnd--;
      targetEnd--;
    }
    while (isInside(base, baseEnd) || isInside(target, targetEnd)) {
      baseEnd++;
      targetEnd++;
    }
  }

  /** How many bytes are the same from two places on, in whole characters. */
  private int sameFrom(int b, int t) {
    int most = Math.min(baseEnd - b, targetEnd - t);
    int same = Arrays.mismatch(base, b, b + most, target, t, t + most);
    same = same < 0 ? most : same;
    while (isInside(base, b + same) || isInside(target, t + same)) {
      same--;
    }
    return same;
  }

  /** Whether a place is within a character. */
  private static boolean isInside(byte[] text, int at) {
    return at < text.length && (text[at] & 0xc0) == 0x80;
  }

  /** Notes where in the base is what; false if it is too long for that. */
  private boolean index(int begin) {
    int length = baseEnd - begin;
    if (length > MOST_INDEXED) {
      return false;
    }
    int size = Integer.highestOneBit(Math.max(length, FEWEST_PLACES)) << 1;
    if (size > next.length) {
      first = new int[size];
      next = new int[size];
    }
    indexFrom = begin;
    mask = size - 1;
    Arrays.fill(first, 0, size, NONE);
    for (int at = baseEnd - GRAM; at >= begin; at--) {
      int place = place(base, at);
      next[at - begin] = first[place];
      first[place] = at;
    }
    return true;
  }

  private static int gram(byte[] text, int at) {
    return text[at] & 0xff
        | (text[at + 1] & 0xff) << 8
        | (text[at + 2] & 0xff) << 16
        | text[at + 3] << 24;
  }

  private int place(byte[] text, int at) {
    int hash = gram(text, at) * 0x9e3779b1;
    return hash >>> 15 & mask;
  }

  /** Looks for the nearest places from which both texts are the same again. */
  private boolean findAgain(int b, int t) {
    int best = Integer.MAX_VALUE;
    for (int at = t; at + GRAM <= targetEnd && at - t < best; at++) {
      int found = isInside(target, at) ? NONE : nearest(at, b);
      if (found != NONE && at - t + found - b < best) {
        best = at - t + found - b;
        baseAgain = found;
        targetAgain = at;
      }
    }
    return best < Integer.MAX_VALUE;
  }

  /** Where in the base, not before a place, the next four bytes of the target stand. */
  private int nearest(int inTarget, int notBefore) {
    int place = place(target, inTarget);
    while (first[place] != NONE && first[place] < notBefore) {
      first[place] = next[first[place] - indexFrom];
    }
    int wanted = gram(target, inTarget);
    int at = first[place];
    for (int tried = 0; at != NONE && tried < MOST_TRIED; tried++) {
      if (gram(base, at) == wanted) {
        return at;
      }
      at = next[at - indexFrom];
    }
    return NONE;
  }

  private void writeDifference(int copied, int b, int t, TextBytes out) {
    int inserted = units(target, t, targetAgain);
    int replaced = units(base, b, baseAgain);
    DeltaDigits.write(units(base, copied, b), out);
    if (inserted == replaced) {
      DeltaDigits.write(inserted << 1, out);
    } else {
      DeltaDigits.write(inserted << 1 | 1, out);
      DeltaDigits.write(replaced, out);
    }
    for (int at = t; at < targetAgain; at++) {
      out.add((char) swapped(target[at]));
    }
  }

  private static byte swapped(byte b) {
    return b == '"' ? (byte) '\'' : b == '\'' ? (byte) '"' : b;
  }

  /** How long a part of a text is in UTF-16. */
  private static int units(byte[] text, int from, int to) {
    int units = 0;
    for (int at = from; at < to; at++) {
      byte b = text[at];
      if (b >= 0 || (b & 0xc0) == 0xc0) {
        units += (b & 0xf8) == 0xf0 ? 2 : 1;
      }
    }
    return units;
  }
}
