package io.galop.persist.log;

import io.galop.config.persist.LogConfig;
import io.galop.node.Readiness;
import io.galop.record.Batch;
import io.galop.record.Record;
import io.galop.servers.Scratch;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Records a second that the Log takes, fsync included: Batches of 200, 64 of them in flight. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class LogBenchmark {
  private static final int BATCH = 200;
  private static final int SHARDS = 16;
  private static final int BATCHES_IN_FLIGHT = 64;
  private static final int DATA_BYTES = 250;

  private final Semaphore room = new Semaphore(BATCHES_IN_FLIGHT);
  private Log log;
  private long offset = 1;

  @Setup
  public void open() throws IOException {
    LogConfig config = new LogConfig(64 << 20, 8 << 20, 256L << 20, 24, 8L << 30, 256L << 20);
    SimpleMeterRegistry meters = new SimpleMeterRegistry();
    log = Log.open(Scratch.directory("log"), config, SHARDS, meters, new Readiness());
    log.startRetention(kept -> System.currentTimeMillis());
  }

  @Benchmark
  @OperationsPerInvocation(BATCH)
  public void append() throws InterruptedException {
    room.acquire();
    int shard = (int) (offset / BATCH % SHARDS);
    log.append(batch(shard, offset)).onComplete(done -> room.release());
    offset += BATCH;
  }

  /** What is in flight belongs to the iteration that began it. */
  @TearDown(Level.Iteration)
  public void awaitDisk() throws InterruptedException {
    room.acquire(BATCHES_IN_FLIGHT);
    room.release(BATCHES_IN_FLIGHT);
  }

  @TearDown
  public void close() {
    log.close();
  }

  private static Batch batch(int shard, long offset) {
    List<Record> records = new ArrayList<>(BATCH);
    for (int i = 0; i < BATCH; i++) {
      String id = "f-" + (offset + i);
      records.add(new Record(id, "race/1/runner/" + shard, offset, new byte[DATA_BYTES]));
    }
    return new Batch(shard, 1, offset, records);
  }
}
