package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.mutants.Mutant;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The fdatasync of a segment that is being sealed fails with EIO, in the kernel's place: what was
 * refused then is in pages that the kernel takes for clean, so it must not be acknowledged out of
 * them after the restart. A power cut, as far as bytes are concerned, tells what the disk has.
 */
@Tag("alone")
@Timeout(180)
class DiskFaultIT {
  private static final int RECORDS = 40;

  @TempDir Path directory;
  private final TreeSet<String> acknowledged = new TreeSet<>();
  private Path library;
  private Path data;
  private Path armed;

  @BeforeEach
  void compile() throws Exception {
    library = directory.resolve("disk-fault.so");
    data = directory.resolve("data");
    armed = directory.resolve("armed");
    DiskFault.compile(library);
  }

  private GalopProcess start(List<String> jvm) {
    Map<String, String> environment =
        Map.of(
            "LD_PRELOAD", library.toString(),
            "DISK_FAULT_FILES", data.resolve("log") + "/",
            "DISK_FAULT_ARM", armed.toString(),
            "DISK_FAULT_NOTES", directory.resolve("notes").toString());
    return GalopProcess.run(
        data,
        jvm,
        environment,
        List.of(
            "--set", "persist.log.segmentBytes=65536",
            "--set", "persist.log.queueBytes=8192",
            "--set", "ingest.limits.maxDataBytes=4096",
            "--set", "cluster.deadlineMs=8000"));
  }

  /** Whether a request with these records is acknowledged as a whole. */
  private boolean publish(GalopProcess node, int first) throws Exception {
    List<Integer> numbers = IntStream.range(first, first + RECORDS).boxed().toList();
    // Of one topic, so that they are one group of which some stand before the end of a segment.
    String line = "{\"topic\":\"a/0\",\"id\":\"r%d\",\"data\":{\"n\":%d,\"pad\":\"%s\"}}";
    String lines =
        numbers.stream()
            .map(n -> line.formatted(n, n, "x".repeat(100)))
            .collect(Collectors.joining("\n"));
    HttpResponse<String> answer = Stored.post(node.http("/publish"), "application/x-ndjson", lines);
    boolean isTaken =
        answer.statusCode() == 202
            && new JsonObject(answer.body()).getInteger("accepted") == RECORDS;
    if (isTaken) {
      numbers.forEach(n -> acknowledged.add("r" + n));
    }
    return isTaken;
  }

  /** A store may have what the Log has lost; it is the Log that was asked to keep it. */
  private void forgetStores() throws IOException {
    try (Stream<Path> files = Files.list(data)) {
      for (Path file :
          files.filter(one -> one.getFileName().toString().startsWith("cold")).toList()) {
        Files.delete(file);
      }
    }
  }

  /** Fails a seal, starts again and sends again; what a power cut then takes of what was taken. */
  private Set<String> lostAfter(List<String> jvm) throws Exception {
    int next = 0;
    try (GalopProcess node = start(List.of())) {
      assertTrue(publish(node, next));
      Files.createFile(armed);
      do {
        next += RECORDS;
        assertTrue(next < 100 * RECORDS, "no segment was sealed");
      } while (publish(node, next));
      assertFalse(Files.exists(armed), "refused for another reason:\n" + node.text());
      assertTrue(node.text().contains("the Log has FAILED"), node.text());
      assertFalse(publish(node, next), "a Log that has failed takes nothing more");
      Await.until("the node is unready", 120, () -> !Nodes.isReady(node));
      node.kill();
    }
    try (GalopProcess node = start(jvm)) {
      assertTrue(publish(node, next), "what was refused is sent again");
      assertTrue(publish(node, next + RECORDS));
      node.kill();
    }
    int cut = DiskNotes.read(directory.resolve("notes")).cutPower(data.resolve("log"));
    assertTrue(cut > 0, "the power cut took nothing");
    forgetStores();
    try (GalopProcess node = GalopProcess.run(data, List.of(), List.of())) {
      Set<String> lost = new TreeSet<>(acknowledged);
      Stored.history(node.http("/history/a/%23?limit=10000"))
          .forEach(seen -> lost.remove(seen.id()));
      return lost;
    }
  }

  @Test
  void whatWasRefusedIsOnDiskBeforeItIsAcknowledged() throws Exception {
    assertEquals(Set.of(), lostAfter(List.of()));
  }

  /** The test above would notice. */
  @Test
  void aStartThatTakesWhatItFindsForStoredIsNoticed() throws Exception {
    Path root = Path.of(System.getProperty("galop.root"));
    Mutant mutant = Mutant.NO_REWRITE;
    String option = mutant.option(root, System.getProperty("galop.jar"), directory);
    assertTrue(!lostAfter(List.of(option)).isEmpty(), "the fault went unnoticed");
  }
}
