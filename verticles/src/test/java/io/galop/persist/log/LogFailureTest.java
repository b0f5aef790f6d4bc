package io.galop.persist.log;

import static io.galop.persist.log.TestLog.await;
import static io.galop.persist.log.TestLog.batch;
import static io.galop.persist.log.TestLog.ids;
import static io.galop.persist.log.TestLog.readAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.bus.Refusal;
import io.galop.bus.Refusal.Why;
import io.galop.persist.log.file.LogException;
import io.galop.persist.log.file.LogPosition;
import io.galop.record.Batch;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(180)
class LogFailureTest {
  @TempDir Path directory;

  private static Why refusal(Future<Void> refused) {
    ExecutionException failure = assertThrows(ExecutionException.class, () -> await(refused));
    return ((Refusal) failure.getCause()).why();
  }

  @Test
  void acknowledgesNothingAfterAFailedFsync() throws Exception {
    TestLog test = new TestLog(directory);
    FaultyDisk disk = new FaultyDisk();
    try (Log log = test.open(TestLog.SMALL, disk)) {
      await(log.append(batch(1, 7, 1, 10)));
      LogPosition durable = log.durable();
      disk.failForce();
      assertEquals(Why.LOG_FAILED, refusal(log.append(batch(1, 7, 11, 10))));
      assertEquals(Why.LOG_FAILED, refusal(log.append(batch(1, 7, 21, 10))));
      assertEquals(Why.LOG_FAILED, log.refusal().orElseThrow().why());
      assertFalse(test.readiness.isReady());
      assertTrue(test.readiness.reasons().get("log").contains("Input/output error"));
      assertEquals(durable, log.durable());
      assertEquals(10, readAll(log).size());
    }
    try (Log log = test.open()) {
      assertTrue(test.readiness.isReady());
      assertTrue(ids(readAll(log)).containsAll(List.of("1.7-1", "1.7-10")));
    }
  }

  @Test
  void losesNothingAcknowledgedWhenThePowerIsCut() throws Exception {
    Random random = new Random(7);
    TestLog test = new TestLog(directory);
    List<String> acknowledged = new ArrayList<>();
    for (int cut = 1; cut <= 40; cut++) {
      FaultyDisk disk = new FaultyDisk();
      List<Batch> sent = new ArrayList<>();
      List<Future<Void>> answers = new ArrayList<>();
      try (Log log = test.open(TestLog.SMALL, disk)) {
        assertTrue(ids(readAll(log)).containsAll(acknowledged), "after " + (cut - 1) + " cuts");
        assertEquals(List.of(), log.recovery().damages(), "no false alarm");
        int batches = 1 + random.nextInt(60);
        for (int i = 0; i < batches; i++) {
          sent.add(batch(i % 4, cut, (i / 4) * 5 + 1, 5));
          answers.add(log.append(sent.get(i)));
        }
        await(answers.get(random.nextInt(answers.size())).otherwiseEmpty());
        disk.cutPower(random, random.nextDouble());
      }
      for (int i = 0; i < sent.size(); i++) {
        if (answers.get(i).succeeded()) {
          sent.get(i).records().forEach(record -> acknowledged.add(record.id()));
        }
      }
    }
    assertTrue(acknowledged.size() > 400, "acknowledged " + acknowledged.size());
    try (Log log = test.open()) {
      List<String> read = ids(readAll(log));
      assertTrue(read.containsAll(acknowledged));
      assertEquals(read.size(), read.stream().distinct().count());
    }
  }

  /** Sectors of a group that was never confirmed reach the disk in any order, or not at all. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void raisesNoAlarmForAGroupThatAPowerCutHasTorn(int seed) throws Exception {
    TestLog test = new TestLog(directory);
    FaultyDisk disk = new FaultyDisk();
    Semaphore release = new Semaphore(0);
    List<Future<Void>> answers = new ArrayList<>();
    try (Log log = test.open(TestLog.SMALL, disk)) {
      await(log.append(batch(0, 1, 1, 5)));
      disk.cutPowerAfterNextForce(new Random(seed), 0.7, release);
      answers.add(log.append(batch(1, 1, 1, 5)));
      for (int i = 0; i < 20; i++) {
        answers.add(log.append(batch(i % 4, 2, (i / 4) * 5 + 1, 5)));
      }
      release.release();
      refusal(answers.get(answers.size() - 1));
    }
    int acknowledged = 5 + 5 * (int) answers.stream().filter(Future::succeeded).count();
    int found = 0;
    for (int start = 1; start <= 3; start++) {
      try (Log log = test.open()) {
        assertEquals(List.of(), log.recovery().damages(), "start " + start);
        List<String> read = ids(readAll(log));
        assertTrue(read.size() >= acknowledged, read.size() + " of " + acknowledged);
        assertEquals(start == 1 ? read.size() : found, read.size(), "start " + start);
        found = read.size() + 5;
        await(log.append(batch(3, 10 + start, 1, 5)));
      }
    }
  }

  @Test
  void neverShowsReadersWhatIsNotDurable() throws Exception {
    FaultyDisk disk = new FaultyDisk();
    try (Log log = new TestLog(directory).open(TestLog.SMALL, disk);
        LogReader reader = log.reader(LogPosition.START)) {
      await(log.append(batch(1, 7, 1, 3)));
      assertEquals(3, reader.read(1 << 20).records().size());
      disk.failForce();
      refusal(log.append(batch(1, 7, 4, 3)));
      assertEquals(0, reader.read(1 << 20).records().size());
      assertFalse(log.awaitBeyond(reader.position(), 0));
    }
  }

  @Test
  void aReaderPassesNothingOverWhenItCouldNotReadForAMoment() throws Exception {
    FaultyDisk disk = new FaultyDisk();
    try (Log log = new TestLog(directory).open(TestLog.SMALL, disk)) {
      for (int i = 0; i < 100; i++) {
        await(log.append(batch(1, 7, 10 * i + 1, 10)));
      }
      assertTrue(log.durable().segment() > 3, "there are several segments");
      try (LogReader reader = log.reader(LogPosition.START)) {
        disk.failOpenAfter(2);
        assertThrows(LogException.class, () -> reader.read(1 << 20));
        assertEquals(ids(readAll(log)), ids(reader.read(1 << 20).records()));
        assertEquals(log.durable(), reader.position());
      }
    }
  }
}
