package io.galop.broadcast;

import io.galop.broadcast.hub.Disconnect;
import io.galop.broadcast.hub.Hub;
import io.galop.broadcast.hub.Subscriber;
import io.galop.bus.Refusal;
import io.galop.bus.Refusal.Why;
import io.galop.node.Acts;
import io.galop.node.Reports;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * Operators who look at what single viewers are sent: {@code viewers/look} with {@code id} begins
 * that, {@code viewers/frames} with {@code look} tells the last messages. A look of which nobody
 * asks for 30 s ends. The audit log of this node says who has looked at whom. From any thread.
 */
final class ViewerLooks {
  static final String BEGIN = "viewers/look";
  static final String FRAMES = "viewers/frames";
  static final String END = "viewers/end";

  private static final int MOST = 16;
  private static final long SWEEP_MS = 1_000;

  private final Vertx vertx;
  private final Acts acts;
  private final Supplier<Future<List<Hub>>> hubs;
  private final long idleNanos;

  /** Guarded by this. */
  private final Map<String, Look> looks = new HashMap<>();

  /** What somebody looks at. */
  private static final class Look {
    private final Hub hub;
    private final Subscriber viewer;
    private final FrameTap tap;
    private final String operator;
    private long askedNanos = System.nanoTime();

    Look(Hub hub, Subscriber viewer, FrameTap tap, String operator) {
      this.hub = hub;
      this.viewer = viewer;
      this.tap = tap;
      this.operator = operator;
    }

    void end() {
      hub.post(() -> tap.off(viewer.deliveries()));
    }
  }

  ViewerLooks(Vertx vertx, Acts acts, Supplier<Future<List<Hub>>> hubs, long idleMs) {
    this.vertx = vertx;
    this.acts = acts;
    this.hubs = hubs;
    this.idleNanos = TimeUnit.MILLISECONDS.toNanos(idleMs);
  }

  /** Other nodes may ask from now on. */
  void share(Reports reports) {
    reports.share(END, this::end);
    reports.share(BEGIN, this::begin);
    reports.share(FRAMES, this::frames);
  }

  private Future<JsonObject> begin(Map<String, String> parameters) {
    if (isFull()) {
      return Future.failedFuture(
          new Refusal(Why.BUSY, MOST + " viewers are looked at already; ask again in a minute"));
    }
    return found(hubs.get(), parameters.getOrDefault("id", ""))
        .compose(
            place ->
                place
                    .map(found -> begin(found, parameters))
                    .orElse(Future.succeededFuture(new JsonObject())));
  }

  private synchronized boolean isFull() {
    return looks.size() >= MOST;
  }

  /** A viewer and where it is. */
  record Place(Hub hub, Subscriber viewer) {}

  /** The viewer with an id; looked for on its event loop. */
  static Future<Optional<Place>> found(Future<List<Hub>> hubs, String id) {
    AtomicReference<Optional<Place>> found = new AtomicReference<>(Optional.empty());
    return hubs.compose(
            all ->
                Future.all(
                    all.stream()
                        .map(hub -> ViewerWalk.over(hub, one -> is(hub, one, id, found)))
                        .toList()))
        .map(walked -> found.get());
  }

  private static void is(
      Hub hub, Subscriber one, String id, AtomicReference<Optional<Place>> found) {
    if (one.deliveries().whose().id().equals(id)) {
      found.set(Optional.of(new Place(hub, one)));
    }
  }

  private Future<JsonObject> begin(Place place, Map<String, String> parameters) {
    Promise<JsonObject> begun = Promise.promise();
    place.hub.post(() -> begun.complete(beginOnLoop(place, parameters)));
    return begun.future();
  }

  private JsonObject beginOnLoop(Place place, Map<String, String> parameters) {
    Subscriber viewer = place.viewer;
    String operator = parameters.getOrDefault("operator", "");
    Look look = new Look(place.hub, viewer, FrameTap.on(viewer.deliveries()), operator);
    String key = UUID.randomUUID().toString();
    add(key, look); // a few more at once than there should be do no harm
    tell(BEGIN, viewer, parameters);
    return ViewerReport.one(viewer)
        .put("subject", viewer.deliveries().whose().subject())
        .put("look", key);
  }

  /** The audit log of the node that was asked knows no more of the viewer than its id. */
  private void tell(String action, Subscriber viewer, Map<String, String> parameters) {
    Map<String, String> whom =
        Map.of(
            "id",
            viewer.deliveries().whose().id(),
            "subject",
            viewer.deliveries().whose().subject(),
            "viewer",
            viewer.address(),
            "operator",
            parameters.getOrDefault("operator", ""));
    acts.tell("node " + parameters.getOrDefault("through", ""), action, whom, "done");
  }

  private Future<JsonObject> end(Map<String, String> parameters) {
    return found(hubs.get(), parameters.getOrDefault("id", ""))
        .compose(
            place ->
                place
                    .map(found -> end(found, parameters))
                    .orElse(Future.succeededFuture(new JsonObject())));
  }

  private Future<JsonObject> end(Place place, Map<String, String> parameters) {
    Promise<JsonObject> ended = Promise.promise();
    place.hub.post(
        () -> {
          tell(END, place.viewer, parameters);
          place.hub.disconnect(place.viewer, Disconnect.SENT_AWAY);
          ended.complete(new JsonObject().put("ended", 1));
        });
    return ended.future();
  }

  private synchronized void add(String key, Look look) {
    looks.put(key, look);
    if (looks.size() == 1) {
      vertx.setTimer(SWEEP_MS, timer -> sweep());
    }
  }

  /** Ends the looks that nobody has asked for. */
  private synchronized void sweep() {
    long now = System.nanoTime();
    looks
        .values()
        .removeIf(
            look -> {
              boolean isOver = now - look.askedNanos > idleNanos;
              if (isOver) {
                look.end();
              }
              return isOver;
            });
    if (!looks.isEmpty()) {
      vertx.setTimer(SWEEP_MS, timer -> sweep());
    }
  }

  /** Nothing for a look that is over, or is another operator's. */
  private Future<JsonObject> frames(Map<String, String> parameters) {
    Optional<Look> known = asked(parameters);
    if (known.isEmpty()) {
      return Future.succeededFuture(new JsonObject());
    }
    Look look = known.get();
    Promise<JsonObject> told = Promise.promise();
    look.hub.post(() -> told.complete(frames(look)));
    return told.future();
  }

  private synchronized Optional<Look> asked(Map<String, String> parameters) {
    Optional<Look> known =
        Optional.ofNullable(looks.get(parameters.getOrDefault("look", "")))
            .filter(look -> look.operator.equals(parameters.getOrDefault("operator", "")));
    known.ifPresent(look -> look.askedNanos = System.nanoTime());
    return known;
  }

  private static JsonObject frames(Look look) {
    return look.tap
        .json()
        .put("ended", look.viewer.isEnded())
        .put("viewer", ViewerReport.one(look.viewer));
  }
}
