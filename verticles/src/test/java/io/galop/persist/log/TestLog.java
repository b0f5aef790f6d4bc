package io.galop.persist.log;

import io.galop.config.persist.LogConfig;
import io.galop.node.Readiness;
import io.galop.persist.log.file.Disk;
import io.galop.persist.log.file.FileDisk;
import io.galop.persist.log.file.LogPosition;
import io.galop.record.Batch;
import io.galop.record.Placed;
import io.galop.record.Record;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A Log of small segments in a directory of a test. */
final class TestLog {
  static final int SHARDS = 4;
  static final LogConfig SMALL =
      new LogConfig(65_536, 8_192, 1L << 30, 24, (1L << 30) + 3 * 65_536, 0);

  final Readiness readiness = new Readiness();
  final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final Path directory;

  TestLog(Path directory) {
    this.directory = directory;
  }

  Log open() {
    return open(SMALL, new FileDisk());
  }

  Log open(LogConfig config, Disk disk) {
    return Log.open(directory, config, SHARDS, meters, readiness, disk);
  }

  static Batch batch(int shard, long epoch, long firstOffset, int count) {
    List<Record> records = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      records.add(record(shard, epoch, firstOffset + i));
    }
    return new Batch(shard, epoch, firstOffset, records);
  }

  static Record record(int shard, long epoch, long offset) {
    String id = shard + "." + epoch + "-" + offset;
    String data = "{\"n\":" + offset + ",\"pad\":\"" + "x".repeat(200) + "\"}";
    return new Record(id, "t/" + shard, offset, data.getBytes(StandardCharsets.UTF_8));
  }

  static void await(Future<?> future) throws Exception {
    future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  static List<Placed> readAll(Log log) {
    return readFrom(log, LogPosition.START);
  }

  static List<Placed> readFrom(Log log, LogPosition from) {
    List<Placed> all = new ArrayList<>();
    try (LogReader reader = log.reader(from)) {
      LogChunk chunk = reader.read(10_000);
      while (chunk.bytes() > 0) {
        all.addAll(chunk.records());
        chunk = reader.read(10_000);
      }
    }
    return all;
  }

  static List<String> ids(List<Placed> records) {
    return records.stream().map(placed -> placed.record().id()).toList();
  }
}
