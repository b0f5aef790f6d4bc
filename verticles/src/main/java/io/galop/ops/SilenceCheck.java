package io.galop.ops;

import io.galop.node.Node;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Whether topics are silent for longer than {@code broadcast.freshness} allows, and which. */
final class SilenceCheck implements Check {
  private static final String PART = "silent topics";
  private static final String REPORT = "silent";

  private final Node node;
  private Future<JsonObject> asked = Future.succeededFuture(new JsonObject());

  SilenceCheck(Node node) {
    this.node = node;
  }

  @Override
  public void look(MeterSums meters) {
    long silent = meters.sum("galop.broadcast.stale.topics");
    if (silent == 0) {
      asked = Future.succeededFuture(new JsonObject());
      node.readiness().calm(PART, "no topic is silent for longer than it may be");
      return;
    }
    if (!asked.isComplete()) {
      return;
    }
    if (asked.succeeded() && asked.result().containsKey("topics")) {
      say(silent, asked.result());
    }
    node.reports().find(REPORT).ifPresent(report -> asked = report.answer(Map.of()));
  }

  private void say(long silent, JsonObject named) {
    String topics =
        named.getJsonArray("topics").stream()
            .map(String::valueOf)
            .collect(Collectors.joining(", "));
    boolean isAll = silent <= named.getJsonArray("topics").size();
    String more = isAll ? "" : String.format(Locale.ROOT, ", … (%,d topics in all)", silent);
    node.readiness()
        .warn(
            PART,
            "nothing new for longer than broadcast.freshness allows: " + topics + more,
            "see to the sensor or publisher of these topics");
  }
}
