package io.galop.expression;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.record.Record;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class RecordFilterTest {
  private static Record record(String topic, String data) {
    return new Record("i", topic, 5, data.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void recordsThatMatchAreFound() throws Exception {
    RecordFilter filter =
        RecordFilter.of(
            "topic.endsWith('/7') && data.?odds.orValue(0) < 3.5 && data.l[1][0] == null");
    String found = "{\"odds\":3,\"l\":[{\"a\":[1]},[null,true]]}";
    List<Boolean> matches =
        List.of(
            filter.matches(record("race/7", found)),
            filter.matches(record("race/8", found)),
            filter.matches(record("race/7", found.replace(":3", ":3.5"))),
            filter.matches(record("race/7", found.replace("odds", "other"))));
    assertEquals(List.of(true, false, false, true), matches);
  }

  @Test
  void aStrangersLoopsTurnNotOften() throws Exception {
    RecordFilter filter = RecordFilter.ofStranger("data.l.exists(a, a == 7)");
    assertEquals(RecordFilter.of("data.l.exists(a, a == 7)"), filter);
    assertTrue(filter.matches(record("a", "{\"l\":[" + "1,".repeat(98) + "7]}")));
    Record long200 = record("a", "{\"l\":[" + "1,".repeat(199) + "7]}");
    assertThrows(ExpressionFailure.class, () -> filter.matches(long200));
  }

  /** Twelve loops over a list of one would make a text of 4^12 topics, or a tree of 2^40 values. */
  @Test
  void noValueOfAStrangerIsLargerThanItsRecord() throws Exception {
    String nested = "[topic + topic].all(a, ";
    String trees = "[[topic]].all(a, ";
    for (char c = 'b'; c < 'z'; c++) {
      char before = (char) (c - 1);
      nested += "[%c + %c].all(%c, ".formatted(before, before, c);
      trees += "[[%c, %c]].all(%c, ".formatted(before, before, c);
    }
    String ends = ")".repeat(25);
    for (String wrong :
        List.of(
            nested + "true" + ends,
            trees + "y == y" + ends,
            "topic + id == ''",
            "data.t + '' == ''",
            "b'a' + b'b' == b''",
            "[1] + [2] == []",
            "data.t.matches('(x+x+)+y')",
            "matches(topic, 'x')",
            "topic.split('') == []",
            "data.l.map(l, l) == []",
            "data.l.filter(l, true) == []",
            "data.n in [1, data.n]",
            "{'a': {'b': data}} == data",
            "{topic: 1} == data",
            "google.protobuf.Struct{} == data")) {
      ExpressionFailure refused =
          assertThrows(ExpressionFailure.class, () -> RecordFilter.ofStranger(wrong), wrong);
      assertTrue(refused.detail().startsWith("column "), wrong + ": " + refused.detail());
    }
    ExpressionFailure list =
        assertThrows(
            ExpressionFailure.class,
            () -> RecordFilter.ofStranger("true && data.n in [1, data.n]"));
    assertEquals(
        "column 19: a list or map that is written here may have constants only", list.detail());
    Record record = record("a", "{\"t\":\"t\",\"n\":1,\"l\":[1]}");
    for (String sum : List.of("data.t + data.t == ''", "data.l + data.l == []")) {
      RecordFilter filter = RecordFilter.ofStranger(sum);
      assertThrows(ExpressionFailure.class, () -> filter.matches(record), sum);
    }
    for (String right :
        List.of(
            "data.n + 1 == 2 && data.n in [1, -2]",
            "data.l == [1] && data.l.exists_one(l, l == data.n)",
            "data.?x.optMap(x, x + 1).orValue(2) == 2",
            "has(data.t) && topic.trim().substring(0, 1) == 'a' && data.l[0] + data.n == 2")) {
      assertTrue(RecordFilter.ofStranger(right).matches(record), right);
    }
  }

  @Test
  void whatViewersAreSentIsReadAsTheRecord() throws Exception {
    RecordFilter filter = RecordFilter.of("topic == 't' && id == 'i' && time == 7 && data.a > 1");
    byte[] body =
        "{\"id\":\"i\",\"time\":7,\"data\":{\"a\":2}},\"headers\":{"
            .getBytes(StandardCharsets.UTF_8);
    assertTrue(filter.matches(RecordValues.ofBody("t", body)));
    byte[] other = "{\"id\":\"i\",\"time\":7}".getBytes(StandardCharsets.UTF_8);
    assertThrows(ExpressionFailure.class, () -> RecordValues.ofBody("t", other));
  }

  @Test
  void whatIsNoObjectIsAFailureAndNoException() throws Exception {
    RecordFilter filter = RecordFilter.of("data.a == 1");
    for (String wrong : List.of("[]", "", "{\"a\":")) {
      Record record = record("a", wrong);
      assertThrows(ExpressionFailure.class, () -> filter.matches(record), wrong);
    }
  }

  /** It would be neither for each record: a viewer would wait for ever without a word. */
  @Test
  void whatCanBeNeitherTrueNorFalseIsRefused() throws Exception {
    for (String wrong : List.of("1", "topic", "null", "data", "data.?n", "[true]", "size(data)")) {
      assertThrows(ExpressionFailure.class, () -> RecordFilter.of(wrong), wrong);
      ExpressionFailure refused =
          assertThrows(ExpressionFailure.class, () -> RecordFilter.ofStranger(wrong), wrong);
      assertTrue(refused.detail().startsWith("a condition has to be true or"), refused.detail());
    }
    Record record = record("a", "{\"n\":true}");
    for (String right : List.of("true", "data.n", "data.?n.orValue(false)")) {
      assertTrue(RecordFilter.of(right).matches(record), right);
      assertTrue(RecordFilter.ofStranger(right).matches(record), right);
    }
  }
}
