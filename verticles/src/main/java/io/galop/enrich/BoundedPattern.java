package io.galop.enrich;

import com.networknt.schema.regex.RegularExpression;
import com.networknt.schema.regex.RegularExpressions;
import java.util.regex.Pattern;

/**
 * A regular expression of a schema, by Java's rules. All of them together look so often at the
 * characters of what is checked and no more: one that goes back and forth in a text that somebody
 * has sent, or in thousands of short ones, would hold up the event loop for minutes. Immutable.
 */
final class BoundedPattern implements RegularExpression {
  /** Some milliseconds. */
  private static final int MOST_LOOKS = 1_000_000;

  /** One that looks at each character a few times may do so however long the text is. */
  private static final int LOOKS_A_CHARACTER = 16;

  /** How often what this thread checks may still be looked at. */
  private static final ThreadLocal<long[]> LEFT = ThreadLocal.withInitial(() -> new long[1]);

  private final Pattern pattern;

  /**
   * Compiles it.
   *
   * @throws java.util.regex.PatternSyntaxException if it is none
   */
  BoundedPattern(String text) {
    this.pattern =
        Pattern.compile(
            RegularExpressions.replaceLongformCharacterProperties(
                RegularExpressions.replaceDollarAnchors(text)));
  }

  /**
   * What this thread searches from now on is of another record, or schema.
   *
   * @param length of it, at least its characters
   */
  static void begin(int length) {
    LEFT.get()[0] = MOST_LOOKS + (long) LOOKS_A_CHARACTER * length;
  }

  @Override
  public boolean matches(String text) {
    return pattern.matcher(new Looked(text, pattern, LEFT.get())).find();
  }

  /** A text that counts how often it is looked at. For one search. */
  private static final class Looked implements CharSequence {
    private final String text;
    private final Pattern pattern;
    private final long[] left;

    Looked(String text, Pattern pattern, long[] left) {
      this.text = text;
      this.pattern = pattern;
      this.left = left;
    }

    @Override
    public char charAt(int index) {
      if (--left[0] < 0) {
        throw new IllegalStateException(
            "the pattern %s takes too long, with what was looked at before it".formatted(pattern));
      }
      return text.charAt(index);
    }

    @Override
    public int length() {
      return text.length();
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return text.subSequence(start, end);
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
