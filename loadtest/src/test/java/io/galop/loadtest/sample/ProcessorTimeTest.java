package io.galop.loadtest.sample;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ProcessorTimeTest {
  @Test
  void timeOfGuestsIsInThatOfTheUserAlready() {
    ProcessorTime time = ProcessorTime.of("cpu  100 20 30 400 5 6 7 32 90 9");
    assertEquals(new ProcessorTime(32, 600), time);
  }

  @Test
  void stolenIsAPartOfTheTimeBetween() {
    ProcessorTime before = new ProcessorTime(10, 1_000);
    assertEquals(25, new ProcessorTime(60, 1_200).stolenPercentSince(before));
    assertEquals(0, before.stolenPercentSince(before));
  }

  @Test
  void theKernelTellsIt() throws Exception {
    assertTrue(ProcessorTime.now().all() > 0);
  }
}
