package io.galop.persist;

import static io.galop.persist.TestNode.await;

import io.galop.bus.Follow;
import io.galop.cluster.LocalCluster;
import io.galop.config.Role;
import io.galop.record.Batch;
import io.galop.record.Position;
import io.galop.record.Record;
import io.galop.servers.Scratch;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
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

/**
 * Records a second that the owner of one shard acknowledges from disk, with a follower: Batches of
 * 200, 16 of them in flight.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 10, time = 1)
public class OwnerBenchmark {
  private static final int SHARD = 1;
  private static final int BATCH = 200;
  private static final int BATCHES_IN_FLIGHT = 16;
  private static final int TOPICS = 1000;
  private static final String PAD = "x".repeat(230);

  private final Vertx vertx = Vertx.vertx();
  private final Semaphore room = new Semaphore(BATCHES_IN_FLIGHT);
  private final AtomicReference<Throwable> refused = new AtomicReference<>();
  private TestNode node;
  private Context publisher;
  private long next;

  @Setup
  public void start() throws Exception {
    node =
        TestNode.start(
            vertx,
            new LocalCluster("one", Set.of(Role.values()), 4),
            TestNode.config(
                Scratch.directory("owner"), "node.shards=4", "persist.cold.enabled=false"));
    node.awaitReady();
    await(node.bus().feed().onPush(push -> Future.succeededFuture()).completion());
    String self = node.bus().cluster().self().id();
    await(node.bus().feed().follow(new Follow(self, 1, Position.none(SHARD))));
    publisher = vertx.getOrCreateContext();
  }

  @Benchmark
  @OperationsPerInvocation(BATCH)
  public void acknowledge() throws InterruptedException {
    room.acquire();
    Batch batch = batch();
    publisher.runOnContext(
        now ->
            node.bus()
                .persist()
                .send(batch)
                .onFailure(refused::set)
                .onComplete(done -> room.release()));
  }

  /** What is in flight belongs to the iteration that began it; a refusal makes it worth nothing. */
  @TearDown(Level.Iteration)
  public void awaitAnswers() throws InterruptedException {
    room.acquire(BATCHES_IN_FLIGHT);
    room.release(BATCHES_IN_FLIGHT);
    if (refused.get() != null) {
      throw new IllegalStateException("a Batch was refused", refused.get());
    }
  }

  @TearDown
  public void stop() throws Exception {
    node.stop();
    await(vertx.close());
  }

  private Batch batch() {
    List<Record> records = new ArrayList<>(BATCH);
    for (int i = 0; i < BATCH; i++) {
      long number = next++;
      byte[] data =
          ("{\"odds\":" + number + ",\"pad\":\"" + PAD + "\"}").getBytes(StandardCharsets.US_ASCII);
      String topic = "race/1.1/runner/" + number % TOPICS;
      records.add(new Record("node-1-" + number, topic, number, data));
    }
    return Batch.unplaced(SHARD, records);
  }
}
