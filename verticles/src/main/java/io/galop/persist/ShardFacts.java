package io.galop.persist;

import io.galop.follow.RecentStamps;
import io.galop.node.AskedRecord;
import io.galop.node.Node;
import io.galop.node.Reports;
import io.galop.persist.ownership.ShardState.Owning;
import io.galop.record.Position;
import io.galop.record.TraceContext;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Map;

/**
 * What this node knows of the way of records of one shard, by the name {@code explain/shard/<n>}:
 * {@code {"owner":…,"records":[{"onDisk":…,"door":…,"doorNode":…,"takenUs":…,"trace":…,
 * "placedMs":…,"loggedMs":…},…]}}. Times are there while the Batch is one of the shard's last ones.
 * Answers on the shard's event loop.
 */
final class ShardFacts implements Reports.Report {
  private final Loop loop = Loop.current();
  private final ShardOwner owner;

  ShardFacts(ShardOwner owner) {
    this.owner = owner;
  }

  /** Tells other nodes of its records, and this node's own reports of it. */
  static void share(Node node, int shard, ShardOwner owner) {
    node.reports().share("explain/shard/" + shard, new ShardFacts(owner));
    node.reports().offer(ShardTopics.name(shard), new ShardTopics(owner));
    node.reports().offer(ShardStanding.name(shard), new ShardStanding(owner));
  }

  @Override
  public Future<JsonObject> answer(Map<String, String> parameters) {
    var asked = AskedRecord.of(parameters);
    return loop.call(
        () -> {
          JsonArray records = new JsonArray();
          asked.forEach(one -> records.add(of(one.position())));
          return Future.succeededFuture(
              new JsonObject()
                  .put("owner", owner.state() instanceof Owning)
                  .put("remembered", RecentStamps.MOST)
                  .put("records", records));
        });
  }

  private JsonObject of(Position position) {
    JsonObject facts = new JsonObject();
    if (owner.state() instanceof Owning) {
      facts.put("onDisk", position.compareTo(owner.durability().last()) <= 0);
    }
    owner.followers().times(position).ifPresent(times -> put(facts, times));
    return facts;
  }

  private static void put(JsonObject facts, RecentStamps.Times times) {
    facts.put("placedMs", times.placedMs());
    if (times.loggedMs() > 0) {
      facts.put("loggedMs", times.loggedMs());
    }
    if (!times.stamp().isNone()) {
      facts
          .put("door", times.stamp().door())
          .put("doorNode", times.stamp().node())
          .put("takenUs", times.stamp().atUs());
    }
    TraceContext trace = times.stamp().trace();
    if (trace != null) {
      facts.put("trace", trace.traceId());
    }
  }
}
