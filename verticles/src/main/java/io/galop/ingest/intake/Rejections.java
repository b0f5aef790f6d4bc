package io.galop.ingest.intake;

import io.galop.record.Reason;
import io.galop.record.Rejection;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What was refused of one submission: all are counted, the first ones kept. */
public class Rejections {
  /** A sender that has so many refused has one mistake, not many; the list must stay bounded. */
  public static final int LISTED = 1000;

  private final List<Rejection> listed = new ArrayList<>(0);
  private final Set<Reason> reasons = EnumSet.noneOf(Reason.class);
  private final int most;
  private int count;

  /** Keeps the first {@link #LISTED}. */
  public Rejections() {
    this(LISTED);
  }

  /** Keeps the first {@code most}. */
  public Rejections(int most) {
    this.most = most;
  }

  /** One more, of any line. */
  public final void add(Rejection rejection) {
    count++;
    reasons.add(rejection.reason());
    keep(rejection);
  }

  /** Keeps it if there is room. */
  void keep(Rejection rejection) {
    if (listed.size() < most) {
      listed.add(rejection);
    }
  }

  public final int count() {
    return count;
  }

  public final boolean has(Reason reason) {
    return reasons.contains(reason);
  }

  /** Those that are kept, by line. */
  public List<Rejection> listed() {
    listed.sort(Comparator.comparingInt(Rejection::line));
    return listed;
  }

  /** As {@code [{"line":k,"reason":"…","detail":"…"}]}. */
  public JsonArray toJson() {
    JsonArray array = new JsonArray();
    listed().forEach(rejection -> array.add(toJson(rejection.line(), rejection)));
    return array;
  }

  /** One as {@code {"line":k,"reason":"…","detail":"…"}}. */
  public static JsonObject toJson(long line, Rejection rejection) {
    return new JsonObject()
        .put("line", line)
        .put("reason", rejection.reason().word())
        .put("detail", rejection.detail());
  }

  /**
   * All lines that were refused of one read, in little more memory than the read itself took: two
   * bytes for each line up to the last of them, and what is said of them once for all lines of
   * which the same is said. A line of two bytes is refused with a sentence of eighty, so a list of
   * sentences would take forty times what was sent.
   */
  public static final class OfLines extends Rejections {
    /** Of so many different sentences; of the others the reason alone. */
    public static final int MOST_DETAILS = 500;

    private static final Reason[] REASONS = Reason.values();
    private static final int NOT_REFUSED = 0;
    private static final int FIRST_SENTENCE = 1 + REASONS.length;
    private static final int SENTENCE_OBJECTS_BYTES = 128;
    private static final String NO_DETAIL =
        "more than " + MOST_DETAILS + " different faults came at once; this one is not described";

    /** What is said, without a line. */
    private record Sentence(Reason reason, String detail) {}

    /** By line: {@link #NOT_REFUSED}, 1 + a reason's number, or FIRST_SENTENCE + a sentence's. */
    private char[] codes = {};

    private final List<Sentence> sentences = new ArrayList<>(0);
    private final Map<Sentence, Integer> numbers = new HashMap<>(0);

    private int sentenceBytes;

    /** All lines before it are told, or were not refused. */
    private int next;

    private int left;

    /** None. */
    public OfLines() {
      super(0);
    }

    @Override
    void keep(Rejection rejection) {
      int line = rejection.line();
      if (line >= codes.length) {
        codes = Arrays.copyOf(codes, Math.max(line + 1, codes.length + codes.length / 2));
      }
      if (codes[line] == NOT_REFUSED) {
        left++;
      }
      codes[line] = (char) code(new Sentence(rejection.reason(), rejection.detail()));
    }

    private int code(Sentence sentence) {
      int last = sentences.size() - 1;
      if (last >= 0 && sentences.get(last).equals(sentence)) {
        return FIRST_SENTENCE + last;
      }
      Integer known = numbers.get(sentence);
      if (known != null) {
        return FIRST_SENTENCE + known;
      }
      if (sentences.size() == MOST_DETAILS) {
        return 1 + sentence.reason().ordinal();
      }
      numbers.put(sentence, sentences.size());
      sentenceBytes += sentence.detail.length() + SENTENCE_OBJECTS_BYTES;
      sentences.add(sentence);
      return FIRST_SENTENCE + last + 1;
    }

    /** How many have not been taken with {@link #next}. */
    public int left() {
      return left;
    }

    /** How much they hold of memory, in bytes, about. */
    public int bytes() {
      return codes.length * Character.BYTES + sentenceBytes;
    }

    /** The first line that is left; only if one is. */
    public int firstLine() {
      while (codes[next] == NOT_REFUSED) {
        next++;
      }
      return next;
    }

    /** Takes the first one that is left, by line; only if one is. */
    public Rejection next() {
      int line = firstLine();
      int code = codes[line];
      next = line + 1;
      left--;
      if (code < FIRST_SENTENCE) {
        return new Rejection(line, REASONS[code - 1], NO_DETAIL);
      }
      Sentence sentence = sentences.get(code - FIRST_SENTENCE);
      return new Rejection(line, sentence.reason(), sentence.detail());
    }
  }
}
