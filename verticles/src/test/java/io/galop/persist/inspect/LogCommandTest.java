package io.galop.persist.inspect;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.ConfigLoader;
import io.galop.config.persist.ColdConfig;
import io.galop.persist.cold.SqliteStore;
import io.galop.persist.log.Log;
import io.galop.persist.log.LogReader;
import io.galop.persist.log.file.LogPosition;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class LogCommandTest {
  @TempDir Path data;
  private LogFixture fixture;

  @BeforeEach
  void write() throws Exception {
    fixture = new LogFixture(data);
    fixture.write();
  }

  /** File → its bytes and time, of the whole directory. */
  private Map<String, String> everything() throws IOException {
    Map<String, String> all = new TreeMap<>();
    try (Stream<Path> files = Files.walk(data)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        int hash = java.util.Arrays.hashCode(Files.readAllBytes(file));
        all.put(data.relativize(file).toString(), hash + " " + Files.getLastModifiedTime(file));
      }
    }
    return all;
  }

  @Test
  void aSoundLogIsVerified() {
    assertEquals(0, fixture.run("verify"), fixture.out());
    assertTrue(
        fixture.out().matches("sound: 3 segments, \\d+ bytes, 503 records\n"), fixture.out());
  }

  @Test
  void aFlippedBitIsNamedWithSegmentByteAndPositionAndNothingIsRepaired() throws Exception {
    long at = fixture.find(1, "r23#1");
    fixture.flip(1, at);
    Map<String, String> before = everything();
    assertEquals(1, fixture.run("verify"));
    String line = fixture.out().lines().findFirst().orElseThrow();
    assertTrue(line.startsWith("damaged: 0000000000000001.log bytes "), line);
    assertTrue(line.endsWith("; missing: 1.7-23"), line);
    String[] words = line.split(" ");
    assertTrue(
        Long.parseLong(words[3]) < at && at < Long.parseLong(words[5].replace(":", "")), line);
    assertTrue(fixture.out().contains("1 damaged: 3 segments"), fixture.out());
    assertEquals(before, everything());
  }

  @Test
  void eachDamageNamesWhatIsMissingInIt() throws Exception {
    fixture.flip(1, fixture.find(1, "r23#1"));
    fixture.flip(2, fixture.find(2, "r300#1"));
    assertEquals(1, fixture.run("verify"));
    String[] lines = fixture.out().split("\n");
    assertTrue(
        lines[0].contains("0000000000000001.log") && lines[0].endsWith(": 1.7-23"), lines[0]);
    assertTrue(
        lines[1].contains("0000000000000002.log") && lines[1].endsWith(": 1.7-300"), lines[1]);
  }

  @Test
  void ofTheLastRecordsNobodyIsToldThatNoneIsMissing() throws Exception {
    fixture.flip(3, fixture.find(3, "r3#1"));
    assertEquals(1, fixture.run("verify"));
    String line = fixture.out().lines().findFirst().orElseThrow();
    assertTrue(line.endsWith("; missing: none that a later record shows"), line);
  }

  @Test
  void aMissingSegmentIsDamage() throws Exception {
    Files.delete(fixture.segment(2));
    assertEquals(1, fixture.run("verify"));
    assertTrue(
        fixture.out().contains("segments before it are missing; missing: 1.7-"), fixture.out());
  }

  @Test
  void aTornTailIsToldAndIsNoDamage() throws Exception {
    assertEquals(0, fixture.run("inspect"));
    long end = Long.parseLong(row("0000000000000003.log")[2]);
    try (RandomAccessFile file = new RandomAccessFile(fixture.segment(3).toFile(), "rw")) {
      file.seek(end);
      file.write(new byte[] {0, 0, 1, 0, 7, 7, 7, 7, (byte) 0xE1, 5});
    }
    Map<String, String> before = everything();
    assertEquals(0, fixture.run("verify"), fixture.out());
    assertTrue(
        fixture.out().contains("0000000000000003.log bytes " + end + " to " + (end + 10)),
        fixture.out());
    assertTrue(fixture.out().contains("503 records"), fixture.out());
    assertEquals(before, everything());
  }

  private String[] row(String first) {
    return fixture
        .out()
        .lines()
        .map(String::strip)
        .filter(line -> line.startsWith(first))
        .findFirst()
        .orElseThrow(() -> new AssertionError(first + " is not in\n" + fixture.out()))
        .split("\\s+");
  }

  @Test
  void inspectShowsSegmentsEpochsAndTheCursor() throws Exception {
    ColdConfig cold = ConfigLoader.defaults().persist().cold();
    long left;
    try (Log log = fixture.open();
        SqliteStore store = SqliteStore.open(data.resolve("cold.sqlite"), cold);
        LogReader reader = log.reader(LogPosition.START)) {
      LogPosition next = reader.read(20_000).next();
      store.saveCursor(log.id(), next);
      left = log.bytesAfter(next);
    }
    assertEquals(0, fixture.run("inspect"), fixture.failure());
    assertTrue(fixture.out().contains("4 shards, 3 segments"), fixture.out());
    assertEquals("sealed", row("0000000000000001.log")[4]);
    assertEquals("open", row("0000000000000003.log")[4]);
    String[] first = row("1  ");
    assertArrayEquals(
        new String[] {"1", "7", "1..500", "500"}, java.util.Arrays.copyOf(first, 4), fixture.out());
    assertEquals("2023-11-14T22:13:20.000001Z", first[5]);
    assertEquals("2023-11-14T22:13:20.000500Z", first[6]);
    assertArrayEquals(new String[] {"2", "9", "1..3", "3"}, java.util.Arrays.copyOf(row("2  "), 4));
    assertTrue(fixture.out().contains(", " + left + " bytes are left"), fixture.out() + left);
  }

  @Test
  void exportPrintsWhatDoorsRead() {
    assertEquals(0, fixture.run("export"), fixture.failure());
    assertEquals(503, fixture.out().lines().count());
    JsonObject first = new JsonObject(fixture.out().lines().findFirst().orElseThrow());
    assertEquals(Set.of("topic", "data", "id", "time"), first.fieldNames());
    assertEquals("t/1", first.getString("topic"));
    assertEquals("r1.1", first.getString("id"));
    assertEquals(1_700_000_000_000_001L, first.getLong("time"));
    assertEquals(1, first.getJsonObject("data").getInteger("n"));
    assertTrue(first.getJsonObject("data").getString("pad").startsWith("éx"), first.encode());
  }

  @Test
  void exportKeepsToFilterAndTimes() {
    assertEquals(0, fixture.run("export", "--filter", "t/2", "--stored-ids"));
    assertEquals(
        "r1#1 r2#1 r3#1",
        fixture
            .out()
            .lines()
            .map(line -> new JsonObject(line).getString("id"))
            .collect(Collectors.joining(" ")));
    String from = "2023-11-14T22:13:20.000100Z";
    assertEquals(0, fixture.run("export", "--from", from, "--to", "1700000000000104"));
    assertEquals(5, fixture.out().lines().count());
    assertEquals(2, fixture.run("export", "--filter", "t/#/x"));
    assertTrue(fixture.failure().contains("'#' must be the last level"), fixture.failure());
    assertEquals(2, fixture.run("export", "--from", "noon"));
    assertTrue(fixture.failure().contains("'noon' is no time"), fixture.failure());
  }

  @Test
  void exportOfADamagedLogPrintsTheRestAndFails() throws Exception {
    fixture.flip(1, fixture.find(1, "r23#1"));
    assertEquals(1, fixture.run("export"));
    assertEquals(502, fixture.out().lines().count());
    assertTrue(fixture.err().contains("1 stretches of the Log could not be read"), fixture.err());
  }

  @Test
  void aLogThatANodeHasOpenIsRefused() {
    try (Log open = fixture.open()) {
      for (String command : new String[] {"inspect", "verify", "export"}) {
        assertEquals(1, fixture.run(command));
        assertTrue(fixture.failure().contains("stop the node"), fixture.failure());
      }
      assertTrue(open.refusal().isEmpty());
    }
  }

  @Test
  void aDirectoryWithoutALogIsRefused() {
    LogFixture nowhere = new LogFixture(data.resolve("nowhere"));
    assertEquals(1, nowhere.run("verify"));
    assertTrue(nowhere.failure().contains("there is no Log in"), nowhere.failure());
    assertFalse(Files.exists(nowhere.data));
  }
}
