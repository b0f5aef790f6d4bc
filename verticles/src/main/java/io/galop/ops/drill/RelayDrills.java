package io.galop.ops.drill;

import io.galop.config.Role;
import io.galop.config.broadcast.FeedInterest;
import io.galop.node.Audience;
import io.galop.node.DrillReports;
import io.galop.node.Node;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The drills of a relay: nodes inside send them, its own viewers watch them. One at a time; of
 * another one nothing is known. Tells the relays behind it, too. On one event loop.
 */
final class RelayDrills {
  private static final String RELAYS = "relays";

  private final Node node;
  private final Loop loop;
  private final DrillClients clients;
  private final Ended onEnd;

  /** The one that was begun last; null before the first. */
  private @Nullable RelayRun run;

  /** Is told of a drill that was watched. */
  interface Ended {
    void ended(long tookMs, DrillVerdict verdict);
  }

  RelayDrills(Node node, Loop loop, DrillClients clients, Ended onEnd) {
    this.node = node;
    this.loop = loop;
    this.clients = clients;
    this.onEnd = onEnd;
  }

  /** Takes orders from now on. */
  void offer() {
    node.reports().offer(DrillReports.RELAY, given -> loop.call(() -> answer(given)));
  }

  private Future<JsonObject> answer(Map<String, String> parameters) {
    JsonObject order = DrillReports.order(parameters);
    RelayOrder read = RelayOrder.of(order);
    Future<JsonObject> behind =
        node.reports()
            .find(DrillReports.RELAYS)
            .map(relays -> relays.answer(parameters))
            .orElse(Future.succeededFuture(new JsonObject()));
    JsonObject own = own(read);
    return loop.bring(behind)
        .otherwise(failure -> new JsonObject())
        .map(said -> own.put(RELAYS, said.getJsonArray(RELAYS, new JsonArray())));
  }

  private JsonObject own(RelayOrder order) {
    Optional<RelayRun> of = Optional.ofNullable(run).filter(one -> one.isOf(order));
    of.ifPresent(one -> one.hear(order.word()));
    boolean isNew = of.isEmpty() && order.word() == RelayOrder.Word.WATCH;
    if (isNew && run != null) {
      run.endBefore(order);
    }
    boolean isFree = run == null || run.isOver();
    RelayRun known = isNew && isFree && isReady() ? begin(order) : of.orElse(null);
    JsonArray failed = new JsonArray();
    if (known != null) {
      known
          .verdict()
          .ifPresent(verdict -> verdict.failures().forEach(one -> failed.add(one.stage().word())));
    }
    RelayState state = known == null ? RelayState.UNKNOWN : known.state();
    return new JsonObject().put("state", state.word()).put("failed", failed);
  }

  /** Whether somebody who watches would be let in, and shown what comes. */
  private boolean isReady() {
    return node.config().runs(Role.BROADCAST)
        && clients.closed().isEmpty()
        && node.readiness().reasons(Audience.VIEWERS).isEmpty();
  }

  private RelayRun begin(RelayOrder order) {
    DrillPlan plan =
        new DrillPlan(
            order.way().number(), order.fault(), clients.transports(), order.withinMs(), 0, 0);
    boolean isWatched = node.config().broadcast().interest() == FeedInterest.WATCHED;
    RelayRun begun =
        new RelayRun(
            loop,
            order,
            RelayRound.of(plan, isWatched),
            this::isReady,
            events -> clients.viewers(order.way(), events),
            (over, verdict) -> onEnd.ended(over.tookMs(), verdict));
    run = begun;
    begun.start();
    return begun;
  }
}
