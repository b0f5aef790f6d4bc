package io.galop.record;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;

/**
 * Ids of records that were made of others.
 *
 * <pre>
 * abc#2             the second record made of abc, on the topic of abc
 * abc#2@Zk3_x81LmQ  the same on another topic: behind the @ stands a mark of the topic of abc
 * abc#2#1           the first record made of abc#2
 * </pre>
 *
 * <p>An id belongs to a topic. So two topics may have a record abc each, and both may make a record
 * of one third topic; the mark keeps these two apart. It is 60 bits of the topic's SHA-256: nobody
 * finds a topic of the same mark to have a stranger's record taken for a known one. A mark is given
 * once, where the topic changes first, so it always is that of the raw record.
 */
public final class DerivedId {
  private static final char STEP = '#';
  private static final char ORIGIN = '@';
  private static final int MARK_CHARACTERS = 10;
  private static final int HASHED_BYTES = 9;
  private static final int CACHED = 1024;

  /**
   * Marks made lately, a place for each value of a hash. Any thread may read and write: an entry is
   * immutable, and one that another thread does not see costs a hash and nothing else.
   */
  private static final Cached[] CACHE = new Cached[CACHED];

  private record Cached(String topic, String mark) {}

  private DerivedId() {}

  /** The id of the {@code n}th record that a step makes of another. */
  public static String of(Record from, int n, String topic) {
    return of(from, Integer.toString(n), topic);
  }

  /** The id of a record that is made of another, by a word of the step. */
  public static String of(Record from, String word, String topic) {
    String id = from.id() + STEP + word;
    boolean isMarked = topic.equals(from.topic()) || originAt(from.id()) > 0;
    return isMarked ? id : id + ORIGIN + mark(from.topic());
  }

  /** The id of the record that came in by a door; doors refuse '#'. */
  public static String raw(String id) {
    int step = id.indexOf(STEP);
    return step < 0 ? id : id.substring(0, step);
  }

  /** Whether an id is another one, or that of a record that was made of the other's. */
  public static boolean isOf(String id, String other) {
    if (!id.startsWith(other)) {
      return false;
    }
    char next = id.length() == other.length() ? STEP : id.charAt(other.length());
    return next == STEP || next == ORIGIN && other.indexOf(STEP) >= 0;
  }

  /** The id without the mark of its origin. */
  public static String plain(String id) {
    int at = originAt(id);
    return at < 0 ? id : id.substring(0, at) + id.substring(at + 1 + MARK_CHARACTERS);
  }

  /** The mark of the topic on which the record that it was made of came in. */
  public static String origin(Record record) {
    int at = originAt(record.id());
    return at < 0 ? mark(record.topic()) : record.id().substring(at + 1, at + 1 + MARK_CHARACTERS);
  }

  private static int originAt(String id) {
    int step = id.indexOf(STEP);
    int at = step < 0 ? -1 : id.indexOf(ORIGIN, step);
    return at + MARK_CHARACTERS < id.length() ? at : -1;
  }

  private static String mark(String topic) {
    int place = topic.hashCode() & CACHED - 1;
    Cached known = CACHE[place];
    if (known == null || !known.topic().equals(topic)) {
      known = new Cached(topic, hash(topic));
      CACHE[place] = known;
    }
    return known.mark();
  }

  private static String hash(String topic) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(topic.getBytes(StandardCharsets.UTF_8));
      byte[] first = Arrays.copyOf(hash, HASHED_BYTES);
      return Base64.getUrlEncoder().encodeToString(first).substring(0, MARK_CHARACTERS);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
