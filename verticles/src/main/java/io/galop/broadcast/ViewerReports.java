package io.galop.broadcast;

import io.galop.broadcast.hub.Hub;
import io.galop.node.Node;
import io.galop.presence.PresenceReport;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Supplier;

/** What a node tells operators of its viewers. */
final class ViewerReports {
  private ViewerReports() {}

  /**
   * Answers from now on.
   *
   * @param hubs the event loops' hubs, from any thread
   */
  static void share(Node node, Supplier<Future<List<Hub>>> hubs) {
    node.reports().offer("viewers", new ViewerReport(hubs));
    node.reports().offer(PresenceReport.VIEWERS, new WatchedReport(hubs));
    node.reports().share(ViewerSearch.NAME, new ViewerSearch(hubs));
  }
}
