package io.galop.letter;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Of a record that failed several times only the last failure counts.
 *
 * <p>Attempt n of a record is {@code <id>~<n>}, so that it is not taken for the one that failed;
 * however often it is sent, it is the same record. Publishers may have such ids of their own. So a
 * letter of {@code x~2} is an attempt of {@code x} only if a letter of {@code x} was read, of the
 * same topic and event time, which attempts keep; else its next attempt is {@code x~2~1}. For one
 * thread.
 */
public final class LatestLetters {
  private static final Pattern ATTEMPT = Pattern.compile("(.*\t[^\t]+)~([1-9]\\d{0,8})");

  private final Map<String, DeadLetterLine> letters = new LinkedHashMap<>();
  private final Set<String> read = new HashSet<>();

  /** Of each record; null: to be found again. */
  private @Nullable Map<String, DeadLetterLine> last;

  /**
   * What is sent in again.
   *
   * @param record names the record: its topic, event time and first id
   * @param letter of its last failure
   * @param id of its next attempt
   */
  public record Attempt(String record, DeadLetterLine letter, String id) {
    /** The topic of the record. */
    public String topic() {
      return letter.topic();
    }

    /** The original as a line for a door, byte for byte but for its id. */
    public String toLine() {
      return letter.toLine(id);
    }

    /**
     * The same with other data.
     *
     * @param mended a JSON object, which may have several lines
     * @throws IllegalArgumentException saying what is wrong with it, and where
     */
    public String toMendedLine(String mended) {
      return letter.toMendedLine(id, mended);
    }
  }

  private static String name(DeadLetterLine letter) {
    return letter.topic() + '\t' + letter.timeUs() + '\t' + letter.doorId();
  }

  /** One more; of the same attempt the first stays. */
  public void add(DeadLetterLine letter) {
    String name = name(letter);
    letters.putIfAbsent(name, letter);
    read.add(name);
    last = null;
  }

  /** The attempts that led to a letter; the record is the first. */
  private List<String> attempts(String name) {
    Deque<String> attempts = new ArrayDeque<>(List.of(name));
    for (Optional<String> at = before(name); at.isPresent(); at = before(at.get())) {
      attempts.addFirst(at.get());
    }
    return new ArrayList<>(attempts);
  }

  private Optional<String> before(String name) {
    Matcher attempt = ATTEMPT.matcher(name);
    return attempt.matches() && read.contains(attempt.group(1))
        ? Optional.of(attempt.group(1))
        : Optional.empty();
  }

  private DeadLetterLine later(DeadLetterLine a, DeadLetterLine b) {
    List<String> before = attempts(name(a));
    List<String> after = attempts(name(b));
    for (int i = 1; i < Math.min(before.size(), after.size()); i++) {
      int order = Integer.compare(number(before.get(i)), number(after.get(i)));
      if (order != 0) {
        return order > 0 ? a : b;
      }
    }
    return before.size() >= after.size() ? a : b;
  }

  private static int number(String name) {
    return Integer.parseInt(name.substring(name.lastIndexOf('~') + 1));
  }

  private Map<String, DeadLetterLine> last() {
    Map<String, DeadLetterLine> known = last;
    if (known == null) {
      known = new LinkedHashMap<>();
      for (Map.Entry<String, DeadLetterLine> one : letters.entrySet()) {
        known.merge(attempts(one.getKey()).get(0), one.getValue(), this::later);
      }
      last = known;
    }
    return known;
  }

  /** What is sent for the record that a letter is about. */
  public Attempt next(DeadLetterLine letter) {
    String record = attempts(name(letter)).get(0);
    return next(record, Objects.requireNonNullElse(last().get(record), letter));
  }

  private Attempt next(String record, DeadLetterLine letter) {
    String id = letter.doorId();
    boolean isAttempt = before(name(letter)).isPresent();
    String next =
        isAttempt ? id.substring(0, id.lastIndexOf('~') + 1) + (number(id) + 1) : id + "~1";
    return new Attempt(record, letter, next);
  }

  /** Whether it may be an attempt of a record whose letter was not read. */
  public boolean isUncertain(DeadLetterLine letter) {
    return ATTEMPT.matcher(attempts(name(letter)).get(0)).matches();
  }

  /** What is sent for each record, in the order in which the records came. */
  public Collection<Attempt> all() {
    List<Attempt> all = new ArrayList<>();
    last().forEach((record, letter) -> all.add(next(record, letter)));
    return all;
  }

  /** How many letters there are, of each attempt one. */
  public int size() {
    return letters.size();
  }

  /** Forgets them, but not that they were read. */
  public void clear() {
    letters.clear();
    last = null;
  }
}
