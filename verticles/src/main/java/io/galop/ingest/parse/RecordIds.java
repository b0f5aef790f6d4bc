package io.galop.ingest.parse;

import io.galop.record.Topic;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;

/**
 * Ids for records whose sender gave none: 62 random bits, new for every start of every event loop,
 * then a counter. So none is used twice, but a record that its sender repeats gets another one.
 */
public final class RecordIds {
  private static final int RADIX = 36;

  /** The last id in ASCII: the counter is counted on in its digits, which costs no text but one. */
  private byte[] last =
      (Long.toString(new SecureRandom().nextLong() >>> 2, RADIX) + "-0")
          .getBytes(StandardCharsets.US_ASCII);

  public String next() {
    int at = last.length - 1;
    while (last[at] == 'z') {
      last[at--] = '0';
    }
    if (last[at] == '-') {
      last = Arrays.copyOf(last, last.length + 1);
      last[last.length - 1] = '0';
      last[at + 1] = '1';
    } else {
      last[at] = (byte) (last[at] == '9' ? 'a' : last[at] + 1);
    }
    return new String(last, StandardCharsets.ISO_8859_1);
  }

  /** The rule that a sender's id breaks, in words; empty if it is good. */
  static String wrong(String id, int maxBytes) {
    boolean ascii = true;
    for (int i = 0; i < id.length(); i++) {
      char c = id.charAt(i);
      if (c == '#') {
        return "holds '#', which marks records derived from others";
      }
      if (Character.isISOControl(c)) {
        return "holds a control character";
      }
      if (c >= Character.MIN_HIGH_SURROGATE && Topic.isNoncharacter(id.codePointAt(i))) {
        return "holds a noncharacter";
      }
      ascii &= c < 0x80;
    }
    if (!ascii && JsonText.isBroken(id)) {
      return "holds half a character";
    }
    int bytes = ascii ? id.length() : id.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > maxBytes) {
      return "is longer than the " + maxBytes + " bytes of ingest.limits.maxIdBytes";
    }
    return bytes == 0 ? "is empty" : "";
  }
}
