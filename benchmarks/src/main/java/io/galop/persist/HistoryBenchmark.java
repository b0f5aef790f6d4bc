package io.galop.persist;

import static io.galop.persist.TestNode.await;

import io.galop.bus.HistoryQuery;
import io.galop.bus.Page;
import io.galop.cluster.LocalCluster;
import io.galop.config.Role;
import io.galop.record.Batch;
import io.galop.record.Record;
import io.galop.record.Topic;
import io.galop.servers.Scratch;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** How long a question about the past takes, answered from memory, with and without a store. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 3, time = 2)
public class HistoryBenchmark {
  private static final int SHARDS = 16;
  private static final int MOST_RECORDS = 10_000;
  private static final int BATCH = 500;
  private static final String PAD = "x".repeat(220);

  @Param({"race/1/runner/7", "race/+/runner/7", "#"})
  public String filter;

  @Param({"false", "true"})
  public boolean newestFirst;

  @Param({"true", "false"})
  public boolean coldStore;

  @Param("100000")
  public int records;

  private final Vertx vertx = Vertx.vertx();
  private TestNode node;

  @Setup
  public void start() throws Exception {
    node =
        TestNode.start(
            vertx,
            new LocalCluster("one", Set.of(Role.values()), SHARDS),
            TestNode.config(Scratch.directory("history"), "persist.cold.enabled=" + coldStore));
    node.awaitReady();
    for (int from = 0; from < records; from += BATCH) {
      send(from, Math.min(from + BATCH, records));
    }
  }

  @Benchmark
  public Page query() throws Exception {
    return await(
        node.bus()
            .history()
            .query(
                node.bus().cluster().self().id(),
                new HistoryQuery(
                    filter, Long.MIN_VALUE, Long.MAX_VALUE, MOST_RECORDS, newestFirst, "")));
  }

  @TearDown
  public void stop() throws Exception {
    node.stop();
    await(vertx.close());
  }

  private void send(int from, int to) throws Exception {
    Map<Integer, List<Record>> byShard =
        IntStream.range(from, to)
            .mapToObj(HistoryBenchmark::record)
            .collect(Collectors.groupingBy(record -> Topic.shard(record.topic(), SHARDS)));
    for (Map.Entry<Integer, List<Record>> shard : byShard.entrySet()) {
      List<Record> all = new ArrayList<>(shard.getValue());
      await(node.bus().persist().send(Batch.unplaced(shard.getKey(), all)));
    }
  }

  private static Record record(int number) {
    byte[] data =
        ("{\"odds\":" + number + ",\"pad\":\"" + PAD + "\"}").getBytes(StandardCharsets.US_ASCII);
    String topic = "race/" + number % 10 + "/runner/" + number / 10 % 9;
    return new Record("node-1-" + number, topic, 1_000L * number, data);
  }
}
