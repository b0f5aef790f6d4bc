package io.galop.persist;

import static io.galop.persist.TestNode.await;

import io.galop.bus.Follow;
import io.galop.cluster.Cluster;
import io.galop.cluster.LocalCluster;
import io.galop.config.Role;
import io.galop.record.Batch;
import io.galop.record.Position;
import io.galop.record.Record;
import io.galop.servers.Scratch;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Not a test: how many records a second one owner acknowledges from disk, with a follower. Run its
 * main method; arguments: records per Batch, seconds.
 */
final class OwnerSpeed {
  private static final int SHARD = 1;
  private static final int IN_FLIGHT = 16;

  private final TestNode node;
  private final Vertx vertx;
  private final int perBatch;
  private final AtomicInteger next = new AtomicInteger();
  private volatile long deadline;
  private final CountDownLatch done = new CountDownLatch(IN_FLIGHT);

  private OwnerSpeed(Vertx vertx, TestNode node, int perBatch) {
    this.vertx = vertx;
    this.node = node;
    this.perBatch = perBatch;
  }

  public static void main(String[] args) throws Exception {
    int perBatch = args.length > 0 ? Integer.parseInt(args[0]) : 200;
    int seconds = args.length > 1 ? Integer.parseInt(args[1]) : 10;
    Path directory = Scratch.directory("owner-speed");
    Vertx vertx = Vertx.vertx();
    Cluster cluster = new LocalCluster("one", Set.of(Role.values()), 4);
    TestNode node =
        TestNode.start(
            vertx,
            cluster,
            TestNode.config(directory, "node.shards=4", "persist.cold.enabled=false"));
    node.awaitReady();
    AtomicInteger pushed = new AtomicInteger();
    await(
        node.bus()
            .feed()
            .onPush(
                push -> {
                  pushed.addAndGet(push.batch().records().size());
                  return Future.succeededFuture();
                })
            .completion());
    await(
        node.bus()
            .feed()
            .follow(new Follow(node.bus().cluster().self().id(), 1, Position.none(SHARD))));
    new OwnerSpeed(vertx, node, perBatch).run(3, "warm-up");
    OwnerSpeed speed = new OwnerSpeed(vertx, node, perBatch);
    speed.next.set(1 << 30);
    speed.run(seconds, "measured");
    System.out.println("pushed " + pushed.get());
    node.stop();
    await(vertx.close());
  }

  private void run(int seconds, String what) throws Exception {
    int before = next.get();
    deadline = System.nanoTime() + seconds * 1_000_000_000L;
    long start = System.nanoTime();
    for (int i = 0; i < IN_FLIGHT; i++) {
      vertx.getOrCreateContext().runOnContext(v -> send());
    }
    done.await();
    double took = (System.nanoTime() - start) / 1e9;
    System.out.printf("%s: %,.0f records/s%n", what, (next.get() - before) / took);
  }

  private void send() {
    if (System.nanoTime() > deadline) {
      done.countDown();
      return;
    }
    List<Record> records = new ArrayList<>(perBatch);
    int first = next.getAndAdd(perBatch);
    for (int i = first; i < first + perBatch; i++) {
      byte[] data =
          ("{\"odds\":" + i + ",\"pad\":\"" + "x".repeat(230) + "\"}")
              .getBytes(StandardCharsets.US_ASCII);
      records.add(new Record("node-1-" + i, "race/1.1/runner/" + i % 1000, i, data));
    }
    node.bus()
        .persist()
        .send(Batch.unplaced(SHARD, records))
        .onSuccess(v -> send())
        .onFailure(
            e -> {
              System.out.println(e);
              done.countDown();
            });
  }
}
