package io.galop.persist.log;

import static io.galop.persist.log.TestLog.batch;
import static io.galop.persist.log.TestLog.ids;
import static io.galop.persist.log.TestLog.readAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.e2e.Await;
import io.galop.record.Batch;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** On a real file system that forgets what was not flushed. */
@Timeout(180)
class LogPowerCutTest {
  private static final int CUTS = Boolean.getBoolean("galop.long") ? 20 : 5;
  private static final int MOST_CUTS = 20;
  private static final int ACKNOWLEDGED_BEFORE_CUT = 300;

  @TempDir Path directory;

  @Test
  void keepsWhatWasAcknowledged() throws Exception {
    try (LoopDisk disk = LoopDisk.orSkip(directory)) {
      Set<String> acknowledged = new HashSet<>();
      for (int cut = 1; cut <= CUTS; cut++) {
        acknowledged.addAll(appendUntilCut(disk, cut, Log::append));
        assertEquals(Set.of(), missing(disk, acknowledged), "after cut " + cut);
      }
      assertTrue(acknowledged.size() >= CUTS * ACKNOWLEDGED_BEFORE_CUT);
      System.out.printf("power cuts: %d, acknowledged: %d%n", CUTS, acknowledged.size());
    }
  }

  /** A cut may come just when all is on disk and the Log takes nothing more: then another does. */
  @Test
  void wouldLoseItIfTheAcknowledgementDidNotWaitForTheDisk() throws Exception {
    try (LoopDisk disk = LoopDisk.orSkip(directory)) {
      Set<String> acknowledged = new HashSet<>();
      boolean isLost = false;
      for (int cut = 1; cut <= MOST_CUTS && !isLost; cut++) {
        acknowledged.addAll(appendUntilCut(disk, cut, LogPowerCutTest::acknowledgedAtOnce));
        isLost = !missing(disk, acknowledged).isEmpty();
      }
      assertTrue(isLost, "nothing was lost in " + MOST_CUTS + " cuts");
    }
  }

  /** The Log as it must not be: it answers before anything is written. */
  private static Future<Void> acknowledgedAtOnce(Log log, Batch batch) {
    log.append(batch);
    return Future.succeededFuture();
  }

  private static List<String> appendUntilCut(
      LoopDisk disk, long epoch, BiFunction<Log, Batch, Future<Void>> append) throws Exception {
    Queue<String> acknowledged = new ConcurrentLinkedQueue<>();
    try (Log log = new TestLog(disk.directory()).open()) {
      long offset = 1;
      while (acknowledged.size() < ACKNOWLEDGED_BEFORE_CUT) {
        Await.until(
            "the Log has room, or has acknowledged enough",
            120,
            () -> hasRoom(log) || acknowledged.size() >= ACKNOWLEDGED_BEFORE_CUT);
        offset = appendIfRoom(log, epoch, offset, append, acknowledged);
      }
      disk.cutPower();
      for (int i = 0; i < 100; i++) {
        offset = appendIfRoom(log, epoch, offset, append, acknowledged);
      }
    }
    disk.restart();
    return List.copyOf(acknowledged);
  }

  private static boolean hasRoom(Log log) {
    return log.refusal().isEmpty();
  }

  private static long appendIfRoom(
      Log log,
      long epoch,
      long offset,
      BiFunction<Log, Batch, Future<Void>> append,
      Queue<String> acknowledged) {
    if (!hasRoom(log)) {
      return offset;
    }
    Batch batch = batch(1, epoch, offset, 5);
    append
        .apply(log, batch)
        .onSuccess(done -> batch.records().forEach(record -> acknowledged.add(record.id())));
    return offset + 5;
  }

  private static Set<String> missing(LoopDisk disk, Set<String> acknowledged) {
    Set<String> missing = new HashSet<>(acknowledged);
    try (Log log = new TestLog(disk.directory()).open()) {
      ids(readAll(log)).forEach(missing::remove);
      assertEquals(List.of(), log.recovery().damages(), "no false alarm");
    }
    return missing;
  }
}
