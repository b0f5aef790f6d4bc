package io.galop.node;

import io.galop.record.TopicFilter;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Which viewers an operator looks for.
 *
 * @param by what of them is looked at
 * @param text which is to be in it, in any case of letters; empty: all viewers
 * @param limit so many are shown at most
 * @param subjects whether he may know whom tokens name
 */
public record ViewerQuestion(By by, String text, int limit, boolean subjects) {
  /** The most that are shown. */
  public static final int MOST = 500;

  private static final int MOST_CHARACTERS = 4_096;

  /** What of a viewer is looked at. */
  public enum By {
    /** All of the others but {@link #TOPIC}. */
    ANYTHING,
    /** Whom its token names. */
    SUBJECT,
    /** Where it is. */
    ADDRESS,
    /** The id of its connection, which must be the same. */
    ID,
    /** The text of a filter that it has registered. */
    FILTER,
    /** What it is sent: the text is a topic, or a filter of topics. */
    TOPIC;

    /** In a question. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    static By parse(String word) {
      return Arrays.stream(values())
          .filter(by -> by.word().equals(word))
          .findFirst()
          .orElseThrow(() -> new IllegalArgumentException("by must be one of " + words()));
    }

    private static String words() {
      return Arrays.stream(values()).map(By::word).collect(Collectors.joining(", "));
    }
  }

  /** Of the parameters of a request, where {@code find} has the text. */
  public static ViewerQuestion of(Map<String, String> parameters) {
    By by = By.parse(parameters.getOrDefault("by", By.ANYTHING.word()));
    String text = parameters.getOrDefault("find", "");
    if (text.length() > MOST_CHARACTERS) {
      throw new IllegalArgumentException("find must be at most 4096 characters");
    }
    if (by == By.TOPIC) {
      TopicFilter.parse(text, MOST_CHARACTERS);
    }
    int limit = limit(parameters.getOrDefault("limit", "50"));
    boolean subjects = Boolean.parseBoolean(parameters.getOrDefault("subjects", "false"));
    return new ViewerQuestion(by, text, limit, subjects);
  }

  private static int limit(String text) {
    if (text.matches("[1-9][0-9]{0,2}") && Integer.parseInt(text) <= MOST) {
      return Integer.parseInt(text);
    }
    throw new IllegalArgumentException("limit must be a whole number from 1 to " + MOST);
  }

  /** As {@link #of} reads it. */
  public Map<String, String> parameters() {
    Map<String, String> parameters = new TreeMap<>();
    parameters.put("by", by.word());
    parameters.put("find", text);
    parameters.put("limit", Integer.toString(limit));
    parameters.put("subjects", Boolean.toString(subjects));
    return parameters;
  }

  /** What of topics is looked for; empty: something else is. */
  public Optional<TopicFilter> topics() {
    return by == By.TOPIC
        ? Optional.of(TopicFilter.parse(text, MOST_CHARACTERS))
        : Optional.empty();
  }
}
