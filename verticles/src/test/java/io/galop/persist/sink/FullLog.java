package io.galop.persist.sink;

import io.galop.config.ConfigLoader;
import io.galop.node.Readiness;
import io.galop.persist.log.Log;
import io.galop.persist.store.StoreBatch;
import io.galop.record.Batch;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.galop.record.Record;
import io.galop.record.Topic;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A Log full of records of 290 bytes, and the same records as batches. */
final class FullLog {
  static final int SHARDS = 16;
  private static final int OF_A_TOPIC = 500;
  private static final int BATCH = 1_000;
  private static final String PAD = "x".repeat(200);

  private FullLog() {}

  static Log of(Path directory, int records) throws Exception {
    Log log =
        Log.open(
            directory,
            ConfigLoader.defaults().persist().log(),
            SHARDS,
            new SimpleMeterRegistry(),
            new Readiness());
    for (int at = 0; at < records; at += OF_A_TOPIC) {
      List<Record> batch = new ArrayList<>();
      for (int i = at; i < at + OF_A_TOPIC; i++) {
        batch.add(record(i));
      }
      int shard = Topic.shard(batch.get(0).topic(), SHARDS);
      log.append(new Batch(shard, 1, at + 1L, batch))
          .toCompletionStage()
          .toCompletableFuture()
          .get();
    }
    return log;
  }

  /** The ids are in no order, as ids are. */
  private static Record record(int i) {
    String data = "{\"n\":" + i + ",\"pad\":\"" + PAD + "\"}";
    return new Record(
        "id-" + Integer.toHexString(i * 0x9E3779B1),
        "race/" + i / OF_A_TOPIC % 1_000,
        1_395_000_000_000_000L + i,
        data.getBytes(StandardCharsets.UTF_8));
  }

  /** As large as a sink's are by default. */
  static List<StoreBatch> parcels(int records) {
    List<StoreBatch> parcels = new ArrayList<>();
    for (int at = 0; at < records; at += BATCH) {
      List<Placed> batch = new ArrayList<>();
      for (int i = at; i < Math.min(records, at + BATCH); i++) {
        Record record = record(i);
        int shard = Topic.shard(record.topic(), SHARDS);
        batch.add(new Placed(new Position(shard, 1, i + 1L), record));
      }
      parcels.add(new StoreBatch(1, batch, 290L * batch.size(), Optional.empty()));
    }
    return parcels;
  }
}
