package io.galop.presence;

import io.galop.bus.Refusal;
import io.galop.node.Node;
import io.galop.node.Reports;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;

/**
 * What this node knows of who watches, by the name {@link #NAME}: {@code
 * {"viewers":[n,…],"relays":[{"relay":address,"node":name,"id":…,"viewers":[n,…]},…]}}; a relay
 * that does not say has {@code why} instead. From any thread.
 */
public final class PresenceReport implements Reports.Report {
  /** Its name. */
  public static final String NAME = "presence";

  /** The report of the node's own viewers, {@code {"viewers":[n,…]}}. */
  public static final String VIEWERS = "presence/viewers";

  /**
   * The report of the relays that the node dials, {@code {"relays":[…]}}, each with the same of
   * those behind it.
   */
  public static final String RELAYS = "presence/relays";

  /**
   * The parameter of the latter that says how many milliseconds they may take; a second if none.
   */
  public static final String TIMEOUT_MS = "timeoutMs";

  private final Node node;

  private PresenceReport(Node node) {
    this.node = node;
  }

  /** Lets all nodes ask this one. */
  public static void share(Node node) {
    node.reports().share(NAME, new PresenceReport(node));
  }

  @Override
  public Future<JsonObject> answer(Map<String, String> parameters) {
    int filters = PresenceQuestion.of(parameters).filters().size();
    Optional<Reports.Report> viewers = node.reports().find(VIEWERS);
    Optional<Reports.Report> relays = node.reports().find(RELAYS);
    if (relays.isEmpty() && !node.config().relays().isEmpty()) {
      throw new Refusal(Refusal.Why.NOT_READY, "it has not dialled its relays yet");
    }
    // Who has not begun to show anything has nobody to show it to.
    Future<JsonObject> own = viewers.map(one -> one.answer(parameters)).orElse(nobody(filters));
    return relays
        .map(one -> one.answer(parameters))
        .orElse(Future.succeededFuture(new JsonObject().put("relays", new JsonArray())))
        .compose(others -> own.map(others::mergeIn));
  }

  private static Future<JsonObject> nobody(int filters) {
    JsonArray zeros = new JsonArray(Collections.nCopies(filters, 0));
    return Future.succeededFuture(new JsonObject().put("viewers", zeros));
  }
}
