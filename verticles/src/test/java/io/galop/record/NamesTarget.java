package io.galop.record;

import io.galop.fuzz.Target;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** Topic filters, topics and Positions, with a zero byte between them. */
public final class NamesTarget implements Target {
  private static final int MOST_BYTES = 64;

  @Override
  public void run(byte[] input) {
    String[] parts = new String(input, StandardCharsets.UTF_8).split("\0", -1);
    String topic = parts[parts.length - 1];
    TopicFilter first = filter(parts[0]);
    TopicFilter second = filter(parts[parts.length / 2]);
    if (Topic.check(topic, MOST_BYTES).isEmpty()) {
      match(first, topic);
      match(second, topic);
      if (first != null && second != null && first.covers(second) && second.matches(topic)) {
        require(first.matches(topic), first + " covers " + second + " but not " + topic);
      }
    }
    for (String part : parts) {
      position(part);
    }
  }

  private static TopicFilter filter(String text) {
    try {
      return TopicFilter.parse(text, MOST_BYTES);
    } catch (IllegalArgumentException expected) {
      return null;
    }
  }

  private static void match(TopicFilter filter, String topic) {
    if (filter == null) {
      return;
    }
    List<String> wanted = Arrays.asList(filter.toString().split("/", -1));
    List<String> levels = Arrays.asList(topic.split("/", -1));
    boolean hidden = topic.startsWith("$") && !wanted.get(0).startsWith("$");
    boolean expected = !hidden && matches(wanted, levels);
    require(expected == filter.matches(topic), filter + " and " + topic + ": not " + expected);
  }

  private static boolean matches(List<String> wanted, List<String> levels) {
    if (wanted.equals(List.of("#")) || wanted.isEmpty() && levels.isEmpty()) {
      return true;
    }
    if (wanted.isEmpty() || levels.isEmpty()) {
      return false;
    }
    boolean same = wanted.get(0).equals("+") || wanted.get(0).equals(levels.get(0));
    return same && matches(wanted.subList(1, wanted.size()), levels.subList(1, levels.size()));
  }

  private static void position(String text) {
    try {
      Position position = Position.parse(text);
      require(position.toString().equals(text), text + " is read as " + position);
      require(position.epoch() >= 0 && position.offset() >= 0, text + " is taken");
    } catch (IllegalArgumentException expected) {
      // It says what is wrong.
    }
  }

  private static void require(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError(what);
    }
  }
}
