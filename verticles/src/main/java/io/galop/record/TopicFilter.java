package io.galop.record;

import java.util.stream.IntStream;

/**
 * A topic or a pattern of topics: {@code +} stands for one level, a final {@code #} for the rest,
 * as in MQTT 3.1.1, 4.7. A leading wildcard passes over topics that start with {@code $}.
 */
public final class TopicFilter {
  private final String text;
  private final String[] levels;
  private final boolean exact;

  private TopicFilter(String text) {
    this.text = text;
    this.levels = text.split("/", -1);
    this.exact = text.indexOf('+') < 0 && text.indexOf('#') < 0;
  }

  /**
   * Parses a filter.
   *
   * @throws IllegalArgumentException naming the broken rule
   */
  public static TopicFilter parse(String text, int maxBytes) {
    String wrong = Topic.check(text.replace('+', 'x').replace('#', 'x'), maxBytes);
    if (!wrong.isEmpty()) {
      throw new IllegalArgumentException("filter '" + text + "' " + wrong);
    }
    TopicFilter filter = new TopicFilter(text);
    for (int i = 0; i < filter.levels.length; i++) {
      filter.checkLevel(i);
    }
    return filter;
  }

  private void checkLevel(int i) {
    String level = levels[i];
    boolean wild = level.indexOf('+') >= 0 || level.indexOf('#') >= 0;
    if (wild && level.length() > 1) {
      throw new IllegalArgumentException(
          "filter '" + text + "': '+' and '#' must stand alone in their level");
    }
    if (level.equals("#") && i < levels.length - 1) {
      throw new IllegalArgumentException("filter '" + text + "': '#' must be the last level");
    }
  }

  /** Whether the filter names exactly one topic. */
  public boolean isExact() {
    return exact;
  }

  /** In which of so many shards topics may be that the filter means. */
  public int[] shards(int count) {
    return exact ? new int[] {Topic.shard(text, count)} : IntStream.range(0, count).toArray();
  }

  /** Whether a topic is meant by this filter. */
  public boolean matches(String topic) {
    if (exact) {
      return text.equals(topic);
    }
    if (Topic.isReserved(topic) && levels[0].length() == 1 && text.charAt(0) != topic.charAt(0)) {
      return false;
    }
    return matchesFrom(0, topic, 0);
  }

  private boolean matchesFrom(int level, String topic, int from) {
    while (level < levels.length) {
      String wanted = levels[level];
      if (wanted.equals("#")) {
        return true;
      }
      if (from > topic.length()) {
        return false;
      }
      int slash = topic.indexOf('/', from);
      int end = slash < 0 ? topic.length() : slash;
      if (!wanted.equals("+") && !sameLevel(wanted, topic, from, end)) {
        return false;
      }
      from = end + 1;
      level++;
    }
    return from > topic.length();
  }

  private static boolean sameLevel(String wanted, String topic, int from, int end) {
    return wanted.length() == end - from && topic.startsWith(wanted, from);
  }

  /** Whether every topic that the other filter means is meant by this one too. */
  public boolean covers(TopicFilter other) {
    boolean isReserved = other.text.charAt(0) == Topic.RESERVED;
    if (isReserved && isWild(levels[0])) {
      return false;
    }
    // Every topic has a first level, so that a bare # means no more than +/# does.
    return other.text.equals("#") ? covers(new String[] {"+", "#"}) : covers(other.levels);
  }

  private boolean covers(String[] others) {
    for (int i = 0; i < levels.length; i++) {
      if (levels[i].equals("#")) {
        return true;
      }
      if (i >= others.length || others[i].equals("#")) {
        return false;
      }
      if (!levels[i].equals("+") && !levels[i].equals(others[i])) {
        return false;
      }
    }
    return levels.length == others.length;
  }

  /** Whether there can be a topic that both filters mean. */
  public boolean overlaps(TopicFilter other) {
    return !passesOver(other) && !other.passesOver(this) && overlaps(other.levels);
  }

  /** Whether a leading wildcard keeps this filter from the topics of the other. */
  private boolean passesOver(TopicFilter other) {
    return isWild(levels[0]) && other.text.charAt(0) == Topic.RESERVED;
  }

  private boolean overlaps(String[] others) {
    for (int i = 0; i < levels.length || i < others.length; i++) {
      String own = i < levels.length ? levels[i] : "";
      String theirs = i < others.length ? others[i] : "";
      if (own.equals("#") || theirs.equals("#")) {
        return true;
      }
      boolean isOver = i >= levels.length || i >= others.length;
      if (isOver || !own.equals("+") && !theirs.equals("+") && !own.equals(theirs)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isWild(String level) {
    return level.equals("+") || level.equals("#");
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TopicFilter filter && filter.text.equals(text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  /** The filter as it was written. */
  @Override
  public String toString() {
    return text;
  }
}
