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

/** A node is frozen for longer than the others wait for it, and comes back as it was. */
@Tag("alone")
@Timeout(180)
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
        Await.until("the front is unready", 120, () -> !Nodes.isReady(pair.front()));
        pair.secure().thaw();
        Nodes.awaitReady(pair.front());
        Await.until("the viewer is told", 120, () -> viewer.all("fresh").size() > told);
      }
      counted.publish(pair.secure(), 100);
      awaitSeen(viewer, counted);
      assertEquals(List.of(), viewer.all("close"), "the viewer stayed connected");
      assertEquals(300, viewer.all("rec").size(), "each record once");
    }
  }

  private static void awaitSeen(Viewer viewer, Counted counted) {
    Await.until("the viewer has all", 120, () -> ids(viewer).containsAll(counted.ids()));
  }

  private static Set<String> ids(Viewer viewer) {
    return viewer.records().stream().map(Seen::id).collect(Collectors.toSet());
  }
}
