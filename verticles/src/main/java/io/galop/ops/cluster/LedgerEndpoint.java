package io.galop.ops.cluster;

import io.galop.config.Role;
import io.galop.node.BoundedQuestions;
import io.galop.node.Node;
import io.galop.vertx.Loop;
import io.micrometer.core.instrument.Counter;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /ledger[?minute=…][&limit=…]}: the minutes of all nodes together, the oldest first.
 * They are read, joined and encoded on a worker thread, since a day of them is large; so many
 * answers at once, more get 503. On the event loop of the port.
 */
public final class LedgerEndpoint {
  private static final String PATH = "/ledger";
  private static final int MINUTES_OF_A_DAY = 1_440;
  private static final int MINUTES_OF_A_PART = 32;
  private static final int MOST_UNDER_WAY = 4;

  private final Vertx vertx;
  private final ClusterReports reports;
  private final BoundedQuestions questions;

  public LedgerEndpoint(Vertx vertx, Node node, Loop loop) {
    this.vertx = vertx;
    this.reports = new ClusterReports(vertx, node, loop);
    this.questions =
        new BoundedQuestions(
            MOST_UNDER_WAY,
            Counter.builder("galop.ledger.refused")
                .description(
                    "Questions for the Ledger that were refused, since too many were under way")
                .register(node.meters()));
  }

  /** Adds its route. */
  public void mount(Router router) {
    router.get(PATH).handler(request -> questions.answer(request, () -> ledger(request)));
  }

  /**
   * The last minutes of each node that enriches, by its name, or an empty object if it does not
   * answer; for a part of the node, whose questions come one at a time. Never fails.
   */
  public Future<Map<String, JsonObject>> ofEnriching() {
    Map<String, String> question = Map.of("limit", Integer.toString(MINUTES_OF_A_PART));
    return reports
        .ask(ClusterReports.with(Role.ENRICH), "ledger", question)
        .map(
            answers -> {
              Map<String, JsonObject> all = new HashMap<>(answers.given());
              answers.unanswered().keySet().forEach(node -> all.put(node, new JsonObject()));
              return all;
            });
  }

  private Future<Buffer> ledger(RoutingContext request) {
    String minute = minute(request.queryParams().get("minute"));
    int limit = limit(request.queryParams().get("limit"));
    Map<String, String> question = Map.of("minute", minute, "limit", Integer.toString(limit));
    return reports
        .ask(member -> true, "ledger", question)
        .compose(
            answers ->
                vertx.executeBlocking(() -> ClusterLedger.join(answers, limit).toBuffer(), false));
  }

  private static String minute(@Nullable String text) {
    if (text == null || text.isEmpty()) {
      return "";
    }
    try {
      return Instant.parse(text).toString();
    } catch (DateTimeException wrong) {
      throw new IllegalArgumentException(
          "minute must be the beginning of a minute in UTC, as 2026-11-24T14:03:00Z", wrong);
    }
  }

  private static int limit(@Nullable String text) {
    if (text == null) {
      return MINUTES_OF_A_DAY;
    }
    if (text.matches("[1-9][0-9]{0,3}") && Integer.parseInt(text) <= MINUTES_OF_A_DAY) {
      return Integer.parseInt(text);
    }
    throw new IllegalArgumentException(
        "limit must be a whole number from 1 to " + MINUTES_OF_A_DAY);
  }
}
