package io.galop.persist.log;

import static io.galop.persist.log.TestLog.await;
import static io.galop.persist.log.TestLog.batch;
import static io.galop.persist.log.TestLog.readAll;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.persist.log.file.EpochEnd;
import io.galop.record.Placed;
import io.galop.record.Position;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class LogTest {
  @TempDir Path directory;

  @Test
  void readsBackWhatWasAppendedAndAgainAfterOpening() throws Exception {
    TestLog test = new TestLog(directory);
    try (Log log = test.open()) {
      await(log.beginEpoch(1, 7, Position.none(1)));
      await(log.append(batch(1, 7, 1, 100)));
      await(log.append(batch(2, 9, 1, 3)));
      check(readAll(log));
    }
    try (Log log = test.open()) {
      check(readAll(log));
      assertEquals(new Position(1, 7, 100), log.recovered(1).last());
      assertEquals(List.of(new EpochEnd(7, 100)), log.recovered(1).epochs());
      assertEquals(Position.none(0), log.recovered(0).last());
      assertEquals(103, log.recovery().records());
      assertTrue(log.recovery().damages().isEmpty());
    }
  }

  private static void check(List<Placed> read) {
    assertEquals(103, read.size());
    for (int i = 0; i < 100; i++) {
      assertEquals(new Position(1, 7, i + 1), read.get(i).position());
      assertEquals(TestLog.record(1, 7, i + 1).id(), read.get(i).record().id());
      assertArrayEquals(TestLog.record(1, 7, i + 1).data(), read.get(i).record().data());
    }
  }

  @Test
  void goesOnOverManySegmentsAndRestarts() throws Exception {
    TestLog test = new TestLog(directory);
    for (int run = 0; run < 5; run++) {
      try (Log log = test.open()) {
        await(log.beginEpoch(3, run + 1, log.recovered(3).last()));
        for (int i = 0; i < 20; i++) {
          await(log.append(batch(3, run + 1, i * 20 + 1, 20)));
        }
        assertEquals((run + 1) * 400, readAll(log).size());
      }
    }
    try (Log log = test.open()) {
      assertEquals(2_000, readAll(log).size());
      assertEquals(5, log.recovered(3).epochs().size());
      assertTrue(log.durable().segment() > 8, "rolled " + log.durable());
      assertTrue(log.recovery().damages().isEmpty(), log.recovery().damages().toString());
    }
  }
}
