package io.galop.loadtest.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Pauses are found in the unified logs of each collector. */
class GcLogTest {
  @Test
  void findsPausesOfEachCollector() {
    List<GcLog.Pause> pauses = new ArrayList<>();
    for (String line :
        List.of(
            "[1795288821577ms] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 24M->5M(384M) 8.123ms",
            "[1795288821578ms] GC(0)   Evacuate Collection Set: 4.2ms",
            "[1795288821579ms] GC(1) Concurrent Mark Cycle 12.123ms",
            "[1795288821580ms] GC(2) Pause Mark Start 0.012ms",
            "[1795288821581ms] GC(2) Y: Pause Relocate Start (Major) 0.008ms",
            "[1795288821582ms] GC(3) Pause Full (System.gc()) 5M->4M(384M) 20.5ms")) {
      GcLog.add(line, pauses);
    }
    assertEquals(List.of(8.123, 0.012, 0.008, 20.5), pauses.stream().map(GcLog.Pause::ms).toList());
    assertEquals(1_795_288_821_577L, pauses.get(0).epochMs());
    assertEquals(20.5, GcLog.percentileMs(pauses, 99.9));
    assertEquals(0.012, GcLog.percentileMs(pauses, 50));
    assertEquals(100 - 2.8643, GcLog.throughputPercent(pauses, 1), 0.001);
  }
}
