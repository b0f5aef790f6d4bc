package io.galop.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which filter covers or overlaps which: held against what they match. */
class TopicFilterCoverTest {
  private static final int LONGEST = 100;

  private static TopicFilter filter(String text) {
    return TopicFilter.parse(text, LONGEST);
  }

  @ParameterizedTest
  @CsvSource({
    "race/#,race/1/runner/+,true",
    "race/#,race,true",
    "race/+,race,false",
    "race/+,race/#,false",
    "race/+/#,race/+,true",
    "race/+/#,race/#,false",
    "+/#,#,true",
    "#,+/#,true",
    "#,$dead-letter/a,false",
    "+/a,$dead-letter/a,false",
    "$dead-letter/#,$dead-letter/a,true",
    "$dead-letter/+,$dead-letter/a,true",
    "a/b,a/+,false",
    "a,a,true"
  })
  void coversWhatItMeans(String wide, String narrow, boolean isCovered) {
    assertEquals(isCovered, filter(wide).covers(filter(narrow)));
  }

  /** Over every filter of up to three levels, and every topic of up to four. */
  @Test
  void coversExactlyWhenEachTopicMatched() {
    List<String> topics = words(List.of("a", "b", "c", "$a", "$b"), 4, false);
    List<TopicFilter> filters = new ArrayList<>();
    words(List.of("a", "b", "$a", "+"), 3, true).forEach(text -> filters.add(filter(text)));
    List<BitSet> matched = filters.stream().map(each -> matched(each, topics)).toList();
    int covered = 0;
    for (int wide = 0; wide < filters.size(); wide++) {
      for (int narrow = 0; narrow < filters.size(); narrow++) {
        BitSet beyond = (BitSet) matched.get(narrow).clone();
        beyond.andNot(matched.get(wide));
        boolean isCovered = filters.get(wide).covers(filters.get(narrow));
        assertEquals(
            beyond.isEmpty(), isCovered, filters.get(wide) + " over " + filters.get(narrow));
        covered += isCovered ? 1 : 0;
      }
    }
    assertTrue(covered > filters.size(), "no pair of filters was compared");
  }

  @ParameterizedTest
  @CsvSource({
    "race/#,#,true",
    "race/#,race,true",
    "race/#,plant/#,false",
    "plant/+/vibration,plant/1/#,true",
    "plant/+/vibration,+/1/vibration,true",
    "plant/+/vibration,+/1,false",
    "#,$dead-letter/a,false",
    "$dead-letter/a,+/a,false",
    "$dead-letter/#,$dead-letter/+,true"
  })
  void overlapsWhereATopicIsOfBoth(String one, String other, boolean overlaps) {
    assertEquals(overlaps, filter(one).overlaps(filter(other)));
  }

  /** Over every filter of up to three levels, and every topic of up to four. */
  @Test
  void overlapsExactlyWhenSomeTopicIsMatchedByBoth() {
    List<String> topics = words(List.of("a", "b", "c", "$a", "$b"), 4, false);
    List<TopicFilter> filters = new ArrayList<>();
    words(List.of("a", "b", "$a", "+"), 3, true).forEach(text -> filters.add(filter(text)));
    List<BitSet> matched = filters.stream().map(each -> matched(each, topics)).toList();
    for (int one = 0; one < filters.size(); one++) {
      for (int other = 0; other < filters.size(); other++) {
        assertEquals(
            matched.get(one).intersects(matched.get(other)),
            filters.get(one).overlaps(filters.get(other)),
            filters.get(one) + " and " + filters.get(other));
      }
    }
  }

  private static BitSet matched(TopicFilter filter, List<String> topics) {
    BitSet matched = new BitSet();
    for (int i = 0; i < topics.size(); i++) {
      matched.set(i, filter.matches(topics.get(i)));
    }
    return matched;
  }

  /** Every sequence of levels, and with a final {@code #} if wanted. */
  private static List<String> words(List<String> levels, int longest, boolean withRest) {
    List<String> all = new ArrayList<>();
    List<String> last = List.of("");
    if (withRest) {
      all.add("#");
    }
    for (int length = 1; length <= longest; length++) {
      List<String> next = new ArrayList<>();
      for (String before : last) {
        levels.forEach(level -> next.add(before.isEmpty() ? level : before + "/" + level));
      }
      all.addAll(next);
      if (withRest) {
        next.forEach(each -> all.add(each + "/#"));
      }
      last = next;
    }
    return all;
  }
}
