package io.galop.broadcast.delta;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.json.TextBytes;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is different makes the target of the base, to the byte. */
class TextDeltaTest {
  private static final String[] PARTS = {
    "\"name\":\"Möwe\"",
    "\"odds\":3.15",
    "\"odds\":3.150",
    "\"volume\":10432.77",
    "\"it's\":\"\\\"\"",
    "\"atb\":[[3.1,20.5],[3.05,7]]",
    "\"atl\":[]",
    "\"horse\":\"🐎🐴\"",
    "\"text\":\"漢字かな\"",
    "\"on\":true",
    "\"gone\":null",
    "\"deep\":{\"a\":{\"b\":[1,2,{\"c\":\"é\"}]}}",
    "\"n\":-1.5e-9",
    "\"time\":1617043020018000",
    "\"time\":1617043025191000"
  };

  private final TextDelta delta = new TextDelta();
  private final DeltaReader reader = new DeltaReader();

  private String difference(String base, String target) {
    TextBytes out = new TextBytes(16);
    delta.write(utf8(base), utf8(target), out);
    return new String(out.toBytes(), StandardCharsets.UTF_8);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String random(Random random) {
    StringBuilder text = new StringBuilder("{");
    int count = random.nextInt(9);
    for (int i = 0; i < count; i++) {
      text.append(i == 0 ? "" : ",").append(PARTS[random.nextInt(PARTS.length)]);
    }
    return text.append('}').toString();
  }

  /** A character somewhere becomes another, or many do, or none. */
  private static String changed(String text, Random random) {
    StringBuilder changed = new StringBuilder();
    int[] points = text.codePoints().toArray();
    int everyNth = 1 + random.nextInt(40);
    for (int point : points) {
      boolean isOther = random.nextInt(everyNth) == 0;
      String[] others = {"", "x", "é", "🐎", "7", "\"", "'", "\\\\", "漢字"};
      if (isOther) {
        changed.append(others[random.nextInt(others.length)]);
      }
      if (!isOther || random.nextBoolean()) {
        changed.appendCodePoint(point);
      }
    }
    return changed.toString();
  }

  @Test
  void makesTheTargetOfAnyBase() {
    for (int seed = 0; seed < 60_000; seed++) {
      Random random = new Random(seed);
      String base = random(random);
      String target = random.nextBoolean() ? random(random) : changed(base, random);
      String difference = difference(base, target);
      assertEquals(target, reader.apply(base, difference), "seed " + seed);
    }
  }

  @Test
  void makesTheTargetOfLongTexts() {
    for (int length : new int[] {500, 5_000, 16_383, 16_384, 40_000, 300_000}) {
      Random random = new Random(length);
      StringBuilder text = new StringBuilder();
      while (text.length() < length) {
        text.append(random(random));
      }
      String base = text.toString();
      String target = changed(base, random);
      assertEquals(target, reader.apply(base, difference(base, target)));
      String repeated = "ab".repeat(length);
      String other = "ba".repeat(length) + "b";
      assertEquals(other, reader.apply(repeated, difference(repeated, other)));
    }
  }

  /** The first is the check, which counts units of UTF-16. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"a\":1}             | {\"a\":1}             | H",
        "{\"a\":1}             | {\"a\":2}             | HFC2",
        "{\"a\":1}             | {\"a\":25}            | IFFB25",
        "{\"a\":\"x\",\"b\":1} | {\"b\":1}             | HCBI",
        "{\"b\":1}             | {\"a\":\"x\",\"b\":1} | PCRAa':'x','",
        "{\"é\":\"🐎\",\"b\":1} | {\"é\":\"🐎\",\"b\":2} | QOC2"
      })
  void saysWhatIsDifferentShortly(String base, String target, String expected) {
    assertEquals(expected, difference(base, target));
    assertEquals(target, reader.apply(base, expected));
  }

  @Test
  void findsWhereTextsAreTheSameAgain() {
    String base =
        "{\"id\":\"f:17#1\",\"time\":1617043020018000,\"data\":{\"odds\":3.1,\"volume\":99}}";
    String target =
        "{\"id\":\"f:21#1\",\"time\":1617043025191000,\"data\":{\"odds\":3.15,\"volume\":99}}";
    String difference = difference(base, target);
    assertEquals(target, reader.apply(base, difference));
    assertTrue(difference.length() <= 22, difference);
  }

  /** A text of another length is not taken for the target. */
  @Test
  void tellsItsLength() {
    String difference = difference("{\"a\":1}", "{\"a\":2}");
    assertThrows(IllegalStateException.class, () -> reader.apply("{\"a\":1,\"b\":2}", difference));
  }
}
