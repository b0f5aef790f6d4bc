package io.galop.ops;

import io.galop.cluster.Cluster;
import io.galop.cluster.Member;
import io.galop.config.Role;
import io.galop.node.Node;
import io.galop.socket.ListenerTls;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.Map;

/**
 * What {@code GET /status} answers: how this node is, for programs and for {@code galop status}.
 * Counts are since the start of the node; two answers and their {@code timeMs} give rates.
 */
final class StatusReport {
  private final Node node;
  private final MeterSums meters;

  StatusReport(Node node) {
    this.node = node;
    this.meters = new MeterSums(node.meters());
  }

  JsonObject json() {
    Cluster cluster = node.bus().cluster();
    JsonObject report =
        new JsonObject()
            .put("node", cluster.self().name())
            .put("version", version())
            .put("timeMs", System.currentTimeMillis())
            .put("uptimeMs", ManagementFactory.getRuntimeMXBean().getUptime())
            .put("ready", node.readiness().isReady())
            .put("reasons", object(node.readiness().reasons()))
            .put("warnings", object(node.readiness().warnings()))
            .put("conditions", HealthEndpoint.conditions(node.readiness().conditions()))
            .put("roles", roles(cluster.self().roles()))
            .put("members", members(cluster))
            .put("listeners", object(node.listeners().open()))
            .put("tls", tls())
            .put("records", records())
            .put("latencyMs", LatencyMetrics.lastMinute(node.lateness()));
    addTold(report);
    if (node.config().runs(Role.ENRICH)) {
      report.put("scripts", ScriptEndpoint.scripts(node));
    }
    if (node.config().runs(Role.INGEST)) {
      addDoors(report);
    }
    if (node.config().runs(Role.PERSIST)) {
      report
          .put("shards", shards(cluster))
          .put("log", log())
          .put("sinks", new SinkReport(meters).json())
          .put("feed", feed());
    }
    if (node.config().runs(Role.BROADCAST)) {
      report.put("browsers", browsers());
    }
    if (!node.config().verticles().isEmpty()) {
      report.put("verticles", new VerticleReport(meters).json());
    }
    return report;
  }

  /** What parts tell by themselves: links of a relay or to relays, and how full the node is. */
  private void addTold(JsonObject report) {
    node.reports()
        .find("links")
        .map(told -> told.answer(Map.of()).result().getJsonArray("links"))
        .ifPresent(links -> report.put("links", links));
    node.reports()
        .find(HeadroomCheck.REPORT)
        .ifPresent(told -> report.put("headroom", told.answer(Map.of()).result()));
  }

  private void addDoors(JsonObject report) {
    if (!node.config().ingest().poll().sources().isEmpty()) {
      report.put("polled", new PollReport(meters).json());
    }
    if (node.config().ingest().asksWhoPublishes()) {
      report.put("publishers", new PublisherReport(meters).json());
    }
  }

  private static String version() {
    String packed = Node.class.getPackage().getImplementationVersion();
    return packed == null ? "not packed" : packed;
  }

  private static JsonObject object(Map<String, String> texts) {
    JsonObject object = new JsonObject();
    texts.forEach(object::put);
    return object;
  }

  private static JsonArray roles(Collection<Role> roles) {
    JsonArray words = new JsonArray();
    roles.stream().sorted().map(Role::word).forEach(words::add);
    return words;
  }

  private static JsonArray members(Cluster cluster) {
    JsonArray members = new JsonArray();
    for (Member member : cluster.members()) {
      members.add(
          new JsonObject()
              .put("name", member.name())
              .put("roles", roles(member.roles()))
              .put("shards", Shares.of(cluster, member)));
    }
    return members;
  }

  private static JsonObject shards(Cluster cluster) {
    return new JsonObject()
        .put("owned", Shares.of(cluster, cluster.self()))
        .put("of", cluster.shards());
  }

  private JsonArray tls() {
    JsonArray all = new JsonArray();
    for (ListenerTls tls : node.listeners().tls().all()) {
      all.add(
          new JsonObject()
              .put("listener", tls.name())
              .put("certificate", tls.subject())
              .put("until", tls.until().toString())
              .put("refused", tls.refused()));
    }
    return all;
  }

  private JsonObject records() {
    return new JsonObject()
        .put("taken", meters.sum("galop.ingest.records"))
        .put("acknowledged", meters.sum("galop.ingest.acknowledged"))
        .put("rejected", meters.sum("galop.ingest.rejected"))
        .put("enriched", meters.sum("galop.enrich.records.out"))
        .put("placed", meters.sum("galop.persist.records"))
        .put("deadLetters", meters.sum("galop.enrich.dead.letters"));
  }

  private JsonObject log() {
    return new JsonObject()
        .put("bytes", meters.sum("galop.persist.log.size"))
        .put("segments", meters.sum("galop.persist.log.segments"))
        .put("queueBytes", meters.sum("galop.persist.log.queue"))
        .put("overQuota", meters.sum("galop.persist.log.over.quota") > 0)
        .put("damaged", meters.sum("galop.persist.log.damaged"));
  }

  private JsonObject feed() {
    return new JsonObject()
        .put("followers", meters.sum("galop.persist.followers"))
        .put("lagRecords", meters.max("galop.persist.followers.lag"))
        .put("dropped", meters.sum("galop.persist.followers.dropped"));
  }

  private JsonObject browsers() {
    return new JsonObject()
        .put("connections", meters.sum("galop.broadcast.connections"))
        .put("sent", meters.sum("galop.broadcast.sent"))
        .put("disconnects", meters.sum("galop.broadcast.disconnects"));
  }
}
