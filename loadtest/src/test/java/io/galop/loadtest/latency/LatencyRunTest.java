package io.galop.loadtest.latency;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.loadtest.targets.Peer;
import io.galop.loadtest.targets.Started;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A short run against the peer in a process of its own. */
@Timeout(180)
class LatencyRunTest {
  @Test
  void everyViewerSeesEveryMessageOnce() throws Exception {
    Load load = new Load(7, 50, 1, 0, 290, 3, 1);
    try (Started peer = Peer.VERTX_BRIDGE.start(List.of("-Xmx128m"))) {
      LatencyViewers viewers = new VertxViewers(peer.target(), load);
      Figures figures = new LatencyRun("peer", peer.target(), load, viewers).run();
      assertEquals(0, figures.missing());
      assertEquals(0, figures.duplicates());
      assertEquals(0, figures.lostViewers());
      assertTrue(figures.p50Ms() > 0 && figures.p50Ms() < 5_000, figures.toString());
      assertTrue(figures.serverResidentMb() > 1, figures.toString());
      assertTrue(Double.isNaN(figures.ackP50Ms()), "the peer acknowledges nothing");
    }
  }
}
