package io.galop.persist.log;

import static io.galop.persist.log.TestLog.await;
import static io.galop.persist.log.TestLog.batch;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.bus.Refusal;
import io.galop.bus.Refusal.Why;
import io.galop.config.persist.LogConfig;
import io.galop.persist.log.file.FileDisk;
import io.galop.persist.log.file.LogPosition;
import io.galop.persist.log.file.Segment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class LogQuotaTest {
  private static final int SEGMENT = 65_536;
  private static final LogConfig FIVE_SEGMENTS =
      new LogConfig(SEGMENT, SEGMENT / 8, SEGMENT, 24, 5L * SEGMENT, 1_000);
  @TempDir Path directory;

  private static void waitUntil(BooleanSupplier condition) throws InterruptedException {
    while (!condition.getAsBoolean()) {
      Thread.sleep(5);
    }
  }

  private static long fill(Log log, long offset) throws Exception {
    while (!log.isOverQuota()) {
      if (log.refusal().isEmpty()) {
        await(log.append(batch(1, 7, offset, 10)));
        offset += 10;
      }
    }
    return offset;
  }

  private long diskBytes() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.mapToLong(file -> file.toFile().length()).sum();
    }
  }

  @Test
  void refusesAtTheQuotaAndTakesAgainWhenTheSlowReaderHasPassed() throws Exception {
    try (Log log = new TestLog(directory).open(FIVE_SEGMENTS, new FileDisk())) {
      LogCursor cursor = log.cursor("slow", LogPosition.START);
      log.startRetention(kept -> System.currentTimeMillis());
      long next = fill(log, 1);
      assertEquals(Why.OVER_QUOTA, log.refusal().map(Refusal::why).orElseThrow());
      assertTrue(log.isOverQuota());
      assertTrue(diskBytes() <= FIVE_SEGMENTS.quotaBytes(), "disk " + diskBytes());
      assertTrue(next > 700, "most of the quota is used before " + next);
      assertEquals(next - 1, TestLog.readAll(log).size());
      cursor.advance(log.durable());
      waitUntil(() -> !log.isOverQuota());
      await(log.append(batch(1, 7, next, 10)));
      waitUntil(() -> TestLog.readAll(log).size() < next);
    }
  }

  @Test
  void freesNothingBeforeItIsToldThatAllReadersAreThere() throws Exception {
    try (Log log = new TestLog(directory).open(FIVE_SEGMENTS, new FileDisk())) {
      long next = fill(log, 1);
      assertEquals(next - 1, TestLog.readAll(log).size());
      log.startRetention(kept -> System.currentTimeMillis());
      waitUntil(() -> !log.isOverQuota());
    }
  }

  @Test
  void freesWhatIsTooOldByTheClockThatItIsGiven() throws Exception {
    long hourMs = 3_600_000;
    LogConfig config = new LogConfig(SEGMENT, SEGMENT / 8, 90L * SEGMENT, 1, 100L * SEGMENT, 0);
    AtomicLong nowMs = new AtomicLong(System.currentTimeMillis());
    try (Log log = new TestLog(directory).open(config, new FileDisk())) {
      log.startRetention(kept -> kept == hourMs ? nowMs.get() : Long.MAX_VALUE);
      for (int i = 0; i < 50; i++) {
        await(log.append(batch(1, 7, i * 20 + 1, 20)));
      }
      Thread.sleep(300);
      assertTrue(Files.exists(Segment.path(directory, 1)));
      nowMs.addAndGet(2 * hourMs);
      waitUntil(() -> !Files.exists(Segment.path(directory, 1)));
    }
  }

  @Test
  void refusesWhenTheDiskIsNearlyFullAndTakesAgainWhenThereIsSpace() throws Exception {
    FaultyDisk disk = new FaultyDisk();
    try (Log log = new TestLog(directory).open(TestLog.SMALL, disk)) {
      await(log.append(batch(1, 7, 1, 1)));
    }
    disk.usable(SEGMENT / 2);
    try (Log log = new TestLog(directory).open(TestLog.SMALL, disk)) {
      long next = fill(log, 2);
      assertEquals(Why.OVER_QUOTA, log.refusal().map(Refusal::why).orElseThrow());
      disk.usable(Long.MAX_VALUE);
      waitUntil(() -> !log.isOverQuota());
      await(log.append(batch(1, 7, next, 10)));
    }
  }

  @Test
  void keepsTheEpochsOfQuietShardsWhenTheirSegmentsAreFreed() throws Exception {
    LogConfig config = new LogConfig(SEGMENT, SEGMENT / 8, 0, 24, 5L * SEGMENT, 0);
    try (Log log = new TestLog(directory).open(config, new FileDisk())) {
      await(log.append(batch(2, 5, 1, 33)));
      log.startRetention(kept -> System.currentTimeMillis());
      for (int i = 0; i < 100; i++) {
        await(log.append(batch(1, 7, i * 20 + 1, 20)));
      }
      waitUntil(() -> !Files.exists(Segment.path(directory, 1)));
    }
    try (Log log = new TestLog(directory).open(config, new FileDisk())) {
      assertEquals(33, log.recovered(2).last().offset());
      assertEquals(2_000, log.recovered(1).last().offset());
      assertFalse(TestLog.readAll(log).isEmpty());
    }
  }
}
