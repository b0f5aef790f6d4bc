package io.galop.persist.log;

import static io.galop.persist.log.TestLog.await;
import static io.galop.persist.log.TestLog.batch;
import static io.galop.persist.log.TestLog.ids;
import static io.galop.persist.log.TestLog.readAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.persist.log.file.Damage;
import io.galop.persist.log.file.Disk;
import io.galop.persist.log.file.EntryFormat;
import io.galop.persist.log.file.EntryScan;
import io.galop.persist.log.file.FileDisk;
import io.galop.persist.log.file.Segment;
import io.galop.persist.log.file.SegmentHeader;
import io.galop.record.Placed;
import io.galop.record.Position;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class LogDamageTest {
  private static final int RECORDS = 500;
  @TempDir Path directory;
  private Path logs;

  @BeforeEach
  void write() throws Exception {
    logs = directory.resolve("log");
    try (Log log = new TestLog(logs).open()) {
      await(log.beginEpoch(1, 7, Position.none(1)));
      for (int i = 0; i < RECORDS; i += 50) {
        await(log.append(batch(1, 7, i + 1, 50)));
      }
      assertTrue(log.durable().segment() >= 2, "the first segment is sealed");
    }
  }

  private Path segment(int sequence) {
    return Segment.path(logs, sequence);
  }

  private int last() throws IOException {
    try (Stream<Path> files = Files.list(logs)) {
      return (int) files.filter(file -> file.toString().endsWith(".log")).count();
    }
  }

  private static void flip(Path file, long at, int bit) throws IOException {
    try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
      bytes.seek(at);
      int before = bytes.read();
      bytes.seek(at);
      bytes.write(before ^ (1 << bit));
    }
  }

  private long end(int sequence) throws IOException {
    try (Disk.SegmentFile file = new FileDisk().open(segment(sequence))) {
      EntryScan scan = new EntryScan(file, SegmentHeader.BYTES, (from, to) -> {});
      while (scan.next(file.size())) {
        assertTrue(scan.length() > 0);
      }
      return scan.position();
    }
  }

  @Test
  void oneFlippedBitCostsAtMostOneRecordAndNamesIt() throws Exception {
    List<String> written = ids(batchOfAll());
    Random random = new Random(20_261_120);
    Path pristine = directory.resolve("pristine");
    copy(logs, pristine);
    for (int i = 0; i < 120; i++) {
      int sequence = 1 + random.nextInt(last());
      long at = i < 64 && i % 2 == 0 ? i : (long) (random.nextDouble() * end(sequence));
      int bit = random.nextInt(8);
      flip(segment(sequence), at, bit);
      try (Log log = new TestLog(logs).open()) {
        checkLoss(written, log, sequence + " byte " + at + " bit " + bit);
      }
      copy(pristine, logs);
    }
  }

  private void checkLoss(List<String> written, Log log, String where) {
    List<String> read = ids(readAll(log));
    List<String> lost = new ArrayList<>(written);
    lost.removeAll(read);
    assertTrue(lost.size() <= 1, "flipped in segment " + where + ", lost " + lost);
    assertFalse(log.recovery().damages().isEmpty(), "no alarm for " + where);
    boolean isLast = lost.contains(written.get(RECORDS - 1));
    assertEquals(isLast ? List.of() : lost, log.recovery().missing(), where);
  }

  private static List<Placed> batchOfAll() {
    List<Placed> all = new ArrayList<>();
    for (int i = 1; i <= RECORDS; i++) {
      all.add(new Placed(new Position(1, 7, i), TestLog.record(1, 7, i)));
    }
    return all;
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    try (Stream<Path> old = Files.list(to);
        Stream<Path> files = Files.list(from)) {
      for (Path file : old.filter(Files::isRegularFile).toList()) {
        Files.delete(file);
      }
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
  }

  @Test
  void cutsATornTailAndGoesOn() throws Exception {
    int last = last();
    long end = end(last);
    try (RandomAccessFile file = new RandomAccessFile(segment(last).toFile(), "rw")) {
      file.seek(end);
      file.write(ByteBuffer.allocate(300).putInt(290).putInt(1).put(EntryFormat.RECORD).array());
      file.seek(end + 100);
      file.write(new byte[] {1, 2, 3});
    }
    try (Log log = new TestLog(logs).open()) {
      assertEquals(103, log.recovery().cutBytes());
      assertTrue(log.recovery().damages().isEmpty());
      assertEquals(RECORDS, readAll(log).size());
      await(log.append(batch(1, 7, RECORDS + 1, 10)));
    }
    try (Log log = new TestLog(logs).open()) {
      assertEquals(RECORDS + 10, readAll(log).size());
      assertEquals(0, log.recovery().cutBytes());
    }
    assertTrue(Files.list(logs.resolve("quarantine")).anyMatch(f -> f.toString().endsWith("torn")));
  }

  @Test
  void keepsWhatFollowsAHoleInTheMiddleAndACopyOfTheHole() throws Exception {
    try (RandomAccessFile file = new RandomAccessFile(segment(1).toFile(), "rw")) {
      file.seek(5_000);
      file.write(new byte[2_000]);
    }
    TestLog test = new TestLog(logs);
    try (Log log = test.open()) {
      int lost = RECORDS - readAll(log).size();
      assertTrue(lost >= 6 && lost <= 9, "lost " + lost);
      assertEquals(1, log.recovery().damages().size());
      assertEquals(1, log.recovery().missing().size());
      assertEquals(1, test.meters.get("galop.persist.log.damaged").counter().count(), "once");
      Damage damage = log.recovery().damages().get(0);
      Path copy =
          logs.resolve(
              "quarantine/"
                  + segment(1).getFileName()
                  + "-"
                  + damage.from()
                  + "-"
                  + (damage.to() - damage.from())
                  + ".bad");
      assertEquals(damage.to() - damage.from(), Files.size(copy));
    }
  }

  @Test
  void keepsWhatIsLeftOfAnOlderSegmentThatWasCutOff() throws Exception {
    try (RandomAccessFile file = new RandomAccessFile(segment(1).toFile(), "rw")) {
      file.setLength(30_000);
    }
    try (Log log = new TestLog(logs).open()) {
      assertEquals(1, log.recovery().damages().size());
      assertTrue(log.recovery().damages().get(0).what().contains("seal"));
      List<String> read = ids(readAll(log));
      assertTrue(read.contains("1.7-1") && read.contains("1.7-" + RECORDS));
      assertEquals(1, log.recovery().missing().size());
    }
  }

  @Test
  void alarmsWhenTheLastSegmentWasCutOffBetweenEntries() throws Exception {
    int last = last();
    long end = end(last);
    try (RandomAccessFile file = new RandomAccessFile(segment(last).toFile(), "rw")) {
      file.setLength(end);
    }
    try (Log log = new TestLog(logs).open()) {
      assertEquals(1, log.recovery().damages().size());
      assertEquals(RECORDS, readAll(log).size());
    }
    assertEquals(TestLog.SMALL.segmentBytes(), Files.size(segment(last)));
  }

  @Test
  void alarmsWhenTheLastAcknowledgedRecordIsDamaged() throws Exception {
    flip(segment(last()), end(last()) - 10, 3);
    try (Log log = new TestLog(logs).open()) {
      assertEquals(RECORDS - 1, readAll(log).size());
      assertEquals(0, log.recovery().cutBytes());
      Damage damage = log.recovery().damages().get(0);
      assertTrue(damage.what().contains("acknowledged"), damage.toString());
    }
    try (Log log = new TestLog(logs).open()) {
      assertEquals(List.of(), log.recovery().damages(), "it was cut, and a copy is kept");
    }
    assertTrue(Files.list(logs.resolve("quarantine")).anyMatch(f -> f.toString().endsWith("bad")));
  }

  @Test
  void alarmsWhenTheOldestSegmentIsMissingOrTheNewest() throws Exception {
    Path pristine = directory.resolve("pristine");
    copy(logs, pristine);
    for (int missing : List.of(1, last())) {
      Files.delete(segment(missing));
      try (Log log = new TestLog(logs).open()) {
        List<Damage> damages = log.recovery().damages();
        assertEquals(1, damages.size(), "without segment " + missing);
        assertTrue(damages.get(0).what().contains("missing"), damages.toString());
      }
      copy(pristine, logs);
    }
  }

  @Test
  void alarmsWhenAllSegmentsAreMissing() throws Exception {
    for (int i = last(); i > 0; i--) {
      Files.delete(segment(i));
    }
    try (Log log = new TestLog(logs).open()) {
      assertEquals(1, log.recovery().damages().size());
    }
  }

  @Test
  void alarmsWhenASegmentIsMissing() throws Exception {
    Files.delete(segment(2));
    try (Log log = new TestLog(logs).open()) {
      assertFalse(log.recovery().damages().isEmpty());
      List<String> read = ids(readAll(log));
      assertTrue(read.contains("1.7-1") && read.contains("1.7-" + RECORDS));
    }
  }
}
