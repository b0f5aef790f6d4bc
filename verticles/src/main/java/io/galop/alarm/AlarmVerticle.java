package io.galop.alarm;

import io.galop.alarm.notify.AlarmNotifier;
import io.galop.config.GalopConfig;
import io.galop.config.Role;
import io.galop.node.LiveConfig;
import io.galop.node.Node;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The alarms of a node: one that stores evaluates the rules for the shards that it owns, and every
 * node answers for all.
 */
public final class AlarmVerticle extends VerticleBase {
  private static final long TICK_MS = 250;
  private static final String PART = "alarms";

  private final Node node;
  private Optional<AlarmNotifier> notifier = Optional.empty();
  private Optional<AlarmEngine> engine = Optional.empty();

  public AlarmVerticle(Node node) {
    this.node = node;
  }

  @Override
  public Future<?> start() {
    new AlarmDesk(Loop.of(context), node.bus().operators(), node.bus().cluster())
        .offer(node.reports());
    if (!node.config().runs(Role.PERSIST)) {
      return Future.succeededFuture();
    }
    return vertx
        .executeBlocking(() -> RuleSet.of(node.config().alarms().rules()))
        .compose(this::start);
  }

  private Future<?> start(RuleSet rules) {
    AlarmNotifier telling =
        new AlarmNotifier(
            Loop.of(context),
            node.config().alarms().targets(),
            node.bus().cluster().self().name(),
            node.meters(),
            this::told);
    notifier = Optional.of(telling);
    AlarmEngine started =
        new AlarmEngine(
            Loop.of(context),
            AlarmRoom.of(node.config().alarms(), node.meters()),
            node.bus().cluster().shards(),
            rules,
            new Telling(telling));
    engine = Optional.of(started);
    AlarmOrders orders = new AlarmOrders(started);
    node.owners().listen(started);
    vertx.setPeriodic(TICK_MS, timer -> tick(started, telling));
    node.settings().offerPrepared("alarms.rules", next -> prepare(started, next));
    return node.bus()
        .operators()
        .onAlarms(request -> answer(started, orders, request))
        .completion();
  }

  private Future<LiveConfig.Prepared> prepare(AlarmEngine engine, GalopConfig next) {
    return vertx
        .executeBlocking(() -> RuleSet.of(next.alarms().rules()))
        .map(rules -> new Change(() -> Loop.of(context).call(() -> engine.change(rules))));
  }

  private record Change(Supplier<Future<Void>> taken) implements LiveConfig.Prepared {
    @Override
    public Future<Void> take() {
      return taken.get();
    }

    @Override
    public void leave() {
      // Nothing was done.
    }
  }

  private void tick(AlarmEngine engine, AlarmNotifier telling) {
    if (engine.tick()) {
      node.readiness()
          .warn(
              PART,
              "alarms were not raised, as " + node.config().alarms().maxStanding() + " stand",
              "acknowledge what stands, make the rules narrower, or raise alarms.maxStanding");
    } else {
      node.readiness().calm(PART);
    }
    telling.tick();
  }

  private void told(String id, String target) {
    AlarmEvent event = new AlarmEvent.Told(target, System.currentTimeMillis());
    engine.ifPresent(now -> now.order(id, event));
  }

  /** Has targets told what is on disk. */
  private record Telling(AlarmNotifier notifier) implements AlarmEngine.AlarmListener {
    @Override
    public void onState(AlarmState state, boolean isNew) {
      AlarmNotifier.Alarm alarm =
          new AlarmNotifier.Alarm(
              state.rule(),
              state.severity(),
              state.isDue(),
              state.sinceMs(),
              state.told(),
              AlarmRecord.json(state));
      notifier.onState(state.id(), alarm, isNew);
    }

    @Override
    public void onGone(AlarmState state) {
      notifier.onGone(state.id());
    }
  }

  private static Future<JsonObject> answer(
      AlarmEngine engine, AlarmOrders orders, JsonObject request) {
    if (!request.getString("do").equals("list")) {
      return orders.follow(request);
    }
    Map<String, String> parameters = new HashMap<>();
    request.forEach(entry -> parameters.put(entry.getKey(), String.valueOf(entry.getValue())));
    return Future.succeededFuture(AlarmList.of(AlarmList.Query.of(parameters), engine::standing));
  }

  @Override
  public Future<?> stop() {
    notifier.ifPresent(AlarmNotifier::close);
    return Future.succeededFuture();
  }
}
