package io.galop.persist.archive;

import static io.galop.persist.archive.ArchiveLines.LOG;
import static io.galop.persist.archive.ArchiveLines.batch;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.Logged;
import io.galop.config.persist.ArchiveConfig;
import io.galop.persist.log.file.LogPosition;
import io.galop.persist.sink.StoresDocument;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files of the archive on a real file system, and what tools of others read in them. */
@Timeout(120)
class ArchiveStoreTest {
  private static final String PYTHON = "../clients/python/.venv/bin/python";

  @TempDir Path directory;

  private ArchiveStore store(String more, Clock clock) throws IOException {
    ArchiveConfig config = ArchiveLines.config(directory.toString(), more);
    ArchiveDisk disk = new FileArchiveDisk(directory);
    return ArchiveStores.store(config, disk, new DirectoryShelf(disk, directory), clock);
  }

  private ArchiveStore store(String more) throws IOException {
    return store(more, Clock.systemUTC());
  }

  private List<Path> files(String end) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(file -> file.toString().endsWith(end)).sorted().toList();
    }
  }

  private List<Integer> numbers() throws IOException {
    List<Integer> numbers = new ArrayList<>();
    for (Path file : files(".ndjson.gz")) {
      ArchiveLines.lines(Files.readAllBytes(file))
          .forEach(line -> numbers.add(line.getJsonObject("data").getInteger("n")));
    }
    return numbers.stream().sorted().toList();
  }

  private static List<Integer> below(int end) {
    return IntStream.range(0, end).boxed().toList();
  }

  @Test
  void aFileIsSeenWhenItIsOldEvenIfNothingComes() throws Exception {
    ArchiveStore store = store(", prefixLevels: 0");
    assertEquals(Optional.empty(), store.open(LOG));
    assertEquals(5, store.write(batch(0, 5, true)));
    assertFalse(store.trim(kept -> System.currentTimeMillis()));
    assertEquals(List.of(), files(".ndjson.gz"));
    ArchiveStore later =
        store(", prefixLevels: 0", Clock.offset(Clock.systemUTC(), Duration.ofMinutes(15)));
    assertEquals(Optional.of(new LogPosition(1, 5)), later.open(LOG));
    assertEquals(List.of(), files(".ndjson.gz"));
    assertFalse(later.trim(kept -> System.currentTimeMillis()));
    assertEquals(1, files(".ndjson.gz").size());
    assertEquals(below(5), numbers());
  }

  @Test
  void whatComesAgainIsKnown() throws Exception {
    ArchiveStore store = store("");
    store.open(LOG);
    assertEquals(6, store.write(batch(0, 6, true)));
    assertEquals(6, store.write(batch(6, 12, false)));
    assertEquals(0, store.write(batch(6, 12, true)));
    assertEquals(3, store.write(batch(9, 15, true)));
    store.close();
    assertEquals(below(15), numbers());
    assertThrows(IOException.class, () -> store.write(batch(15, 16, true)), "it is closed");
  }

  @Test
  void theDirectoryMayBeTakenAway() throws Exception {
    ArchiveStore store = store("");
    store.open(LOG);
    store.write(batch(0, 6, true));
    try (Stream<Path> files = Files.walk(directory.resolve(".galop"))) {
      for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.delete(file);
      }
    }
    assertThrows(IOException.class, () -> store.write(batch(6, 9, true)));
    assertEquals(Optional.empty(), store.open(LOG), "it gets all that the Log has");
    store.write(batch(0, 9, true));
    store.close();
    assertEquals(below(9), numbers());
  }

  @Test
  void anUnfinishedFileThatIsDeletedIsSaidAndMissed() throws Exception {
    ArchiveStore store = store(", prefixLevels: 0");
    store.open(LOG);
    store.write(batch(0, 3, true));
    Files.delete(files(".part").get(0));
    assertThrows(IOException.class, () -> store.write(batch(3, 6, true)));
    try (Logged logged = new Logged(ArchiveFiles.class)) {
      store.open(LOG);
      assertEquals(1, logged.with("was deleted before it was finished").size());
    }
    store.write(batch(3, 6, true));
    store.close();
    assertEquals(List.of(3, 4, 5), numbers());
  }

  @Test
  void whatIsLeftOfADamagedFileHasNoFinalName() throws Exception {
    ArchiveStore store = store(", prefixLevels: 0");
    store.open(LOG);
    store.write(batch(0, 3, true));
    Files.write(files(".part").get(0), new byte[] {1});
    try (Logged logged = new Logged(ArchiveFiles.class)) {
      store.open(LOG);
      assertEquals(1, logged.with("had lost some of its").size());
    }
    store.write(batch(3, 6, true));
    store.close();
    assertEquals(List.of(3, 4, 5), numbers());
    assertEquals(1, files(".ndjson.gz.damaged").size());
  }

  @Test
  void aDamagedStateIsToldWithWhatToDo() throws Exception {
    ArchiveStore store = store("");
    store.open(LOG);
    store.write(batch(0, 3, true));
    Files.writeString(files("state.json").get(0), "{\"begun\":");
    String told = assertThrows(IOException.class, () -> store.open(LOG)).getMessage();
    assertTrue(told.contains("state.json is damaged; delete it"), told);
    Files.writeString(
        files("state.json").get(0),
        "{\"begun\":1,\"open\":[],\"finished\":[],\"produced\":{\"x\":1}}");
    told = assertThrows(IOException.class, () -> store.open(LOG)).getMessage();
    assertTrue(told.contains("state.json is damaged; delete it"), told);
    int parts = files(".part").size();
    Files.delete(files("state.json").get(0));
    assertEquals(Optional.empty(), store.open(LOG));
    assertEquals(parts, files(".ndjson.gz.damaged").size(), "what was committed is kept");
    assertEquals(List.of(), files(".part"));
    store.write(batch(0, 6, true));
    store.close();
    assertEquals(below(6), numbers());
  }

  @Test
  void unfinishedFilesOfAnotherLogAreTold() throws Exception {
    ArchiveStore store = store("");
    store.open(LOG);
    store.write(batch(0, 3, true));
    int parts = files(".part").size();
    try (Logged logged = new Logged(ArchiveFiles.class)) {
      store("").open(LOG + 1);
      assertEquals(1, logged.with("has unfinished files of another Log").size());
      store("").open(LOG);
      assertEquals(1, logged.with("has unfinished files of another Log").size());
    }
    assertEquals(parts, files(".part").size());
  }

  @Test
  void anOlderCopyOfTheLogIsStoredAgain() throws Exception {
    ArchiveStore store = store("");
    store.open(LOG);
    store.write(batch(0, 6, true));
    store.saveCursor(LOG, new LogPosition(1, 3)); // late, of the batch before
    assertEquals(Optional.of(new LogPosition(1, 6)), store.open(LOG));
    store.saveCursor(LOG, LogPosition.START);
    assertEquals(6, store.write(batch(0, 6, true)));
  }

  @Test
  void filesOlderThanTheyAreKeptGoWithTheirDirectories() throws Exception {
    ArchiveStore store = store(", maxFileBytes: 1024, retentionHours: 2");
    store.open(LOG);
    store.write(batch(0, 20, true));
    store.close();
    List<Path> all = files(".ndjson.gz");
    Path other = Files.createFile(all.get(0).resolveSibling("mine.ndjson.gz"));
    FileTime old = FileTime.from(Instant.now().minus(Duration.ofMinutes(121)));
    Files.setLastModifiedTime(other, old);
    for (Path file : all.subList(0, 2)) {
      Files.setLastModifiedTime(file, old);
    }
    store.open(LOG);
    assertFalse(store.trim(kept -> System.currentTimeMillis()));
    List<Path> left = new ArrayList<>(all.subList(2, all.size()));
    left.add(other);
    assertEquals(left.stream().sorted().toList(), files(".ndjson.gz"));
    assertTrue(Files.exists(other));
    assertFalse(Files.exists(all.get(1).getParent()), "it was alone in its hour");
  }

  @Test
  void oldFilesGoAfterAClockThatWasAhead() throws Exception {
    String name = "archive-0123456789abcdef-1-1.ndjson.gz";
    OldFiles old = new OldFiles(directory, "archive", 2);
    long nowMs = 1_800_000_000_000L;
    assertFalse(old.delete(kept -> nowMs + 86_400_000));
    Path file = Files.createFile(directory.resolve(name));
    Files.setLastModifiedTime(file, FileTime.fromMillis(nowMs - 7_300_000));
    old.delete(kept -> nowMs);
    assertFalse(Files.exists(file));
  }

  @Test
  void whatIsTooOldIsJudgedByTheTimeThatIsGiven() throws Exception {
    ArchiveStore store = store(", retentionHours: 2");
    store.open(LOG);
    store.write(batch(0, 5, true));
    store.close();
    int all = files(".ndjson.gz").size();
    FileTime old = FileTime.from(Instant.now().minus(Duration.ofHours(3)));
    Files.setLastModifiedTime(files(".ndjson.gz").get(0), old);
    store.open(LOG);
    long monthMs = TimeUnit.DAYS.toMillis(30);
    store.trim(kept -> System.currentTimeMillis() - monthMs);
    assertEquals(all, files(".ndjson.gz").size(), "old by the machine only");
    store.trim(kept -> System.currentTimeMillis() - TimeUnit.MINUTES.toMillis(30));
    assertEquals(all - 1, files(".ndjson.gz").size());
    store.trim(kept -> System.currentTimeMillis() + 2 * kept);
    assertEquals(List.of(), files(".ndjson.gz"), "young by the machine only");
  }

  private String run(String... command) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(process.waitFor(60, TimeUnit.SECONDS), "too slow");
    assertEquals(0, process.exitValue(), output);
    return output.strip();
  }

  private void fill(int records) throws IOException {
    ArchiveStore store = store(", prefixLevels: 2");
    store.open(LOG);
    for (int at = 0; at < records; at += 4) {
      store.write(batch(at, Math.min(records, at + 4), true));
    }
    store.close();
  }

  @Test
  void gzipAndPythonReadEveryMember() throws Exception {
    fill(40);
    String zcat = run("sh", "-c", "find " + directory + " -name '*.ndjson.gz' | xargs zcat");
    assertEquals(40, zcat.lines().count());
    assertTrue(
        zcat.lines()
            .anyMatch(
                ("{\"id\":\"id3\",\"topic\":\"race/1/odds\",\"time\":1764116400000000,"
                        + "\"data\":{\"n\":3, \"text\":\"é \\\"3\\\"\"},\"pos\":\"0.7-4\"}")
                    ::equals),
        zcat);
    String program =
        "import glob, gzip, json, sys\n"
            + "lines = [json.loads(line) for file in glob.glob(sys.argv[1] + '/**/*.ndjson.gz',"
            + " recursive=True) for line in gzip.open(file, 'rt', encoding='utf-8')]\n"
            + "print(len(lines), sorted(line['data']['n'] for line in lines) == list(range(40)),"
            + " sorted(line['pos'] for line in lines)[0])";
    assertEquals("40 True 0.7-1", run("python3", "-c", program, directory.toString()));
  }

  /** What docs/stores.md shows. */
  @Test
  void duckDbReadsItsColumnsFromThePaths() throws Exception {
    fill(40);
    String query =
        StoresDocument.block("sql duckdb").replace("'/data/archive/", "'" + directory + "/");
    String program = "import duckdb, sys; print(duckdb.sql(sys.argv[1]).fetchall())";
    assertEquals("[('race/1', 14, 0, 39)]", run(PYTHON, "-c", program, query));
  }
}
