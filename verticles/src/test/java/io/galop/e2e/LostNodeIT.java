package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A broadcast node is killed under load; its browsers go on elsewhere with their Positions. */
@Tag("alone")
@Timeout(300)
class LostNodeIT {
  private static final int BYTES_PER_SECOND = 600_000;
  private static final int SOME = 1000;

  /** So little that what was missed has to come from the owner's RAM tier. */
  private static final List<String> SMALL_RING = List.of("--set", "broadcast.ring.maxRecords=64");

  @TempDir Path directory;

  @Test
  void anyOtherNodeAnswersAResumeOfAllShards() throws Exception {
    try (Nodes nodes = new Nodes(directory, List.of("secure", "one", "two"), SMALL_RING)) {
      GalopProcess secure = nodes.start("secure", "ingest,enrich,persist");
      GalopProcess one = nodes.start("one", "broadcast");
      GalopProcess two = nodes.start("two", "broadcast");
      try (Counting moves = Counting.on(one);
          Counting stays = Counting.on(two);
          Stream stream = Stream.start(secure, BYTES_PER_SECOND)) {
        Await.until("both watch", 120, () -> has(moves, SOME) && has(stays, SOME));
        one.kill();
        int then = stream.acknowledged();
        Await.until("it misses some", 120, () -> stream.acknowledged() > then + SOME);
        // Each may be too slow for so small a ring on a busy machine, and come back once more.
        int answered = moves.count("live");
        moves.comeTo(two);
        Await.until("it is answered", 120, () -> moves.count("live") > answered);
        int all = stream.stop();
        Await.until("nothing is missing", 120, () -> has(moves, all) && has(stays, all));
        assertTrue(moves.count("resumed true") >= 2, moves.toString());
        assertEquals(0, moves.count("resumed false"), moves.toString());
        assertEquals(0, moves.doubled() + stays.doubled());
        assertEquals(0, stays.count("resumed false"), stays.toString());
        assertEquals(stays.count("close 3008"), stays.count("close"), stays.toString());
      }
    }
  }

  private static boolean has(Counting watcher, int below) {
    return watcher.missing(below).isEmpty();
  }
}
