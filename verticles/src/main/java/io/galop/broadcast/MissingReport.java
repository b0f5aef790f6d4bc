package io.galop.broadcast;

import io.galop.broadcast.feed.NodeFeed;
import io.galop.broadcast.hub.BroadcastMeters;
import io.galop.broadcast.hub.Hub;
import io.galop.broadcast.hub.RecentLosses;
import io.galop.broadcast.hub.Subscriber;
import io.galop.broadcast.hub.ViewerLoss;
import io.galop.node.Node;
import io.galop.node.Reports;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Which viewers miss records: {@code stuck}, they are connected, records wait for them, and for 15
 * s nothing has left; {@code sentAway}, as too slow, and {@code missed}, they had to miss some, in
 * the last minutes. To be asked every few seconds: a viewer is stuck if it was so at all questions
 * of that time.
 */
final class MissingReport implements Reports.Report {
  private static final long STUCK_NANOS = TimeUnit.SECONDS.toNanos(15);
  private static final int MOST = 20;

  private final Supplier<Future<List<Hub>>> hubs;
  private final BroadcastMeters meters;
  private final LongSupplier nanos;

  /** Of each event loop, its viewers for whom records waited at the last look. */
  private final Map<Hub, Map<Subscriber, Mark>> marks = new ConcurrentHashMap<>();

  private record Mark(long sent, long sinceNanos) {}

  /**
   * @param hubs the event loops' hubs, from any thread
   * @param nanos as {@link System#nanoTime}
   */
  MissingReport(Supplier<Future<List<Hub>>> hubs, BroadcastMeters meters, LongSupplier nanos) {
    this.hubs = hubs;
    this.meters = meters;
    this.nanos = nanos;
  }

  /** Has a node tell of its viewers, and of the topics that are silent. */
  static void offer(Node node, NodeFeed feed) {
    node.reports()
        .offer("viewers/missing", new MissingReport(feed::hubs, feed.meters(), System::nanoTime));
    node.reports().offer("silent", asked -> feed.silent());
  }

  @Override
  public Future<JsonObject> answer(Map<String, String> parameters) {
    return hubs.get()
        .onSuccess(all -> marks.keySet().retainAll(all))
        .compose(all -> Future.all(all.stream().map(this::ask).toList()))
        .map(answers -> merge(answers.<Stuck>list()));
  }

  /** Those of one event loop: how many, and some of them. All may be stuck when a line is cut. */
  private static final class Stuck {
    private final JsonArray some = new JsonArray();
    private int count;

    private void add(Subscriber viewer, int waiting) {
      count++;
      if (some.size() < MOST) {
        List<String> filters = ViewerLoss.filters(viewer.registrations());
        some.add(json(viewer.address(), filters).put("waiting", waiting));
      }
    }
  }

  private Future<Stuck> ask(Hub hub) {
    Map<Subscriber, Mark> before = marks.getOrDefault(hub, Map.of());
    Map<Subscriber, Mark> now = new HashMap<>();
    Stuck stuck = new Stuck();
    return ViewerWalk.over(hub, viewer -> look(viewer, before, now, stuck))
        .map(
            walked -> {
              marks.put(hub, now);
              return stuck;
            });
  }

  /** On the event loop of the viewer. */
  private void look(
      Subscriber viewer, Map<Subscriber, Mark> before, Map<Subscriber, Mark> now, Stuck stuck) {
    int waiting = isHeldUp(viewer) ? viewer.waiting() : 0;
    if (waiting == 0) {
      return;
    }
    long nowNanos = nanos.getAsLong();
    long sent = viewer.deliveries().sent();
    Mark mark = before.getOrDefault(viewer, new Mark(sent, nowNanos));
    mark = mark.sent == sent ? mark : new Mark(sent, nowNanos);
    now.put(viewer, mark);
    if (nowNanos - mark.sinceNanos >= STUCK_NANOS) {
      stuck.add(viewer, waiting);
    }
  }

  /** Who is sent less on purpose has records that wait, and nothing on its way. */
  private static boolean isHeldUp(Subscriber viewer) {
    return !viewer.isEnded() && viewer.deliveries().bytes() > 0;
  }

  private static JsonObject json(String address, List<String> filters) {
    return new JsonObject().put("address", address).put("filters", new JsonArray(filters));
  }

  private JsonObject merge(List<Stuck> loops) {
    JsonArray stuck = new JsonArray();
    int all = 0;
    for (Stuck loop : loops) {
      all += loop.count;
      loop.some.stream().limit(MOST - stuck.size()).forEach(stuck::add);
    }
    return new JsonObject()
        .put("stuck", new JsonObject().put("count", all).put("viewers", stuck))
        .put("sentAway", json(meters.sentAway()))
        .put("missed", json(meters.missed()))
        .put("connections", meters.connections().get());
  }

  private static JsonObject json(RecentLosses losses) {
    List<ViewerLoss> last = losses.now();
    JsonArray some = new JsonArray();
    last.stream()
        .limit(MOST)
        .forEach(one -> some.add(json(one.address(), one.filters()).put("dropped", one.dropped())));
    return new JsonObject()
        .put("count", last.size())
        .put("orMore", last.size() == RecentLosses.MOST)
        .put("viewers", some);
  }
}
