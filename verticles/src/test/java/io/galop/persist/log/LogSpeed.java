package io.galop.persist.log;

import io.galop.config.persist.LogConfig;
import io.galop.node.Readiness;
import io.galop.record.Batch;
import io.galop.record.Record;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Measures appends: {@code LogSpeed <empty directory> <seconds>}. A program, not a test. */
final class LogSpeed {
  private static final int BATCH = 200;
  private static final int BATCHES_IN_FLIGHT = 64;

  private LogSpeed() {}

  public static void main(String[] arguments) throws Exception {
    SimpleMeterRegistry meters = new SimpleMeterRegistry();
    LogConfig config = new LogConfig(64 << 20, 8 << 20, 256L << 20, 24, 8L << 30, 256L << 20);
    try (Log log = Log.open(Path.of(arguments[0]), config, 16, meters, new Readiness())) {
      log.startRetention();
      long runs = Long.parseLong(arguments[1]);
      for (int second = 0; second < runs; second++) {
        System.out.printf("%,d records/s%n", run(log, second + 1));
      }
      System.out.printf(
          "fsync mean %.2f ms, group mean %.0f records, segments %d%n",
          meters.get("galop.persist.log.fsync").timer().mean(TimeUnit.MILLISECONDS),
          meters.get("galop.persist.log.group").summary().mean(),
          log.durable().segment());
    }
  }

  private static long run(Log log, long epoch) throws InterruptedException {
    Semaphore inFlight = new Semaphore(BATCHES_IN_FLIGHT);
    long offset = 1;
    long startedNs = System.nanoTime();
    while (System.nanoTime() - startedNs < 1_000_000_000L) {
      inFlight.acquire();
      log.append(batch((int) (offset % 16), epoch, offset)).onComplete(done -> inFlight.release());
      offset += BATCH;
    }
    inFlight.acquire(BATCHES_IN_FLIGHT);
    return (offset - 1) * 1_000_000_000L / (System.nanoTime() - startedNs);
  }

  private static Batch batch(int shard, long epoch, long offset) {
    List<Record> records = new ArrayList<>(BATCH);
    for (int i = 0; i < BATCH; i++) {
      records.add(new Record("f-" + (offset + i), "race/1/runner/" + shard, offset, new byte[250]));
    }
    return new Batch(shard, epoch, offset, records);
  }
}
