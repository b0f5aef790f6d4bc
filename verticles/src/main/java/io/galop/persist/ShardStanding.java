package io.galop.persist;

import io.galop.node.Reports;
import io.galop.persist.ownership.ShardState;
import io.galop.persist.ownership.ShardState.Failed;
import io.galop.persist.ownership.ShardState.Owning;
import io.galop.persist.ownership.ShardState.Stopping;
import io.galop.persist.ownership.ShardState.TakingOver;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;

/**
 * What this node is to one shard, by the name {@code shards/<shard>}: {@code {"state":word}}, and
 * of an owner {@code "epoch"}, {@code "onDisk"}, its last Position there, the ids of the nodes that
 * are {@code "followers"}, and {@code "copy"}, the name of the node that keeps the second copy.
 * Answers on the shard's event loop.
 */
final class ShardStanding implements Reports.Report {
  private final Loop loop = Loop.current();
  private final ShardOwner owner;

  ShardStanding(ShardOwner owner) {
    this.owner = owner;
  }

  static String name(int shard) {
    return "shards/" + shard;
  }

  @Override
  public Future<JsonObject> answer(Map<String, String> parameters) {
    return loop.call(() -> Future.succeededFuture(json(owner.state())));
  }

  private JsonObject json(ShardState state) {
    JsonObject json = new JsonObject().put("state", word(state));
    if (state instanceof Owning owning) {
      json.put("epoch", owning.epoch())
          .put("onDisk", owner.durability().last().toString())
          .put("followers", new JsonArray(List.copyOf(owner.followers().nodes())));
      owner.replication().copier().ifPresent(name -> json.put("copy", name));
    }
    return json;
  }

  private static String word(ShardState state) {
    if (state instanceof Owning) {
      return "owned";
    } else if (state instanceof TakingOver) {
      return "being taken over";
    } else if (state instanceof Failed) {
      return "failed";
    }
    return state instanceof Stopping ? "stopping" : "waiting";
  }
}
