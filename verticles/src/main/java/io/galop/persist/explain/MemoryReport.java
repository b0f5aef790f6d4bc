package io.galop.persist.explain;

import io.galop.bus.Refusal;
import io.galop.bus.Refusal.Why;
import io.galop.node.AskedRecord;
import io.galop.node.Node;
import io.galop.node.Reports;
import io.galop.persist.explain.IdSearch.Found;
import io.galop.persist.explain.IdSearch.Key;
import io.galop.persist.ram.ShardMemory;
import io.galop.persist.ram.Slab;
import io.galop.record.Placed;
import io.galop.record.Record;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

/**
 * Which records of an id the RAM tier of this node has, by the name {@code explain/found}. {@code
 * {"records":[{"topic":…,"id":…,"timeUs":…,"pos":…,"data":text,"dataCut":…,"notAfterMs":…},…],
 * "whole":…}}; not whole, if there was no time for all of it. A thread of its own walks all slabs;
 * so many questions may wait for it, more are refused. From any thread.
 */
public final class MemoryReport implements Reports.Report {
  private static final int MOST_WAITING = 4;
  private static final int MOST_DATA_BYTES = 4_096;
  private static final int LONGEST_S = 30;

  /** Whoever asks waits for 5 s. */
  private static final long MOST_MS = 3_000;

  private final IntFunction<Slab[]> slabs;
  private final int shards;
  private final WorkerExecutor thread;
  private final AtomicInteger waiting = new AtomicInteger();

  private MemoryReport(Vertx vertx, int shards, IntFunction<Slab[]> slabs) {
    this.slabs = slabs;
    this.shards = shards;
    this.thread = vertx.createSharedWorkerExecutor("galop-explain", 1, LONGEST_S, TimeUnit.SECONDS);
  }

  /**
   * Answers from now on.
   *
   * @param slabs of each shard, from any thread
   */
  public static void share(Vertx vertx, Node node, IntFunction<Slab[]> slabs) {
    int shards = node.bus().cluster().shards();
    node.reports().share("explain/found", new MemoryReport(vertx, shards, slabs));
  }

  @Override
  public Future<JsonObject> answer(Map<String, String> parameters) {
    IdSearch search =
        new IdSearch(
            parameters.getOrDefault("id", ""),
            parameters.getOrDefault("topic", ""),
            new Key(
                parameters.getOrDefault("afterTopic", ""), parameters.getOrDefault("afterId", "")),
            limit(parameters.getOrDefault("limit", "")));
    if (waiting.incrementAndGet() > MOST_WAITING) {
      waiting.decrementAndGet();
      return Future.failedFuture(
          new Refusal(Why.BUSY, MOST_WAITING + " questions wait already; ask again"));
    }
    return thread
        .executeBlocking(() -> run(search), false)
        .onComplete(done -> waiting.decrementAndGet());
  }

  private static int limit(String text) {
    if (text.matches("[1-9][0-9]{0,2}") && Integer.parseInt(text) <= AskedRecord.MOST) {
      return Integer.parseInt(text);
    }
    throw new IllegalArgumentException("limit must be from 1 to " + AskedRecord.MOST);
  }

  private JsonObject run(IdSearch search) {
    long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(MOST_MS);
    for (int shard = 0; shard < shards; shard++) {
      search.walk(shard, slabs.apply(shard), endNanos);
    }
    return json(search.found()).put("whole", search.isWhole());
  }

  /** The records found, with times of the clock that all nodes have. */
  static JsonObject json(List<Found> found) {
    JsonArray all = new JsonArray();
    long sinceMs = System.currentTimeMillis() - ShardMemory.nowMs();
    for (Found one : found) {
      JsonObject record = json(one.placed()).put("notAfterMs", one.writtenMs() + sinceMs);
      all.add(record.put("times", one.times()));
    }
    return new JsonObject().put("records", all);
  }

  /** A record with its data, of which the beginning is enough. */
  static JsonObject json(Placed placed) {
    Record record = placed.record();
    byte[] data = record.data();
    int kept = Math.min(data.length, MOST_DATA_BYTES);
    return new AskedRecord(record.topic(), record.id(), record.timeUs(), placed.position())
        .json()
        .put("data", new String(Arrays.copyOf(data, kept), StandardCharsets.UTF_8))
        .put("dataCut", kept < data.length);
  }
}
