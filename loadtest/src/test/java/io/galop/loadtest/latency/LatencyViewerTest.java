package io.galop.loadtest.latency;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.buffer.Buffer;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class LatencyViewerTest {
  private final Histogram latencies = Latencies.histogram();
  private final LatencyViewer viewer = new LatencyViewer(3, latencies);

  private void receive(long number) {
    viewer.onFrame(Buffer.buffer(Stamp.data(number, System.nanoTime() - 5_000_000, 100)));
  }

  @Test
  void countsOnlyWhatIsMeasuredAndEachMessageOnce() {
    receive(9);
    viewer.measureFrom(10);
    receive(9);
    receive(10);
    receive(12);
    receive(12);
    receive(13);
    assertEquals(2, viewer.received());
    assertEquals(1, viewer.duplicates());
    assertEquals(3, latencies.getTotalCount());
  }

  @Test
  void latencyRunsFromWhenTheMessageWasDue() {
    viewer.measureFrom(1);
    long due = System.nanoTime() - 5_000_000;
    viewer.onFrame(Buffer.buffer(Stamp.data(1, due, 100)));
    double atMostMs = (System.nanoTime() - due) / 1e6;
    double ms = Latencies.ms(latencies, 50);
    assertTrue(ms >= 5, ms + " ms, was due 5 ms before");
    assertTrue(ms <= atMostMs * 1.01, ms + " ms, at most " + atMostMs);
  }
}
