package io.galop.ops.drill;

import io.galop.bus.ShardStream;
import io.galop.config.Role;
import io.galop.node.Node;
import io.galop.record.Batch;
import io.galop.record.Record;
import io.galop.record.Topic;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.json.JsonObject;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Where records of drills come in: the node's own http door, or the bus where it has none. */
final class DrillDoor {
  private static final int BATCH_RECORDS = 10;
  private static final int BATCH_BYTES = 65_536;

  private final Node node;
  private final HttpClient client;
  private final OwnPort port;
  private final Map<Integer, ShardStream> streams = new HashMap<>();

  DrillDoor(Node node, HttpClient client, OwnPort port) {
    this.node = node;
    this.client = client;
    this.port = port;
  }

  /** {@code http} or {@code bus}. */
  String word() {
    return node.config().runs(Role.INGEST) ? "http" : "bus";
  }

  /** Succeeds when the record is acknowledged. */
  Future<Void> send(String topic, String id, JsonObject data) {
    return node.config().runs(Role.INGEST) ? post(topic, id, data) : stream(topic, id, data);
  }

  private Future<Void> post(String topic, String id, JsonObject data) {
    String path = URLEncoder.encode(topic, StandardCharsets.UTF_8).replace("%2F", "/");
    RequestOptions options =
        port.request("/publish/" + path)
            .setMethod(HttpMethod.POST)
            .putHeader("Content-Type", "application/x-ndjson");
    JsonObject line = new JsonObject().put("id", id).put("data", data);
    return client
        .request(options)
        .compose(request -> request.send(line.toBuffer()))
        .compose(answer -> answer.body().compose(body -> judge(answer.statusCode(), body)));
  }

  private static Future<Void> judge(int status, Buffer body) {
    return status == 202
        ? Future.succeededFuture()
        : Future.failedFuture("the http door answered " + status + " " + body);
  }

  /** The same past the door and enrichment, as an enriching node sends it. */
  Future<Void> sendToOwner(String topic, String id, JsonObject data) {
    List<Record> records = List.of(record(topic, id, data));
    Batch batch = new Batch(shard(topic), 0, 0, records, node.lateness().stamp("drill"));
    return node.bus().persist().send(batch);
  }

  private Future<Void> stream(String topic, String id, JsonObject data) {
    return streams
        .computeIfAbsent(
            shard(topic), of -> node.bus().enrich().open(of, BATCH_RECORDS, BATCH_BYTES))
        .send(List.of(record(topic, id, data)), node.lateness().stamp("drill"));
  }

  private int shard(String topic) {
    return Topic.shard(topic, node.bus().cluster().shards());
  }

  private static Record record(String topic, String id, JsonObject data) {
    long nowUs = TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
    return new Record(id, topic, nowUs, data.toBuffer().getBytes());
  }
}
