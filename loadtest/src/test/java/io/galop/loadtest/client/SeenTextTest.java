package io.galop.loadtest.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.galop.loadtest.latency.Gap;
import io.galop.loadtest.latency.Latencies;
import io.galop.loadtest.latency.Seen;
import java.io.IOException;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class SeenTextTest {
  @Test
  void whatOneProcessSaysTheOtherReads() throws IOException {
    Histogram latencies = Latencies.histogram();
    Latencies.record(latencies, 7_000_000);
    Seen read = SeenText.parse(SeenText.of(new Seen(1, 2, 3, 4, new Gap(5, 6), latencies)));
    assertEquals(
        "1 2 3 4",
        read.received()
            + " "
            + read.duplicates()
            + " "
            + read.missing()
            + " "
            + read.lostViewers());
    assertEquals(new Gap(5, 6), read.gap());
    assertEquals(latencies, read.latencies());
  }

  @Test
  void otherLinesAreNamed() {
    assertThrows(IOException.class, () -> SeenText.parse("what?"));
  }

  @Test
  void viewersAreSharedOutCompletely() {
    int sum = 0;
    for (int part = 0; part < 3; part++) {
      sum += ForkedCrowd.share(11, 3, part);
    }
    assertEquals(11, sum);
  }
}
