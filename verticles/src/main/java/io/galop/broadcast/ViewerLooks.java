package io.galop.broadcast;

import io.galop.broadcast.hub.Disconnect;
import io.galop.broadcast.hub.Hub;
import io.galop.broadcast.hub.Subscriber;
import io.galop.bus.Refusal;
import io.galop.bus.Refusal.Why;
import io.galop.node.Acts;
import io.galop.node.Reports;
import io.vertx.core.Future;
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

    /** Ends if nobody has asked for it since. */
    boolean isOver(long sinceNanos) {
      boolean isOver = askedNanos - sinceNanos < 0;
      if (isOver) {
        hub.post(() -> tap.off(viewer.deliveries()));
      }
      return isOver;
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

  private boolean isFull() {
    return count() >= MOST;
  }

  /** How many there are. */
  synchronized int count() {
    return looks.size();
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
    return LoopTurn.on(place.hub::post, () -> beginOnLoop(place, parameters));
  }

  private JsonObject beginOnLoop(Place place, Map<String, String> parameters) {
    Subscriber viewer = place.viewer;
    String operator = parameters.getOrDefault("operator", "");
    String key = UUID.randomUUID().toString();
    FrameTap tap = FrameTap.on(viewer.deliveries());
    try {
      tell(BEGIN, viewer, parameters);
      JsonObject begun =
          ViewerReport.one(viewer)
              .put("subject", viewer.deliveries().whose().subject())
              .put("look", key);
      add(key, new Look(place.hub, viewer, tap, operator)); // a few too many do no harm
      return begun;
    } catch (RuntimeException | OutOfMemoryError fault) {
      tap.off(viewer.deliveries()); // nobody learns of this look, and nothing else would end it
      throw fault;
    }
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
    return LoopTurn.on(
        place.hub::post,
        () -> {
          tell(END, place.viewer, parameters);
          place.hub.disconnect(place.viewer, Disconnect.SENT_AWAY);
          return new JsonObject().put("ended", 1);
        });
  }

  private synchronized void add(String key, Look look) {
    if (looks.isEmpty()) {
      vertx.setTimer(SWEEP_MS, timer -> sweep());
    }
    looks.put(key, look);
  }

  /** Ends the looks that nobody has asked for. */
  private synchronized void sweep() {
    long now = System.nanoTime();
    try {
      looks.values().removeIf(look -> look.isOver(now - idleNanos));
    } finally {
      if (!looks.isEmpty()) {
        vertx.setTimer(SWEEP_MS, timer -> sweep());
      }
    }
  }

  /** Nothing for a look that is over, or is another operator's. */
  private Future<JsonObject> frames(Map<String, String> parameters) {
    Optional<Look> known = asked(parameters);
    if (known.isEmpty()) {
      return Future.succeededFuture(new JsonObject());
    }
    Look look = known.get();
    return LoopTurn.on(look.hub::post, () -> frames(look));
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
