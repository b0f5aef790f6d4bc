package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.galop.record.Position;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Shards change hands: a second node that stores joins, is killed, comes back and is stopped. */
@Timeout(300)
class TwoPersistNodesIT {
  private static final String INSIDE = "ingest,enrich,persist";
  private static final int RECORDS = 200;

  @TempDir Path directory;

  @Test
  void shardsMoveToASecondNodeAndBackWhenItGoes() throws Exception {
    // A kill is noticed by its closed connections; what is slow must not be taken for dead here.
    List<String> quick = List.of("--set", "cluster.maxSilenceSeconds=15");
    try (Nodes nodes = new Nodes(directory, List.of("a", "b", "front"), quick)) {
      GalopProcess a = nodes.start("a", INSIDE);
      GalopProcess front = nodes.start("front", "broadcast");
      Counted counted = new Counted();
      try (Viewer viewer = Viewer.on(front.http("/live"), "websocket", "a/#")) {
        counted.publish(a, RECORDS);
        awaitSeen(viewer, counted);

        GalopProcess b = nodes.start("b", INSIDE);
        counted.publish(a, RECORDS);
        counted.publish(b, RECORDS);
        awaitSeen(viewer, counted);
        Await.until("all is there", 120, () -> history(front).keySet().equals(counted.ids()));
        assertResumes(front, viewer, counted, 3 * RECORDS);

        b.kill();
        counted.publish(a, RECORDS);
        awaitSeen(viewer, counted);

        b = nodes.start("b", INSIDE);
        counted.publish(b, RECORDS);
        awaitSeen(viewer, counted);
        Await.until("all is in history", 120, () -> history(front).keySet().equals(counted.ids()));
        history(front).forEach((id, times) -> assertEquals(1, times, id));

        int gaps = gaps(viewer);
        b.terminate();
        assertEquals(0, b.awaitExit(120), b.text());
        counted.publish(a, RECORDS);
        awaitSeen(viewer, counted);
        assertEquals(gaps, gaps(viewer), "what b had went to a before b left");
        assertEquals(List.of(), viewer.all("close"));
      }
    }
  }

  private static int gaps(Viewer viewer) {
    return viewer.all(m -> Boolean.FALSE.equals(m.getBoolean("complete"))).size();
  }

  private static void awaitSeen(Viewer viewer, Counted counted) {
    Await.until(
        "the viewer has what was acknowledged",
        120,
        () ->
            viewer.records().stream()
                .map(Seen::id)
                .collect(Collectors.toSet())
                .containsAll(counted.ids()));
  }

  /** A browser that had Positions of the time before the hand-over misses nothing after it. */
  private static void assertResumes(
      GalopProcess front, Viewer first, Counted counted, int records) {
    assertEquals(records, first.records().size());
    String since =
        first.positions().values().stream()
            .map(Position::toString)
            .collect(Collectors.joining(","));
    try (Viewer back = Viewer.on(front.http("/live"), "xhr-streaming", "a/#", "--since", since)) {
      Await.until("the resume is answered", 120, () -> !back.all("resumed").isEmpty());
      assertEquals(List.of(true), complete(back));
    }
  }

  private static List<Boolean> complete(Viewer viewer) {
    return viewer.all("resumed").stream().map(m -> m.getBoolean("complete")).toList();
  }

  /** Id → how often it is in the answer. */
  private static Map<String, Long> history(GalopProcess node) throws Exception {
    return Stored.history(node.http("/history/a/%23?limit=10000")).stream()
        .collect(Collectors.groupingBy(Seen::id, Collectors.counting()));
  }
}
