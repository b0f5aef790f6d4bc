package io.galop.persist;

import static io.galop.persist.TestNode.await;

import io.galop.bus.HistoryQuery;
import io.galop.bus.Page;
import io.galop.cluster.Cluster;
import io.galop.cluster.LocalCluster;
import io.galop.config.Role;
import io.galop.record.Batch;
import io.galop.record.Record;
import io.galop.record.Topic;
import io.galop.servers.Scratch;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Not a test: how long a question about the past takes with a full RAM tier. Run its main method;
 * arguments: whether there is a cold store, and how many records.
 */
final class HistorySpeed {
  private static final int SHARDS = 16;

  private HistorySpeed() {}

  public static void main(String[] args) throws Exception {
    Path directory = Scratch.directory("history-speed");
    Vertx vertx = Vertx.vertx();
    Cluster cluster = new LocalCluster("one", Set.of(Role.values()), SHARDS);
    TestNode node =
        TestNode.start(
            vertx, cluster, TestNode.config(directory, "persist.cold.enabled=" + args[0]));
    node.awaitReady();
    fill(node, Integer.parseInt(args[1]));
    for (String filter : List.of("race/1/runner/7", "race/+/runner/7", "#")) {
      for (boolean newestFirst : new boolean[] {false, true}) {
        for (int round = 0; round < 6; round++) {
          long start = System.nanoTime();
          Page page =
              await(
                  node.bus()
                      .history()
                      .query(
                          node.bus().cluster().self().id(),
                          new HistoryQuery(
                              filter, Long.MIN_VALUE, Long.MAX_VALUE, 10_000, newestFirst, "")));
          System.out.printf(
              "%s newestFirst=%s: %d records in %.1f ms%n",
              filter, newestFirst, page.records().size(), (System.nanoTime() - start) / 1e6);
        }
      }
    }
    node.stop();
    await(vertx.close());
  }

  private static void fill(TestNode node, int count) throws Exception {
    List<Future<Void>> sent = new ArrayList<>();
    List<List<Record>> byShard = new ArrayList<>();
    for (int shard = 0; shard < SHARDS; shard++) {
      byShard.add(new ArrayList<>());
    }
    for (int i = 0; i < count; i++) {
      String topic = "race/" + i % 10 + "/runner/" + i / 10 % 9;
      byte[] data =
          ("{\"odds\":" + i + ",\"pad\":\"" + "x".repeat(220) + "\"}")
              .getBytes(StandardCharsets.US_ASCII);
      int shard = Topic.shard(topic, SHARDS);
      byShard.get(shard).add(new Record("node-1-" + i, topic, 1_000L * i, data));
      if (byShard.get(shard).size() == 500) {
        sent.add(node.bus().persist().send(Batch.unplaced(shard, byShard.get(shard))));
        byShard.set(shard, new ArrayList<>());
      }
      if (sent.size() == 8) {
        for (Future<Void> one : sent) {
          await(one);
        }
        sent.clear();
      }
    }
  }
}
