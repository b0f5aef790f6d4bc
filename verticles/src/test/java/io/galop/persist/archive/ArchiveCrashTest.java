package io.galop.persist.archive;

import static io.galop.persist.archive.ArchiveLines.LOG;
import static io.galop.persist.archive.ArchiveLines.batch;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.persist.ArchiveConfig;
import io.galop.persist.archive.MemoryDisk.Fault;
import io.galop.persist.log.file.LogPosition;
import io.galop.persist.store.ReopenException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Each record is in the files once, whichever step on the disk fails, is killed in or meets a power
 * cut: every one of them is tried, with each fault. So it is in a bucket that files are uploaded
 * to.
 */
class ArchiveCrashTest {
  private static final int RECORDS = 60;
  private static final int MOST_OF_A_BATCH = 9;
  private static final ArchiveConfig CONFIG =
      ArchiveLines.config("/archive", ", maxFileBytes: 1024, maxOpenFiles: 3, maxFileSeconds: 40");

  /** What comes after the fault. */
  enum Then {
    /** The process goes on. */
    GO_ON,
    /** It is killed; the kernel has what was written. */
    KILL,
    /** What was not synced is lost. */
    POWER_CUT,
    /** Some of it is. */
    POWER_CUT_AMID
  }

  /** A clock that is a second later each time. */
  private static final class Ticking extends Clock {
    private long now = 1_764_115_200L;

    @Override
    public Instant instant() {
      return Instant.ofEpochSecond(now++);
    }

    @Override
    public ZoneOffset getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(java.time.ZoneId zone) {
      return this;
    }
  }

  private final Clock clock = new Ticking();

  /** What was uploaded, by name, if files are. */
  private final Map<Path, byte[]> uploaded = new TreeMap<>();

  private boolean isUploading;

  /** How far the store has said that it is; the Log may have let go of what is before. */
  private int acknowledged;

  private ArchiveStore store(MemoryDisk disk) {
    Upload upload =
        (file, name) ->
            disk.step(() -> uploaded.put(Path.of("/archive", name), disk.read(file).orElseThrow()));
    Shelf shelf =
        isUploading
            ? new UploadShelf(disk, upload)
            : new DirectoryShelf(disk, Path.of(CONFIG.directory()));
    return ArchiveStores.store(CONFIG, disk, shelf, clock);
  }

  private Map<Path, byte[]> files(MemoryDisk disk) {
    return isUploading ? uploaded : disk.files(".ndjson.gz");
  }

  /** What a sink does, until all is stored: it begins where the store says, with other batches. */
  private void fill(MemoryDisk disk, Then then, long seed) throws Exception {
    Random random = new Random(seed);
    ArchiveStore store = store(disk);
    int failures = 0;
    boolean isDone = false;
    while (!isDone) {
      try {
        follow(store, random);
        isDone = true;
      } catch (IOException | ReopenException e) {
        assertTrue(++failures < 3, "one fault was planted: " + e);
        if (then == Then.GO_ON) {
          tryToTrim(store); // as one does that waits behind what has failed
        } else if (then != Then.KILL) {
          disk.cutPower(then == Then.POWER_CUT_AMID);
        }
        check(disk, false);
        store = then == Then.GO_ON ? store : store(disk);
      }
    }
    finish(disk, store);
  }

  private void follow(ArchiveStore store, Random random) throws Exception {
    int at = (int) store.open(LOG).map(LogPosition::offset).orElse(0L).longValue();
    assertTrue(at >= acknowledged, "it was at " + acknowledged + ", and is at " + at);
    while (at < RECORDS) {
      int to = Math.min(RECORDS, at + 1 + random.nextInt(MOST_OF_A_BATCH));
      boolean withCursor = random.nextInt(3) > 0;
      store.write(batch(at, to, withCursor));
      if (!withCursor && random.nextBoolean()) {
        store.saveCursor(LOG, new LogPosition(1, to));
      }
      acknowledged = withCursor ? to : acknowledged;
      store.trim(kept -> System.currentTimeMillis());
      at = to;
    }
    store.saveCursor(LOG, new LogPosition(1, RECORDS));
  }

  private static void tryToTrim(ArchiveStore store) {
    try {
      store.trim(kept -> System.currentTimeMillis());
    } catch (IOException | ReopenException e) {
      assertTrue(e.getMessage().endsWith("it is not open"), e.getMessage());
    }
  }

  /** Its end may fail too: then the next start finishes what it left. */
  private void finish(MemoryDisk disk, ArchiveStore store) throws Exception {
    store.close();
    ArchiveStore next = store(disk);
    try {
      next.open(LOG);
    } catch (IOException e) {
      next.open(LOG);
    }
    next.close();
  }

  /** Whatever has a final name is whole; all of it in the end. */
  private void check(MemoryDisk disk, boolean isAll) throws IOException {
    List<Integer> found = new ArrayList<>();
    for (Map.Entry<Path, byte[]> file : files(disk).entrySet()) {
      for (JsonObject line : ArchiveLines.lines(file.getValue())) {
        found.add(line.getJsonObject("data").getInteger("n"));
      }
    }
    List<Integer> sorted = found.stream().sorted().toList();
    assertEquals(sorted.stream().distinct().toList(), sorted, "none is there twice");
    if (isAll) {
      assertEquals(IntStream.range(0, RECORDS).boxed().toList(), sorted);
      assertEquals(Map.of(), disk.files(".part"));
      assertEquals(Map.of(), disk.files(".damaged"));
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyRecordIsThereOnceWhicheverStepFails(Then then) throws Exception {
    tryEachStep(then);
  }

  @ParameterizedTest
  @EnumSource
  void everyRecordIsUploadedOnceWhicheverStepFails(Then then) throws Exception {
    isUploading = true;
    tryEachStep(then);
  }

  private void tryEachStep(Then then) throws Exception {
    for (Fault fault : Fault.values()) {
      int steps = 1;
      for (int at = 0; at < steps; at++) {
        MemoryDisk disk = new MemoryDisk();
        acknowledged = 0;
        uploaded.clear();
        disk.failAt(at, fault);
        try {
          fill(disk, then, at % 7);
          check(disk, true);
        } catch (AssertionError | IOException e) {
          throw new AssertionError("step " + at + " " + fault + " " + then, e);
        }
        steps = Math.max(steps, disk.steps());
      }
      assertTrue(steps > 150, steps + " steps are too few to say much");
    }
  }

  @Test
  void cutsAndFinishesAsMuchAsIsConfigured() throws Exception {
    MemoryDisk disk = new MemoryDisk();
    fill(disk, Then.GO_ON, 1);
    check(disk, true);
    Map<Path, byte[]> files = disk.files(".ndjson.gz");
    assertTrue(files.size() > 8, files.keySet().toString());
    for (Path file : files.keySet()) {
      String partition = file.getParent().toString();
      assertTrue(
          partition.matches("/archive/prefix=(race|plant)/date=2025-11-26/hour=0\\d"), partition);
    }
  }
}
