package io.galop.yaml;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How constants, keys and numbers are spelled outside the program. */
public final class Words {
  /** From here on a double cannot tell each whole number from the next. */
  private static final double LARGEST_EXACT = 1L << 53;

  private Words() {}

  /** {@code READ_ONLY} is written {@code read-only}, unless it has a {@link Word} of its own. */
  public static String of(Enum<?> constant) {
    try {
      Word own = constant.getDeclaringClass().getField(constant.name()).getAnnotation(Word.class);
      return own == null ? word(constant) : own.value();
    } catch (NoSuchFieldException e) {
      throw new IllegalStateException(constant + " is no constant", e);
    }
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public static List<String> ofAll(Class<?> enumType) {
    return Arrays.stream(enumType.getEnumConstants()).map(c -> of((Enum<?>) c)).toList();
  }

  /**
   * {@code ingest.limits.maxDataBytes} is the variable {@code GALOP_INGEST_LIMITS_MAX_DATA_BYTES}.
   */
  public static String variable(String dottedPath) {
    String parted = dottedPath.replaceAll("([a-z0-9])([A-Z])", "$1_$2").replace('.', '_');
    return "GALOP_" + parted.toUpperCase(Locale.ROOT);
  }

  /** Without a point where it is whole. */
  static String number(double value) {
    return value == Math.rint(value) && Math.abs(value) < LARGEST_EXACT
        ? Long.toString((long) value)
        : Double.toString(value);
  }

  /** {@code a, b or c}. */
  public static String oneOf(List<String> words) {
    int last = words.size() - 1;
    if (last < 1) {
      return String.join("", words);
    }
    return String.join(", ", words.subList(0, last)) + " or " + words.get(last);
  }

  /** {@code ; did you mean 'port'?}, or nothing where no known word is near. */
  public static String didYouMean(String given, Iterable<String> known) {
    @Nullable String nearest = null;
    int least = 1 + Math.max(1, given.length() / 3);
    for (String word : known) {
      int distance = distance(given.toLowerCase(Locale.ROOT), word.toLowerCase(Locale.ROOT));
      if (distance < least) {
        least = distance;
        nearest = word;
      }
    }
    return nearest == null ? "" : "; did you mean '" + nearest + "'?";
  }

  /** Edits (insert, delete, replace, swap two neighbours) from one word to the other. */
  private static int distance(String from, String to) {
    int[][] edits = new int[from.length() + 1][to.length() + 1];
    for (int i = 0; i <= from.length(); i++) {
      for (int j = 0; j <= to.length(); j++) {
        edits[i][j] = i == 0 || j == 0 ? i + j : cheapest(edits, from, to, i, j);
      }
    }
    return edits[from.length()][to.length()];
  }

  private static int cheapest(int[][] edits, String from, String to, int i, int j) {
    boolean same = from.charAt(i - 1) == to.charAt(j - 1);
    int edit = Math.min(edits[i - 1][j], edits[i][j - 1]) + 1;
    int least = Math.min(edit, edits[i - 1][j - 1] + (same ? 0 : 1));
    boolean swapped =
        i > 1
            && j > 1
            && from.charAt(i - 1) == to.charAt(j - 2)
            && from.charAt(i - 2) == to.charAt(j - 1);
    return swapped ? Math.min(least, edits[i - 2][j - 2] + 1) : least;
  }
}
