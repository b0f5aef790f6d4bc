package io.galop.persist.log;

import static io.galop.persist.log.TestLog.await;
import static io.galop.persist.log.TestLog.batch;
import static io.galop.persist.log.TestLog.ids;
import static io.galop.persist.log.TestLog.readAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.Logged;
import io.galop.persist.log.file.LogException;
import io.galop.persist.log.file.LogPosition;
import io.galop.persist.log.file.Segment;
import io.galop.record.Placed;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Somebody deletes files of a Log that is open. */
@Tag("slow")
@Timeout(180)
class LogPresenceTest {
  @TempDir Path directory;

  private static void until(BooleanSupplier condition) throws InterruptedException {
    while (!condition.getAsBoolean()) {
      Thread.sleep(5);
    }
  }

  private Path newest(Log log) {
    return Segment.path(directory, log.durable().segment());
  }

  @Test
  void putsTheSegmentBackThatItWritesTo() throws Exception {
    TestLog test = new TestLog(directory);
    List<Placed> followed = new ArrayList<>();
    try (Log log = test.open();
        LogReader reader = log.reader(LogPosition.START);
        Logged logged = new Logged(SegmentWriter.class)) {
      await(log.append(batch(1, 7, 1, 50)));
      followed.addAll(reader.read(1 << 20).records());
      Files.delete(newest(log));
      await(log.append(batch(1, 7, 51, 50)));
      followed.addAll(reader.read(1 << 20).records());
      until(() -> Files.exists(newest(log)));
      until(() -> logged.with("ERROR").size() == 1);
      await(log.append(batch(1, 7, 101, 50)));
      followed.addAll(reader.read(1 << 20).records());
      assertEquals(150, followed.size(), "who follows misses nothing");
      assertEquals(150, readAll(log).size());
    }
    try (Log log = test.open()) {
      assertEquals(ids(followed), ids(readAll(log)));
      assertEquals(List.of(), log.recovery().damages());
    }
  }

  @Test
  void putsItBackAlsoWhenItIsFullBeforeAnybodyLooked() throws Exception {
    TestLog test = new TestLog(directory);
    try (Log log = test.open()) {
      await(log.append(batch(1, 7, 1, 50)));
      Files.move(newest(log), directory.resolve("moved"));
      Files.createFile(newest(log));
      await(log.append(batch(1, 7, 51, 300)));
    }
    try (Log log = test.open()) {
      assertEquals(350, readAll(log).size());
      assertEquals(List.of(), log.recovery().damages());
    }
  }

  @Test
  void saysThatASealedSegmentIsGoneAndDoesNotPassItOverBefore() throws Exception {
    TestLog test = new TestLog(directory);
    try (Log log = test.open();
        LogReader reader = log.reader(LogPosition.START)) {
      await(log.append(batch(1, 7, 1, 700)));
      Files.delete(Segment.path(directory, 1));
      assertThrows(LogException.class, () -> reader.read(1 << 20));
      until(() -> test.readiness.warnings().containsKey("log"));
      assertTrue(test.readiness.warnings().get("log").contains("0000000000000001.log"));
      assertEquals(1, test.meters.get("galop.persist.log.damaged").counter().count());
      assertTrue(reader.read(1 << 20).records().size() > 200, "the others are there");
      await(log.append(batch(1, 7, 701, 10)));
    }
  }

  @Test
  void failsWhereItsDirectoryIsGone() throws Exception {
    TestLog test = new TestLog(directory.resolve("log"));
    try (Log log = test.open()) {
      await(log.append(batch(1, 7, 1, 10)));
      Files.move(directory.resolve("log"), directory.resolve("elsewhere"));
      until(() -> !test.readiness.isReady());
      assertTrue(log.refusal().isPresent());
    }
  }

  @Test
  void makesAnotherSpareWhereItWasDeleted() throws Exception {
    try (Log log = new TestLog(directory).open()) {
      Path spare = directory.resolve("spare.tmp");
      until(() -> Files.exists(spare) && spare.toFile().length() == TestLog.SMALL.segmentBytes());
      Files.delete(spare);
      until(() -> Files.exists(spare));
      await(log.append(batch(1, 7, 1, 700)));
      assertEquals(700, readAll(log).size());
    }
  }
}
