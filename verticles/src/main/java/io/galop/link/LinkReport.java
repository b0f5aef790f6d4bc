package io.galop.link;

import io.galop.node.Reports;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/**
 * All links of a node, {@code {"links":[…]}}: a relay may be dialled, and dial others. From any
 * thread.
 */
final class LinkReport {
  private static final String NAME = "links";

  private final List<Supplier<JsonArray>> ends = new CopyOnWriteArrayList<>();

  private LinkReport() {}

  /** Without links yet. */
  static LinkReport of(Reports reports) {
    LinkReport report = new LinkReport();
    reports.offer(NAME, parameters -> Future.succeededFuture(report.all()));
    return report;
  }

  /** Adds some links. */
  void add(Supplier<JsonArray> links) {
    ends.add(links);
  }

  private JsonObject all() {
    JsonArray all = new JsonArray();
    ends.forEach(links -> links.get().forEach(all::add));
    return new JsonObject().put(NAME, all);
  }
}
