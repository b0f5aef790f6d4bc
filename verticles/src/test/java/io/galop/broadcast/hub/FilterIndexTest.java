package io.galop.broadcast.hub;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.galop.record.TopicFilter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Finds what each filter says itself that it means, whatever was added and removed before. */
class FilterIndexTest {
  private static final List<String> LEVELS = List.of("a", "b", "$a", "", "+");
  private static final List<String> TOPIC_LEVELS = List.of("a", "b", "c", "$a", "");
  private static final int DEEPEST = 4;

  private final Map<String, Registration> present = new HashMap<>();
  private final FilterIndex index = new FilterIndex(4, null, ConditionsTest.conditions(1, () -> 0));

  private static List<String> upTo(int depth, List<String> levels) {
    List<String> all = new ArrayList<>();
    List<String> last = List.of("");
    for (int i = 0; i < depth; i++) {
      List<String> longer = new ArrayList<>();
      for (String begin : last) {
        levels.forEach(level -> longer.add(begin.isEmpty() ? level : begin + "/" + level));
      }
      longer.removeIf(String::isEmpty);
      all.addAll(longer);
      last = longer;
    }
    return all;
  }

  private static List<TopicFilter> filters() {
    List<String> texts = upTo(DEEPEST - 1, LEVELS);
    List<String> open = texts.stream().map(text -> text + "/#").toList();
    List<String> all = new ArrayList<>(List.of("#"));
    all.addAll(texts);
    all.addAll(open);
    return all.stream().flatMap(text -> parsed(text).stream()).toList();
  }

  /** Not every text is a filter. */
  private static List<TopicFilter> parsed(String text) {
    try {
      return List.of(TopicFilter.parse(text, 100));
    } catch (IllegalArgumentException e) {
      return List.of();
    }
  }

  private void add(TopicFilter filter) {
    Registration registration = new Registration(null, filter, Pacing.EVERY, true);
    registration.join(index.groupOf(filter, Selection.ALL));
    present.put(filter.toString(), registration);
  }

  private void remove(TopicFilter filter) {
    Registration registration = present.remove(filter.toString());
    registration.group().remove(registration);
    index.removeIfEmpty(registration.filter(), Selection.ALL);
  }

  private void check(List<String> topics) {
    for (String topic : topics) {
      TreeSet<String> meant =
          present.values().stream()
              .map(Registration::filter)
              .filter(filter -> filter.matches(topic))
              .map(TopicFilter::toString)
              .collect(Collectors.toCollection(TreeSet::new));
      List<String> found =
          index.matching(topic).stream().map(group -> group.filter().toString()).toList();
      assertEquals(new ArrayList<>(meant), found.stream().sorted().toList(), topic);
    }
  }

  @Test
  void findsExactlyWhatMeansATopic() {
    List<String> topics = upTo(DEEPEST, TOPIC_LEVELS);
    List<TopicFilter> filters = filters();
    Random random = new Random(7);
    for (int round = 0; round < 12; round++) {
      for (TopicFilter filter : filters) {
        boolean isThere = present.containsKey(filter.toString());
        if (random.nextInt(4) == 0) {
          if (isThere) {
            remove(filter);
          } else {
            add(filter);
          }
        }
      }
      check(topics);
    }
    filters.stream().filter(filter -> present.containsKey(filter.toString())).forEach(this::remove);
    check(topics);
    add(TopicFilter.parse("a/+", 100));
    check(topics);
  }
}
