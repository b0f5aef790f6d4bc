package io.galop.enrich.step;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.galop.record.Record;
import java.util.List;
import org.junit.jupiter.api.Test;

class StepTallyTest {
  private final StepTally tally = new StepTally();

  private static Record on(String topic) {
    return new Record("r", topic, 0, new byte[0]);
  }

  private void assertTally(long dropped, long derived, long deadLetters) {
    assertEquals(
        List.of(dropped, derived, deadLetters),
        List.of(tally.dropped(), tally.derived(), tally.deadLetters()));
  }

  @Test
  void eachRecordIsOneOfThese() {
    tally.count(on("t"), List.of(on("t")));
    assertTally(0, 0, 0);
    tally.count(on("t"), List.of());
    assertTally(1, 0, 0);
    tally.count(on("t"), List.of(on("t"), on("u"), on("v")));
    assertTally(1, 2, 0);
    tally.count(on("t"), List.of(on("$dead-letter/script/s")));
    assertTally(1, 2, 1);
    tally.count(on("$dead-letter/script/s"), List.of(on("$dead-letter/script/s")));
    assertTally(1, 2, 1);
    tally.letters(2);
    assertTally(1, 2, 3);
  }

  @Test
  void onlyWhatIsBehindAPlaceIsOfTheRecord() {
    List<Record> to = List.of(on("a"), on("b"), on("c"));
    tally.count(on("t"), to, 1);
    assertTally(0, 1, 0);
    tally.count(on("t"), to, 3);
    assertTally(1, 1, 0);
  }
}
