package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node is frozen for longer than the others wait for it, and comes back as it was. */
@Timeout(150)
class FrozenNodeIT {
  private static final List<String> QUICK = List.of("--set", "cluster.maxSilenceSeconds=3");

  @TempDir Path directory;

  @Test
  void theNodeInFrontServesAgainByItself() throws Exception {
    try (Pair pair = Pair.start(directory, QUICK, List.of());
        Viewer viewer = Viewer.on(pair.front().http("/live"), "websocket", "a/#")) {
      Nodes.awaitReady(pair.front());
      Counted counted = new Counted();
      // Twice: what is heard of members must still be heard after the first merge.
      for (int freeze = 1; freeze <= 2; freeze++) {
        counted.publish(pair.secure(), 100);
        awaitSeen(viewer, counted);
        int told = viewer.all("fresh").size();
        pair.secure().freeze();
        Await.until("the front is unready", 20, () -> !Nodes.isReady(pair.front()));
        pair.secure().thaw();
        Nodes.awaitReady(pair.front());
        Await.until("the viewer is told", 20, () -> viewer.all("fresh").size() > told);
      }
      counted.publish(pair.secure(), 100);
      awaitSeen(viewer, counted);
      assertEquals(List.of(), viewer.all("close"), "the viewer stayed connected");
      assertEquals(300, viewer.all("rec").size(), "each record once");
    }
  }

  @Test
  void aNodeThatStoresTakesOverWhatWasStoredForIt() throws Exception {
    try (Nodes nodes = new Nodes(directory, List.of("a", "b", "front"), QUICK)) {
      GalopProcess a = nodes.start("a", "ingest,enrich,persist");
      GalopProcess front = nodes.start("front", "broadcast");
      GalopProcess b = nodes.start("b", "ingest,enrich,persist");
      Counted counted = new Counted();
      try (Viewer viewer = Viewer.on(front.http("/live"), "websocket", "a/#")) {
        counted.publish(a, 100);
        awaitSeen(viewer, counted);
        b.freeze();
        Await.until("the front is unready", 20, () -> !Nodes.isReady(front));
        Nodes.awaitReady(front);
        counted.publish(a, 100);
        awaitSeen(viewer, counted);
        b.thaw();
        Await.until("both answer", 40, () -> history(front).equals(counted.ids()));
        Nodes.awaitReady(front);
        assertEquals(counted.newest(), snapshot(front));
        counted.publish(b, 100);
        counted.publish(a, 100);
        awaitSeen(viewer, counted);
        assertEquals(counted.newest(), snapshot(front));
        assertEquals(List.of(), viewer.all("close"), "the viewer stayed connected");
      }
    }
  }

  /** The ids that a browser is shown as the last ones of their topics. */
  private static Set<String> snapshot(GalopProcess front) {
    try (Viewer viewer = Viewer.on(front.http("/live"), "websocket", "a/#", "--snapshot")) {
      Await.until("a snapshot", 20, () -> ids(viewer).size() >= Counted.TOPICS);
      return ids(viewer);
    }
  }

  private static Set<String> history(GalopProcess node) throws Exception {
    return Stored.history(node.http("/history/a/%23?limit=10000")).stream()
        .map(Seen::id)
        .collect(Collectors.toSet());
  }

  private static void awaitSeen(Viewer viewer, Counted counted) {
    Await.until("the viewer has all", 40, () -> ids(viewer).containsAll(counted.ids()));
  }

  private static Set<String> ids(Viewer viewer) {
    return viewer.records().stream().map(Seen::id).collect(Collectors.toSet());
  }
}
