package io.galop.record;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which characters a topic may hold: those that the clients of every transport take. */
class TopicTest {
  private static String check(int code) {
    return Topic.check("u/" + Character.toString(code), 256);
  }

  /** Clients of MQTT may end the connection at each of them (MQTT 5, 1.5.4), and some do. */
  @ParameterizedTest
  @ValueSource(
      ints = {0, 0x1f, 0x7f, 0x80, 0x85, 0x9f, 0xfdd0, 0xfdef, 0xfffe, 0xffff, 0x1fffe, 0x10ffff})
  void whatMqttClientsRefuseIsRefused(int code) {
    String wrong =
        code < 0x100
            ? "holds a control character at 2"
            : "holds the noncharacter U+%04X at 2".formatted(code);
    assertEquals(wrong, check(code));
  }

  @ParameterizedTest
  @ValueSource(ints = {0x20, 0x7e, 0xa0, 0xe9, 0x202e, 0xfdcf, 0xfdf0, 0xfeff, 0xfffd, 0x1f600})
  void whatTheyTakeIsTaken(int code) {
    assertEquals("", check(code));
  }

  @Test
  void theLevelsBehindAreLookedAt() {
    assertEquals("has an empty level", Topic.check("u/\ud83d\ude00//x", 256));
    assertEquals("ends with '/'", Topic.check("u/\ud83d\ude00/", 256));
  }
}
