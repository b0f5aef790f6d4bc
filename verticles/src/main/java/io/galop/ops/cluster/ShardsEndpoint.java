package io.galop.ops.cluster;

import io.galop.cluster.Cluster;
import io.galop.cluster.Member;
import io.galop.config.Role;
import io.galop.node.JsonAnswer;
import io.galop.node.Node;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@code GET /shards}: which node owns each shard. Whoever asks while nodes are being asked gets
 * the same answer. On the event loop of the port.
 */
public final class ShardsEndpoint {
  private final Vertx vertx;
  private final Node node;
  private final Loop loop;
  private final ClusterReports reports;
  private Optional<Future<Buffer>> underWay = Optional.empty();

  public ShardsEndpoint(Vertx vertx, Node node, Loop loop) {
    this.vertx = vertx;
    this.node = node;
    this.loop = loop;
    this.reports = new ClusterReports(vertx, node, loop);
  }

  /** Adds its route. */
  public void mount(Router router) {
    router.get("/" + NodeShards.NAME).handler(this::shards);
  }

  private void shards(RoutingContext request) {
    if (reports.members().stream().noneMatch(ClusterReports.with(Role.PERSIST))) {
      JsonAnswer.refuse(
          request, 404, "role_missing", "this node reaches none that stores; ask one of these");
      return;
    }
    Future<Buffer> answer = underWay.orElseGet(this::ask);
    answer.onSuccess(text -> JsonAnswer.send(request, text)).onFailure(request::fail);
  }

  private Future<Buffer> ask() {
    Future<Buffer> answer =
        reports
            .ask(ClusterReports.with(Role.PERSIST), NodeShards.NAME, Map.of())
            .map(answers -> new ShardMap(due(), names(), answers))
            .compose(map -> loop.bring(vertx.executeBlocking(() -> map.json().toBuffer(), false)));
    underWay = Optional.of(answer);
    answer.onComplete(done -> underWay = Optional.empty());
    return answer;
  }

  private List<Optional<String>> due() {
    Cluster cluster = node.bus().cluster();
    List<Optional<String>> due = new ArrayList<>();
    for (int shard = 0; shard < cluster.shards(); shard++) {
      due.add(cluster.owner(Role.PERSIST, shard).map(Member::name));
    }
    return due;
  }

  private Map<String, String> names() {
    Map<String, String> names = new HashMap<>();
    node.bus().cluster().members().forEach(member -> names.put(member.id(), member.name()));
    return names;
  }
}
