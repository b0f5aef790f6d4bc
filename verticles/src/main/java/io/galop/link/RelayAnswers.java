package io.galop.link;

import io.galop.bus.Errand;
import io.galop.bus.Refusal;
import io.galop.node.DrillReports;
import io.galop.node.Node;
import io.galop.node.Reports;
import io.galop.presence.PresenceQuestion;
import io.galop.presence.PresenceReport;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What a node that has dialled may ask of a relay, or order: relays behind this one have to answer
 * before it has to.
 */
final class RelayAnswers {
  /** Of the 256 KiB that a frame of a relay may have; a longer one ends the link. */
  static final int MOST_BYTES = 192 * 1024;

  private final Node node;

  RelayAnswers(Node node) {
    this.node = node;
  }

  Future<JsonObject> answer(Errand errand) {
    JsonObject message = (JsonObject) errand.message();
    if (errand.kind() == Errand.Kind.REVOKE) {
      return node.bus().viewers().revoke(message);
    }
    return errand.kind() == Errand.Kind.DRILL
        ? there(node.reports().find(DrillReports.RELAY))
            .answer(DrillReports.parameters(message, errand.timeoutMs() / 2))
            .map(RelayDrillAnswer::said)
        : there(node.reports().findShared(PresenceReport.NAME))
            .answer(asked(message, errand.timeoutMs()))
            .map(told -> RelayPresenceAnswer.to(message, told));
  }

  private static Reports.Report there(Optional<Reports.Report> report) {
    return report.orElseThrow(() -> new Refusal(Refusal.Why.NOT_READY, "it shows nothing yet"));
  }

  private static Map<String, String> asked(JsonObject question, long timeoutMs) {
    Map<String, String> parameters = new HashMap<>(PresenceQuestion.of(question).parameters());
    parameters.put(PresenceReport.TIMEOUT_MS, Long.toString(timeoutMs / 2));
    return parameters;
  }
}
