package io.galop.link;

import io.galop.node.DrillReports;
import io.galop.node.Node;
import io.galop.presence.PresenceQuestion;
import io.galop.presence.PresenceReport;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Brings the feed to the relays that are configured: one instance, with a link to each. */
public final class UplinkVerticle extends VerticleBase {
  private final Node node;
  private final LinkCounts counts;
  private final LinkReport reported;

  /** Filled by the start; as many as are configured. */
  private volatile List<Uplink> uplinks = List.of();

  UplinkVerticle(Node node, LinkCounts counts, LinkReport reported) {
    this.reported = reported;
    this.node = node;
    this.counts = counts;
  }

  @Override
  public Future<?> start() {
    counts.onUp(() -> (int) uplinks.stream().filter(Uplink::isUp).count());
    List<Uplink> all = new ArrayList<>();
    List<Future<?>> listening = new ArrayList<>();
    for (int relay = 0; relay < node.config().relays().size(); relay++) {
      Uplink uplink = new Uplink(node, relay, counts);
      all.add(uplink);
      listening.add(node.bus().link().onPush(relay, uplink::onPush).completion());
    }
    uplinks = List.copyOf(all);
    listening.add(node.bus().viewers().onTellRelays(this::revoke).completion());
    reported.add(this::report);
    Loop loop = Loop.current();
    node.reports()
        .offer(PresenceReport.RELAYS, parameters -> loop.call(() -> presence(parameters)));
    node.reports().share(DrillReports.RELAYS, given -> loop.call(() -> drill(given)));
    node.bus().cluster().onChange(members -> uplinks.forEach(Uplink::onMembers));
    vertx.setPeriodic(LinkChannel.SIGN_MS, timer -> uplinks.forEach(Uplink::tick));
    return Future.all(listening).onSuccess(done -> uplinks.forEach(Uplink::dial));
  }

  private Future<JsonObject> revoke(JsonObject order) {
    return ofAll(uplink -> uplink.revoke(order));
  }

  private Future<JsonObject> presence(Map<String, String> parameters) {
    JsonObject question = PresenceQuestion.of(parameters).json();
    String given = parameters.get(PresenceReport.TIMEOUT_MS);
    long timeoutMs = given == null ? RelayNews.PRESENCE_MS : Long.parseLong(given);
    return ofAll(uplink -> uplink.presence(question, timeoutMs));
  }

  private Future<JsonObject> drill(Map<String, String> parameters) {
    JsonObject order = DrillReports.order(parameters);
    long timeoutMs = DrillReports.timeoutMs(parameters, RelayNews.DRILL_MS);
    return ofAll(uplink -> uplink.drill(order, timeoutMs));
  }

  private Future<JsonObject> ofAll(Function<Uplink, Future<JsonObject>> relay) {
    return Future.all(uplinks.stream().map(relay).toList())
        .map(all -> new JsonObject().put("relays", new JsonArray(all.list())));
  }

  private JsonArray report() {
    JsonArray all = new JsonArray();
    uplinks.forEach(uplink -> all.add(uplink.report()));
    return all;
  }

  @Override
  public Future<?> stop() {
    uplinks.forEach(Uplink::close);
    return Future.succeededFuture();
  }
}
