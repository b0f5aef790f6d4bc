package io.galop.persist;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.persist.LogConfig;
import io.galop.node.Readiness;
import io.galop.persist.log.Log;
import io.galop.persist.log.file.LogPosition;
import io.galop.record.Batch;
import io.galop.record.Record;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whoever writes again at each count is found by the next start. */
@Timeout(120)
class LogAgeTest {
  private static final int SEGMENT_BYTES = 65_536;
  private static final LogConfig KEPT =
      new LogConfig(SEGMENT_BYTES, 8_192, 6 * SEGMENT_BYTES, 24, 1L << 30, 0);
  private static final int COUNTS = 12;

  @TempDir private Path directory;

  private static void append(Log log, long offset) {
    byte[] data = ("{\"pad\":\"" + "x".repeat(4_000) + "\"}").getBytes();
    Record record = new Record("" + offset, "t", offset, data);
    log.append(new Batch(0, 1, offset, List.of(record)), 0).await();
  }

  /** Neither beyond what a start reads nor, where less is kept, beyond that. */
  @Test
  void whatWasWrittenAtACountIsFoundUntilTheNext() {
    for (long readBytes : new long[] {3 * SEGMENT_BYTES, 1L << 30}) {
      Path own = directory.resolve("" + readBytes);
      try (Log log = Log.open(own, KEPT, 1, new SimpleMeterRegistry(), new Readiness())) {
        log.startRetention(kept -> System.currentTimeMillis());
        LogAge age = new LogAge(log, readBytes, 0);
        LogPosition written = log.durable();
        long count = 0;
        long offset = 1;
        long keptBytes = Math.min(readBytes, KEPT.retentionBytes() - SEGMENT_BYTES);
        while (count < COUNTS) {
          append(log, offset++);
          assertTrue(log.positionForTail(keptBytes).compareTo(written) <= 0, "at " + offset);
          if (age.count(0) != count) {
            assertEquals(++count, age.count(0));
            written = log.durable();
          }
        }
        assertTrue(offset * 4_000 > COUNTS * keptBytes / 2, "not more often than needed");
      }
    }
  }

  @Test
  void halfOfTheTimeCountsToo() {
    try (Log log = Log.open(directory, KEPT, 1, new SimpleMeterRegistry(), new Readiness())) {
      LogAge age = new LogAge(log, 1L << 30, 0);
      long half = TimeUnit.HOURS.toNanos(12);
      assertEquals(0, age.count(half - 1));
      assertEquals(1, age.count(half));
      assertEquals(1, age.count(2 * half - 1));
      assertEquals(2, age.count(2 * half));
    }
  }
}
