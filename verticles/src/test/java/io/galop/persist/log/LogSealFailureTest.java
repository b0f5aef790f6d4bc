package io.galop.persist.log;

import static io.galop.persist.log.TestLog.await;
import static io.galop.persist.log.TestLog.batch;
import static io.galop.persist.log.TestLog.ids;
import static io.galop.persist.log.TestLog.readAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the Log makes of pages that a failed fsync has left behind. What a start finds counts as
 * stored, also for a publisher that sends again what was refused; so it must be on the disk.
 */
@Timeout(180)
class LogSealFailureTest {
  /** More than a segment, so that the first fsync is that of a segment being sealed. */
  private static final int MORE_THAN_A_SEGMENT = 300;

  @TempDir Path directory;

  @Test
  void whatAStartFindsInASegmentThatCouldNotBeSealedIsOnTheDisk() throws Exception {
    checkFoundIsOnTheDisk(MORE_THAN_A_SEGMENT);
  }

  @Test
  void whatAStartFindsInTheSegmentThatWasWrittenIsOnTheDisk() throws Exception {
    checkFoundIsOnTheDisk(20);
  }

  private void checkFoundIsOnTheDisk(int refused) throws Exception {
    TestLog test = new TestLog(directory);
    PageCacheDisk disk = new PageCacheDisk();
    try (Log log = test.open(TestLog.SMALL, disk)) {
      await(log.append(batch(1, 7, 1, 10)));
      disk.failNextForce();
      assertThrows(ExecutionException.class, () -> await(log.append(batch(1, 7, 11, refused))));
    }
    List<String> found;
    try (Log log = test.open(TestLog.SMALL, disk)) {
      found = ids(readAll(log));
      assertTrue(found.size() > 10, "the cache has what was refused");
    }
    disk.cutPower(directory);
    try (Log log = test.open(TestLog.SMALL, disk)) {
      List<String> left = ids(readAll(log));
      assertEquals(found.size(), left.size());
      assertEquals(found, left);
      assertEquals(List.of(), log.recovery().damages());
    }
  }
}
