package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The oldest node, which leads Hazelcast's members, only broadcasts; it stands still for longer
 * than the others wait for it. It stores nothing, so nobody should notice but its own viewers.
 */
@Tag("alone")
@Timeout(240)
class FrozenMasterIT {
  private static final String INSIDE = "ingest,enrich,persist";
  private static final long FREEZE_MS = 8_000;

  /** What the others may take for each change. */
  private static final int HEALED_SECONDS = 120;

  @TempDir Path directory;

  @Test
  void storingNodesGoOnWhileTheNodeThatLeadsStandsStill() throws Exception {
    try (Nodes nodes = new Nodes(directory, List.of("front", "a", "b", "second"), List.of())) {
      GalopProcess front = nodes.begin("front", "broadcast");
      GalopProcess a = nodes.start("a", INSIDE);
      GalopProcess b = nodes.start("b", INSIDE);
      GalopProcess second = nodes.start("second", "broadcast");
      Nodes.awaitReady(front);
      Counted counted = new Counted();
      try (Viewer viewer = Viewer.on(front.http("/live"), "websocket", "a/#");
          Viewer other = Viewer.on(second.http("/live"), "websocket", "a/#")) {
        timed("both own their shards", () -> counted.publish(a, 200));
        front.freeze();
        long thaw = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(FREEZE_MS);
        while (System.nanoTime() - thaw < 0) {
          timed("while it stands still", () -> counted.publish(b, 80));
          Thread.sleep(500); // a load that goes on, not a guess
        }
        awaitSeen(other, counted);
        front.thaw();
        timed("when it goes on", () -> counted.publish(a, 200));
        Await.until("it is back", HEALED_SECONDS, () -> Nodes.members(front).size() == 4);
        Nodes.awaitReady(front);
        timed("when it is back", () -> counted.publish(b, 200));
        awaitSeen(other, counted);
        awaitNewest(front, viewer, counted);
        assertEquals(List.of(), other.all("close"));
      }
    }
  }

  @Test
  void aStoringNodeThatDiesMeanwhileIsReplacedAndTakenInAgain() throws Exception {
    try (Nodes nodes = new Nodes(directory, List.of("front", "a", "b"), List.of())) {
      GalopProcess front = nodes.begin("front", "broadcast");
      GalopProcess a = nodes.start("a", INSIDE);
      GalopProcess b = nodes.start("b", INSIDE);
      Nodes.awaitReady(front);
      Counted counted = new Counted();
      timed("both own their shards", () -> counted.publish(a, 200));
      front.freeze();
      b.kill();
      long frozen = System.nanoTime();
      timed("a owns all shards", () -> counted.publish(a, 200));
      long left = FREEZE_MS - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - frozen);
      Thread.sleep(Math.max(0, left));
      front.thaw();
      timed("the leader goes on", () -> counted.publish(a, 200));
      GalopProcess again = nodes.start("b", INSIDE);
      timed("b is back", () -> counted.publish(again, 200));
      Nodes.awaitReady(front);
      Await.until(
          "all of it is in the history",
          HEALED_SECONDS,
          () ->
              Stored.history(front.http("/history/a/%23?limit=10000")).stream()
                  .map(Seen::id)
                  .collect(Collectors.toSet())
                  .equals(counted.ids()));
    }
  }

  private interface Step {
    void run() throws Exception;
  }

  /** Records of all shards are acknowledged in time. */
  private static void timed(String when, Step publish) throws Exception {
    long began = System.nanoTime();
    publish.run();
    long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
    assertTrue(tookMs < HEALED_SECONDS * 1_000, when + ": acknowledged after " + tookMs + " ms");
  }

  private static void awaitSeen(Viewer viewer, Counted counted) {
    Await.until(
        "the other viewer has all", HEALED_SECONDS, () -> ids(viewer).containsAll(counted.ids()));
  }

  /** It was told of what it missed, or has all; in any case it is shown the newest. */
  private static void awaitNewest(GalopProcess front, Viewer viewer, Counted counted) {
    Await.until(
        "its own viewer has the newest",
        HEALED_SECONDS,
        () -> ids(viewer).containsAll(counted.newest()));
    Set<String> seen = ids(viewer);
    boolean isTold = viewer.all("stale").size() + viewer.all("resumed").size() > 0;
    assertTrue(isTold || seen.containsAll(counted.ids()), "missed silently:\n" + front.text());
  }

  private static Set<String> ids(Viewer viewer) {
    return viewer.records().stream().map(Seen::id).collect(Collectors.toSet());
  }
}
