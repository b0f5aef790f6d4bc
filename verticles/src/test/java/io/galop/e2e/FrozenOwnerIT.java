package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Of two nodes that store one is frozen until the cluster has thrown it out, and goes on as if
 * nothing had been. It must not serve what the other has gone on with.
 */
@Tag("alone")
@Timeout(300)
class FrozenOwnerIT {
  private static final List<String> QUICK = List.of("--set", "cluster.maxSilenceSeconds=3");
  private static final String INSIDE = "ingest,enrich,persist";

  @TempDir Path directory;

  @Test
  void itTakesOverWhatWasStoredForIt() throws Exception {
    try (Nodes nodes = new Nodes(directory, List.of("a", "b", "front"), QUICK)) {
      GalopProcess a = nodes.start("a", INSIDE);
      GalopProcess front = nodes.start("front", "broadcast");
      GalopProcess b = nodes.start("b", INSIDE);
      Counted counted = new Counted();
      try (Viewer viewer = Viewer.on(front.http("/live"), "websocket", "a/#")) {
        counted.publish(a, 100);
        awaitSeen(viewer, counted);
        b.freeze();
        Await.until("the front has b thrown out", 120, () -> !Nodes.members(front).contains("b"));
        Nodes.awaitReady(front);
        counted.publish(a, 100);
        awaitSeen(viewer, counted);
        b.thaw();
        // Whatever the nodes believe of each other now: what is acknowledged is seen, or announced.
        for (int round = 0; round < 12; round++) {
          counted.publish(round % 2 == 0 ? a : b, 40);
          Await.until(
              "the newest is shown, round " + round, 120, () -> old(front, counted).isEmpty());
        }
        Await.until("both answer", 120, () -> history(front).equals(counted.ids()));
        Nodes.awaitReady(front);
        counted.publish(b, 100);
        counted.publish(a, 100);
        awaitNewest(viewer, counted);
        assertEquals(Set.of(), old(front, counted));
        assertEquals(List.of(), viewer.all("close"), "the viewer stayed connected");
      }
    }
  }

  /** The newest ids that a snapshot does not have. */
  private static Set<String> old(GalopProcess front, Counted counted) {
    try (Viewer viewer = Viewer.on(front.http("/live"), "websocket", "a/#", "--snapshot")) {
      Await.until("a snapshot", 120, () -> !viewer.all("live").isEmpty());
      Set<String> old = counted.newest();
      Set<String> shown = ids(viewer);
      old.removeAll(shown);
      return old;
    }
  }

  private static Set<String> history(GalopProcess node) throws Exception {
    return Stored.history(node.http("/history/a/%23?limit=10000")).stream()
        .map(Seen::id)
        .collect(Collectors.toSet());
  }

  private static void awaitNewest(Viewer viewer, Counted counted) {
    Await.until("the viewer has the newest", 120, () -> ids(viewer).containsAll(counted.newest()));
  }

  private static void awaitSeen(Viewer viewer, Counted counted) {
    Await.until("the viewer has all", 120, () -> ids(viewer).containsAll(counted.ids()));
  }

  private static Set<String> ids(Viewer viewer) {
    return viewer.records().stream().map(Seen::id).collect(Collectors.toSet());
  }
}
