package io.galop.broadcast;

import io.galop.broadcast.hub.Hub;
import io.galop.broadcast.hub.Subscriber;
import io.galop.broadcast.write.Outbox;
import io.galop.bus.Refusal;
import io.galop.bus.Refusal.Why;
import io.galop.node.FoundViewers;
import io.galop.node.Reports;
import io.galop.node.ViewerQuestion;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * The viewers of this node that somebody looks for, as {@link FoundViewers} joins them, by the name
 * {@code viewers/find}. So many questions at once; more are refused. From any thread.
 */
final class ViewerSearch implements Reports.Report {
  static final String NAME = "viewers/find";

  private static final int MOST_UNDER_WAY = 4;

  private final Supplier<Future<List<Hub>>> hubs;
  private final AtomicInteger underWay = new AtomicInteger();

  /**
   * @param hubs the event loops' hubs, from any thread
   */
  ViewerSearch(Supplier<Future<List<Hub>>> hubs) {
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
        .map(
            found -> {
              FoundViewers all = new FoundViewers(question.limit());
              found.<JsonObject>list().forEach(one -> all.add(one, viewer -> {}));
              return all.json();
            })
        .onComplete(done -> underWay.decrementAndGet());
  }

  private static Future<JsonObject> find(Hub hub, ViewerQuestion question) {
    OnLoop found = new OnLoop(question);
    return ViewerWalk.over(hub, found::look).map(walked -> found.json());
  }

  /** Who has lost most, and then who is furthest behind, as it was when it was looked at. */
  private record Ranked(Subscriber viewer, long lost, long waiting, long conflated, long published)
      implements Comparable<Ranked> {
    private static final Comparator<Ranked> BY_HARM =
        Comparator.comparingLong(Ranked::lost)
            .thenComparingLong(Ranked::waiting)
            .thenComparingLong(Ranked::conflated)
            .thenComparingLong(Ranked::published);

    static Ranked of(Subscriber viewer) {
      Outbox counts = viewer.deliveries();
      return new Ranked(
          viewer,
          counts.dropped() + counts.gaps(),
          viewer.waiting(),
          counts.conflated(),
          counts.published());
    }

    @Override
    public int compareTo(Ranked other) {
      return BY_HARM.compare(this, other);
    }
  }

  /** What is found on one event loop: no more of it is kept than is shown. On that loop. */
  private static final class OnLoop {
    private final ViewerQuestion question;
    private final ViewerMatch match;
    private final PriorityQueue<Ranked> worst = new PriorityQueue<>();
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
        worst.add(Ranked.of(viewer));
        if (worst.size() > question.limit()) {
          worst.poll();
        }
      }
    }

    JsonObject json() {
      List<JsonObject> viewers = new ArrayList<>();
      worst.forEach(one -> viewers.add(json(one.viewer)));
      return new JsonObject()
          .put("connections", connections)
          .put("matched", matched)
          .put("viewers", new JsonArray(viewers));
    }

    private JsonObject json(Subscriber viewer) {
      JsonArray by = new JsonArray();
      match.by(viewer).forEach(one -> by.add(one.word()));
      JsonObject json = ViewerReport.one(viewer).put("by", by);
      return question.subjects()
          ? json.put("subject", viewer.deliveries().whose().subject())
          : json;
    }
  }
}
