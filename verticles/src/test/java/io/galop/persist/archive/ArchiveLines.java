package io.galop.persist.archive;

import io.galop.config.ConfigLoader;
import io.galop.config.persist.ArchiveConfig;
import io.galop.persist.log.file.LogPosition;
import io.galop.persist.store.StoreBatch;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.galop.record.Record;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/** Records for an archive, batches of them, and what is found in its files. */
final class ArchiveLines {
  static final long LOG = 0x1a2b;
  private static final long START_US = 1_764_115_200_000_000L; // 2025-11-26T00:00:00Z
  private static final long STEP_US = 400_000_000L; // nine of them in an hour

  private ArchiveLines() {}

  /** The settings of an archive in a directory, and others, as in a file. */
  static ArchiveConfig config(String directory, String more) {
    String set = "persist.cold.stores=[{archive: {directory: '%s'%s}}]".formatted(directory, more);
    return (ArchiveConfig)
        ConfigLoader.load(Optional.empty(), Map.of(), List.of(set), Map.of())
            .persist()
            .cold()
            .stores()
            .get(0);
  }

  /** A record of one of three topics, of two shards; it lies there from {@code n} in the Log. */
  static Placed placed(int n) {
    String data = "{\"n\":" + n + ",\n\"text\":\"é \\\"" + n + "\\\"\"}";
    Record record =
        new Record(
            "id" + n,
            n % 3 == 0 ? "race/1/odds" : "plant/" + n % 3,
            START_US + n * STEP_US,
            data.getBytes(StandardCharsets.UTF_8));
    return new Placed(new Position(n % 3 == 0 ? 0 : 1, 7, n + 1L), record);
  }

  /** Those from one number to before another; with the cursor if nothing of them is left over. */
  static StoreBatch batch(int from, int to, boolean withCursor) {
    List<Placed> records = new ArrayList<>();
    for (int n = from; n < to; n++) {
      records.add(placed(n));
    }
    Optional<LogPosition> cursor =
        withCursor ? Optional.of(new LogPosition(1, to)) : Optional.empty();
    return new StoreBatch(LOG, records, 100L * records.size(), cursor);
  }

  /** The lines of a whole file; fails if it is torn. */
  static List<JsonObject> lines(byte[] file) throws IOException {
    try (GZIPInputStream gzip = new GZIPInputStream(new ByteArrayInputStream(file))) {
      String text = new String(gzip.readAllBytes(), StandardCharsets.UTF_8);
      if (!text.endsWith("\n")) {
        throw new IOException("the last line has no end");
      }
      return text.lines().map(JsonObject::new).toList();
    }
  }
}
