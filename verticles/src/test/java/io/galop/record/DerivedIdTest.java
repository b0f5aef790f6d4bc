package io.galop.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import org.junit.jupiter.api.Test;

class DerivedIdTest {
  private static Record record(String id, String topic) {
    return new Record(id, topic, 1, new byte[] {'{', '}'});
  }

  @Test
  void onItsOwnTopicItIsTheRawIdAndANumber() {
    assertEquals("abc#2", DerivedId.of(record("abc", "s/1"), 2, "s/1"));
    assertEquals("abc#2#1", DerivedId.of(record("abc#2", "s/1"), 1, "s/1"));
  }

  @Test
  void onAnotherTopicItSaysWhichTopicItWasMadeOf() {
    String one = DerivedId.of(record("7", "s/1"), 1, "mean");
    String two = DerivedId.of(record("7", "s/2"), 1, "mean");
    assertNotEquals(one, two, "two records of one topic");
    assertEquals("7#1", DerivedId.plain(one));
    assertEquals("7#1", DerivedId.plain(two));
    assertEquals(one, DerivedId.of(record("7", "s/1"), 1, "mean"), "always the same");
    assertEquals("a@b#1@GY", DerivedId.plain("a@b#1@GY"), "no mark is so short");
  }

  @Test
  void theMarkIsThatOfTheRawRecordWhateverStepsFollow() {
    Record raw = record("7", "s/1");
    Record mean = record(DerivedId.of(raw, 1, "mean"), "mean");
    Record total = record(DerivedId.of(mean, 2, "total"), "total");
    assertEquals(mean.id() + "#2", total.id());
    assertEquals("7#1#2", DerivedId.plain(total.id()));
    Record own = record(DerivedId.of(raw, 1, "s/1"), "s/1");
    Record later = record(DerivedId.of(own, 3, "mean"), "mean");
    for (Record each : new Record[] {mean, total, own, later}) {
      assertEquals("7", DerivedId.raw(each.id()), each.id());
      assertEquals(DerivedId.origin(raw), DerivedId.origin(each), each.id());
    }
    assertNotEquals(DerivedId.origin(raw), DerivedId.origin(record("7", "s/2")));
  }

  @Test
  void theMarkIsTheSameOnEveryNodeOfEveryVersion() {
    assertEquals("7#1@47mKTaMaEn", DerivedId.of(record("7", "t"), 1, "u"));
  }
}
