package io.galop.persist.sink;

import static io.galop.persist.sink.SinkFixture.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.Logged;
import io.galop.config.ConfigLoader;
import io.galop.config.persist.ArchiveConfig;
import io.galop.persist.archive.ArchiveStores;
import io.galop.persist.store.Store;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of the archive on a disk that is full, and of what is not for it. */
@Timeout(180)
class ArchiveSinkTest {
  @TempDir Path directory;

  private static ArchiveConfig config(Path archive, String more) {
    String set =
        "persist.cold.stores=[{archive: {directory: '%s', batchMs: 20, batchBytes: 8192%s}}]"
            .formatted(archive, more);
    return (ArchiveConfig)
        ConfigLoader.load(Optional.empty(), Map.of(), List.of(set), Map.of())
            .persist()
            .cold()
            .stores()
            .get(0);
  }

  private static Sink follow(SinkFixture fixture, ArchiveConfig config, Store store) {
    return fixture.start("test", store, config.sink(), config.sampling());
  }

  private static List<String> lines(Path archive) throws IOException {
    List<String> lines = new ArrayList<>();
    try (Stream<Path> files = Files.walk(archive)) {
      for (Path file : files.filter(one -> one.toString().endsWith(".ndjson.gz")).toList()) {
        try (GZIPInputStream gzip = new GZIPInputStream(Files.newInputStream(file))) {
          new String(gzip.readAllBytes(), StandardCharsets.UTF_8).lines().forEach(lines::add);
        }
      }
    }
    return lines;
  }

  private static void assertOnce(int records, Path archive) throws IOException {
    List<String> lines = lines(archive);
    assertEquals(records, lines.size());
    assertEquals(records, lines.stream().distinct().count());
  }

  @Test
  void storesAllThatWaitedWhenThereIsRoomAgain() throws Exception {
    try (SmallDisk disk = SmallDisk.orSkip(directory.resolve("disk"), 4);
        SinkFixture fixture = new SinkFixture(directory)) {
      Path archive = disk.directory().resolve("archive");
      ArchiveConfig config = config(archive, ", maxFileBytes: 4096, maxPauseMs: 200");
      MemoryStore other = new MemoryStore();
      Store store = ArchiveStores.of(config);
      try (store;
          Sink sink = follow(fixture, config, store);
          Sink beside = fixture.start("other", other, 2_000, 200);
          Logged logged = new Logged(Sink.class)) {
        fixture.append("t", 1, 100);
        until(() -> sink.lagBytes() == 0);
        disk.fill();
        for (int i = 0; i < 20; i++) {
          fixture.append("t", 101 + 100 * i, 100);
        }
        until(() -> beside.lagBytes() == 0);
        until(() -> logged.with("archive: No space left on device").size() >= 3);
        assertTrue(sink.lagBytes() > 0, "the disk is full");
        until(() -> fixture.readiness.warnings().toString().contains("No space left on device"));
        disk.empty();
        until(() -> sink.lagBytes() == 0);
        until(() -> fixture.readiness.warnings().isEmpty());
      }
      assertOnce(2_100, archive);
    }
  }

  @Test
  void keepsTheTopicsThatAreChosen() throws Exception {
    Path archive = directory.resolve("archive");
    ArchiveConfig config = config(archive, ", topics: ['a/#'], every: 4");
    try (SinkFixture fixture = new SinkFixture(directory);
        Store store = ArchiveStores.of(config);
        Sink sink = follow(fixture, config, store)) {
      for (int i = 0; i < 10; i++) {
        fixture.append("a/" + i, 1 + 200L * i, 100);
        fixture.append("b/" + i, 101 + 200L * i, 100);
      }
      until(() -> sink.lagBytes() == 0);
      assertEquals(2_000, fixture.count("stored") + fixture.count("passed"));
    }
    List<String> lines = lines(archive);
    assertTrue(lines.stream().allMatch(line -> line.contains("\"topic\":\"a/")));
    assertTrue(lines.size() > 150 && lines.size() < 350, "one in four of 1,000: " + lines.size());
  }

  @Test
  void goesOnWhereItWasAfterAStart() throws Exception {
    Path archive = directory.resolve("archive");
    ArchiveConfig config = config(archive, "");
    for (int start = 0; start < 3; start++) {
      try (SinkFixture fixture = new SinkFixture(directory);
          Store store = ArchiveStores.of(config);
          Sink sink = follow(fixture, config, store)) {
        fixture.append("t", 1 + 100L * start, 100);
        until(() -> sink.lagBytes() == 0);
      }
    }
    assertOnce(300, archive);
  }
}
