package io.galop.ops.drill;

import io.galop.jvm.ErrorText;
import io.galop.ops.cluster.ExplainEndpoint;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Does what a {@link DrillRound} says, and tells it what happens. On one event loop. */
final class DrillRun {
  private static final long LOOK_MS = 500;

  private final Loop loop;
  private final DrillDoor door;
  private final ExplainEndpoint nodes;
  private final Map<DrillStage, DrillViewer> viewers;
  private final String topic;
  private final String idPrefix;
  private final Promise<DrillVerdict> over;
  private final Deque<DrillEvent> events = new ArrayDeque<>();
  private final Map<String, Long> silentSinceNs = new HashMap<>();
  private DrillRound round;

  /** The last that was sent: connections to the door are several, and keep no order. */
  private Future<Void> sent = Future.succeededFuture();

  private boolean isTaking;
  private boolean isOver;

  /**
   * Where its records go.
   *
   * @param idPrefix of their ids; the number of the record is behind it
   * @param number of the drill, which is in their data
   */
  record Way(String topic, String idPrefix, long number) {}

  DrillRun(
      Loop loop,
      DrillDoor door,
      ExplainEndpoint nodes,
      Way way,
      DrillPlan plan,
      ViewersOf viewers) {
    this.loop = loop;
    this.door = door;
    this.nodes = nodes;
    this.topic = way.topic();
    this.idPrefix = way.idPrefix();
    this.over = loop.promise();
    this.round = DrillRound.of(plan);
    this.viewers = viewers.make(this::take);
  }

  /** Makes the viewers of a round, which tell what they see. */
  interface ViewersOf {
    Map<DrillStage, DrillViewer> make(Consumer<DrillEvent.OfViewer> events);
  }

  Future<DrillVerdict> start() {
    take(new DrillEvent.Begun());
    return over.future();
  }

  /** One after the other, also what an effect tells at once. */
  private void take(DrillEvent event) {
    loop.check();
    events.addLast(event);
    if (isTaking) {
      return;
    }
    isTaking = true;
    try {
      for (DrillEvent next = events.poll(); next != null; next = events.poll()) {
        DrillRound.Step step = round.next(next);
        round = step.round();
        step.effects().forEach(this::apply);
      }
    } finally {
      isTaking = false;
    }
  }

  private void apply(DrillEffect effect) {
    if (effect instanceof DrillEffect.Join join) {
      viewer(join.transport()).join();
    } else if (effect instanceof DrillEffect.Leave leave) {
      viewer(leave.transport()).leave();
    } else if (effect instanceof DrillEffect.Send send) {
      send(send);
    } else if (effect instanceof DrillEffect.Look look) {
      look(look.part());
    } else if (effect instanceof DrillEffect.Wait wait) {
      loop.vertx().setTimer(wait.ms(), due -> take(new DrillEvent.Late(wait.phase())));
    } else if (effect instanceof DrillEffect.End end) {
      isOver = true;
      viewers.values().forEach(DrillViewer::leave);
      over.complete(end.verdict());
    }
  }

  private DrillViewer viewer(DrillStage transport) {
    DrillViewer viewer = viewers.get(transport);
    if (viewer == null) {
      throw new IllegalStateException("there is no viewer on " + transport.word());
    }
    return viewer;
  }

  private void send(DrillEffect.Send send) {
    int part = send.part();
    JsonObject data = new JsonObject().put("drill", round.plan().number()).put("part", part);
    String id = idPrefix + part;
    sent =
        sent.transform(
            before ->
                loop.call(
                    () ->
                        send.isToOwner()
                            ? door.sendToOwner(topic, id, data)
                            : door.send(topic, id, data)));
    loop.bring(sent)
        .onSuccess(acked -> take(new DrillEvent.Acked(part)))
        .onFailure(why -> take(new DrillEvent.Refused(part, ErrorText.of(why))));
  }

  private void look(int part) {
    if (isOver) {
      return;
    }
    long askedNs = System.nanoTime();
    loop.bring(loop.call(() -> nodes.ask(idPrefix + part, topic)))
        .map(DrillSearch::of)
        .map(found -> found.since(silentMs(found, askedNs)))
        .otherwise(why -> new DrillEvent.Looked(false, List.of()))
        .onSuccess(
            found -> {
              take(found);
              loop.vertx().setTimer(LOOK_MS, due -> look(part));
            });
  }

  /** For how long nodes have not answered, from the first question that they did not. */
  private Map<String, Long> silentMs(DrillEvent.Looked found, long askedNs) {
    silentSinceNs
        .keySet()
        .retainAll(
            found.unknown().stream()
                .filter(one -> one.why().isEmpty())
                .map(DrillEvent.Unknown::node)
                .toList());
    Map<String, Long> all = new HashMap<>();
    for (DrillEvent.Unknown one : found.unknown()) {
      if (one.why().isEmpty()) {
        long sinceNs = silentSinceNs.computeIfAbsent(one.node(), node -> askedNs);
        all.put(one.node(), TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - sinceNs));
      }
    }
    return all;
  }
}
