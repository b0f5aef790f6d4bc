package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * One of two broadcast nodes stands still under load. It costs the shards' owner no more than its
 * credit, and the other node's browsers nothing; its own are told, and miss nothing that is not
 * announced. For {@code galop.long} at 5 MB/s and also for so long that the cluster throws it out,
 * and that the RAM tier no longer has all of what it missed.
 */
@Tag("alone")
@Timeout(400)
class SlowNodeIT {
  private static final boolean LONG = Boolean.getBoolean("galop.long");
  private static final int BYTES_PER_SECOND = LONG ? 5_000_000 : 1_000_000;
  private static final long MOST_GROWTH_BYTES = 64L << 20;
  private static final long LOOK_MS = 700;
  private static final int PATIENCE_SECONDS = 90;

  @TempDir Path directory;

  static List<Integer> seconds() {
    return LONG ? List.of(5, 35, 120) : List.of(5);
  }

  @ParameterizedTest
  @MethodSource("seconds")
  void aFrozenNodeCostsOthersNothingAndTellsItsBrowsers(int seconds) throws Exception {
    try (Nodes nodes = new Nodes(directory, List.of("secure", "one", "two"), List.of())) {
      GalopProcess one = nodes.begin("one", "broadcast");
      GalopProcess two = nodes.begin("two", "broadcast");
      GalopProcess secure = nodes.start("secure", "ingest,enrich,persist");
      Nodes.awaitReady(one);
      Nodes.awaitReady(two);
      try (Counting frozen = Counting.on(one);
          Counting other = Counting.on(two);
          Stream stream = Stream.start(secure, BYTES_PER_SECOND)) {
        awaitAll(frozen, 3 * BYTES_PER_SECOND / Stream.RECORD_BYTES);
        one.freeze();
        long grownBytes = growthOver(seconds, secure, stream, other);
        one.thaw();
        assertTrue(grownBytes <= MOST_GROWTH_BYTES, "the owner grew by " + grownBytes + " bytes");
        Nodes.awaitReady(one);
        TimeUnit.SECONDS.sleep(1);
        int all = stream.stop();
        awaitAll(other, all);
        assertHasAllOrIsTold(frozen, all);
        assertEquals(0, other.count("close") + other.count("resumed false"), other.toString());
        assertEquals(0, other.doubled() + frozen.doubled());
      }
    }
  }

  /** By how much the owner's memory grows at most, while the other node's viewer misses nothing. */
  private static long growthOver(int seconds, GalopProcess owner, Stream stream, Counting other)
      throws Exception {
    Memory before = Memory.of(owner);
    long most = 0;
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (System.nanoTime() - end < 0) {
      TimeUnit.MILLISECONDS.sleep(LOOK_MS);
      most = Math.max(most, Memory.of(owner).growth(before));
      awaitAll(other, stream.acknowledged());
    }
    return most;
  }

  private static void awaitAll(Counting watcher, int below) {
    try {
      Await.until("all is seen", PATIENCE_SECONDS, () -> watcher.missing(below).isEmpty());
    } catch (AssertionError late) {
      throw new AssertionError(watcher + ", missing " + watcher.missing(below), late);
    }
  }

  private static void assertHasAllOrIsTold(Counting watcher, int all) {
    Await.until(
        "what was missed is there or announced",
        PATIENCE_SECONDS,
        () -> watcher.missing(all).isEmpty() || watcher.count("resumed false") > 0);
    Await.until(
        "the newest record of each topic",
        PATIENCE_SECONDS,
        () -> watcher.missing(all).nextSetBit(all - Stream.TOPICS) < 0);
  }
}
