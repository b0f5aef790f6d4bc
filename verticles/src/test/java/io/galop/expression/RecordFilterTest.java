package io.galop.expression;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

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
  void whatIsNoObjectIsAFailureAndNoException() throws Exception {
    RecordFilter filter = RecordFilter.of("data.a == 1");
    for (String wrong : List.of("[]", "", "{\"a\":")) {
      Record record = record("a", wrong);
      assertThrows(ExpressionFailure.class, () -> filter.matches(record), wrong);
    }
  }
}
