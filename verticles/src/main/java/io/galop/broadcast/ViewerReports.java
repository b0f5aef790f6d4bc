package io.galop.broadcast;

import io.galop.broadcast.hub.Hub;
import io.galop.node.Node;
import io.galop.presence.PresenceReport;
import io.micrometer.core.instrument.Gauge;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.function.Supplier;

/** What a node tells operators of its viewers. */
final class ViewerReports {
  /** Whoever looks at a viewer asks every second or two. */
  private static final long IDLE_MS = 30_000;

  private ViewerReports() {}

  /**
   * Answers from now on.
   *
   * @param hubs the event loops' hubs, from any thread
   */
  static void share(Vertx vertx, Node node, Supplier<Future<List<Hub>>> hubs) {
    node.reports().offer("viewers", new ViewerReport(hubs));
    node.reports().offer(PresenceReport.VIEWERS, new WatchedReport(hubs));
    node.reports().share(ViewerSearch.NAME, new ViewerSearch(vertx, hubs));
    ViewerLooks looks = new ViewerLooks(vertx, node.acts(), hubs, IDLE_MS);
    looks.share(node.reports());
    Gauge.builder("galop.viewers.looks", looks, ViewerLooks::count)
        .description("Looks of operators at what single viewers are sent")
        .strongReference(true)
        .register(node.meters());
  }
}
