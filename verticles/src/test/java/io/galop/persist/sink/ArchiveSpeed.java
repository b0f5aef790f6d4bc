package io.galop.persist.sink;

import io.galop.config.ConfigLoader;
import io.galop.config.persist.ArchiveConfig;
import io.galop.json.TextBytes;
import io.galop.persist.archive.ArchiveStores;
import io.galop.persist.log.Log;
import io.galop.persist.store.RecordJson;
import io.galop.persist.store.StoreBatch;
import io.galop.record.Placed;
import io.galop.servers.Scratch;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Measures records/s of 290 bytes: appended to the Log, from the full Log into an archive, and the
 * same lines by {@code gzip}, synced; in turn, after a round that does not count. Not a test.
 * Arguments: how many records, how many rounds.
 */
final class ArchiveSpeed {
  private ArchiveSpeed() {}

  public static void main(String[] args) throws Exception {
    int records = Integer.parseInt(args[0]);
    Path directory = Scratch.directory("galop-archive-speed");
    Path lines = directory.resolve("lines.ndjson");
    write(lines, records);
    for (int round = 0; round <= Integer.parseInt(args[1]); round++) {
      Path own = directory.resolve("round" + round);
      long startedNs = System.nanoTime();
      try (Log log = FullLog.of(own.resolve("log"), records)) {
        double logged = rate(records, startedNs);
        double gzipped = gzip(lines, own, records);
        double archived = archive(log, own, records);
        System.out.printf(
            Locale.ROOT,
            "round %d: Log %,.0f, gzip %,.0f, archive %,.0f records/s, %.2f of gzip%n",
            round,
            logged,
            gzipped,
            archived,
            archived / gzipped);
      }
    }
  }

  private static double rate(int records, long startedNs) {
    return records * 1e9 / (System.nanoTime() - startedNs);
  }

  private static void write(Path lines, int records) throws Exception {
    try (OutputStream out = Files.newOutputStream(lines)) {
      for (StoreBatch batch : FullLog.parcels(records)) {
        TextBytes text = new TextBytes(1 << 20);
        for (Placed placed : batch.records()) {
          RecordJson.append(placed, placed.record().data(), text);
          text.add('\n');
        }
        out.write(text.toBytes());
      }
    }
  }

  private static double gzip(Path lines, Path own, int records) throws Exception {
    long startedNs = System.nanoTime();
    String to = own.resolve("lines.gz").toString();
    Process process =
        new ProcessBuilder(
                "sh", "-c", "gzip -6 -c '" + lines + "' > '" + to + "'; sync '" + to + "'")
            .inheritIO()
            .start();
    if (process.waitFor() != 0) {
      throw new IllegalStateException("gzip failed");
    }
    return rate(records, startedNs);
  }

  private static double archive(Log log, Path own, int records) throws Exception {
    String set =
        "persist.cold.stores=[{archive: {directory: '%s', batchMs: 100}}]"
            .formatted(own.resolve("archive"));
    ArchiveConfig config =
        (ArchiveConfig)
            ConfigLoader.load(Optional.empty(), Map.of(), List.of(set), Map.of())
                .persist()
                .cold()
                .stores()
                .get(0);
    long tookNs =
        StoreSpeed.storedNs(log, ArchiveStores.of(config), config.sink(), config.sampling());
    return rate(records, System.nanoTime() - tookNs);
  }
}
