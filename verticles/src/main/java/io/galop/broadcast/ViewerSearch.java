package io.galop.broadcast;

import io.galop.broadcast.hub.Hub;
import io.galop.broadcast.hub.Subscriber;
import io.galop.broadcast.write.Outbox;
import io.galop.bus.Refusal;
import io.galop.bus.Refusal.Why;
import io.galop.node.FoundViewers;
import io.galop.node.Reports;
import io.galop.node.ViewerQuestion;
import io.galop.node.ViewerQuestion.By;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * The viewers of this node that somebody looks for, as {@link FoundViewers} joins them, by the name
 * {@code viewers/find}. So many questions at once; more are refused. From any thread.
 */
final class ViewerSearch implements Reports.Report {
  static final String NAME = "viewers/find";

  private static final int MOST_UNDER_WAY = 4;

  private final Vertx vertx;
  private final Supplier<Future<List<Hub>>> hubs;
  private final AtomicInteger underWay = new AtomicInteger();

  /**
   * @param hubs the event loops' hubs, from any thread
   */
  ViewerSearch(Vertx vertx, Supplier<Future<List<Hub>>> hubs) {
    this.vertx = vertx;
    this.hubs = hubs;
  }

  @Override
  public Future<JsonObject> answer(Map<String, String> parameters) {
    ViewerQuestion question = ViewerQuestion.of(parameters);
    if (underWay.incrementAndGet() > MOST_UNDER_WAY) {
      underWay.decrementAndGet();
      return Future.failedFuture(
          new Refusal(Why.BUSY, MOST_UNDER_WAY + " such questions are asked already; ask again"));
    }
    return Future.succeededFuture()
        .compose(begun -> hubs.get())
        .compose(all -> Future.all(all.stream().map(hub -> find(hub, question)).toList()))
        .compose(
            found -> vertx.executeBlocking(() -> joined(question, found.<JsonObject>list()), false))
        .onComplete(done -> underWay.decrementAndGet());
  }

  /** On a worker thread: it would be the event loop that was the last to answer. */
  private static JsonObject joined(ViewerQuestion question, List<JsonObject> loops) {
    FoundViewers all = new FoundViewers(question.limit());
    loops.forEach(one -> all.add(one, viewer -> {}));
    return all.json();
  }

  private static Future<JsonObject> find(Hub hub, ViewerQuestion question) {
    OnLoop found = new OnLoop(question);
    return ViewerWalk.over(hub, found::look)
        .compose(walked -> ViewerWalk.over(hub, List.copyOf(found.worst), found::tell))
        .map(told -> found.json());
  }

  /** What was lost comes first, and then how far behind it is, as it was when it was looked at. */
  private record Harm(long lost, long waiting, long conflated, long published)
      implements Comparable<Harm> {
    private static final Comparator<Harm> LEAST_FIRST =
        Comparator.comparingLong(Harm::lost)
            .thenComparingLong(Harm::waiting)
            .thenComparingLong(Harm::conflated)
            .thenComparingLong(Harm::published);

    static Harm of(Subscriber viewer) {
      Outbox counts = viewer.deliveries();
      return new Harm(
          counts.dropped() + counts.gaps(),
          viewer.waiting(),
          counts.conflated(),
          counts.published());
    }

    @Override
    public int compareTo(Harm other) {
      return LEAST_FIRST.compare(this, other);
    }
  }

  /** One of those with the most harm, and by what it was found. */
  private record Ranked(Subscriber viewer, Harm harm, Set<By> by) {}

  /** What is found on one event loop: no more of it is kept than is shown. On that loop. */
  private static final class OnLoop {
    private final ViewerQuestion question;
    private final ViewerMatch match;
    private final PriorityQueue<Ranked> worst =
        new PriorityQueue<>(Comparator.comparing(Ranked::harm));
    private final JsonArray viewers = new JsonArray();
    private long connections;
    private long matched;

    OnLoop(ViewerQuestion question) {
      this.question = question;
      this.match = new ViewerMatch(question);
    }

    void look(Subscriber viewer) {
      connections++;
      if (match.matches(viewer)) {
        matched++;
        rank(viewer, Harm.of(viewer));
      }
    }

    /** By all of what it was found is looked for only where it may be shown. */
    private void rank(Subscriber viewer, Harm harm) {
      boolean isFull = worst.size() == question.limit();
      if (isFull && harm.compareTo(worst.element().harm) <= 0) {
        return;
      }
      worst.add(new Ranked(viewer, harm, match.by(viewer)));
      if (isFull) {
        worst.remove();
      }
    }

    /** One of those that are shown. */
    void tell(Ranked one) {
      Subscriber viewer = one.viewer;
      JsonArray by = new JsonArray();
      one.by.forEach(mark -> by.add(mark.word()));
      JsonObject json = ViewerReport.one(viewer).put("by", by);
      if (question.subjects()) {
        json.put("subject", viewer.deliveries().whose().subject());
      }
      viewers.add(json);
    }

    JsonObject json() {
      return new JsonObject()
          .put("connections", connections)
          .put("matched", matched)
          .put("viewers", viewers);
    }
  }
}
