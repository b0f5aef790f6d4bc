package io.galop.loadtest.chaos;

import io.galop.loadtest.chaos.Journal.Kind;
import io.galop.loadtest.chaos.balance.Balance;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;

/** What a run came to. */
record ChaosReport(
    ChaosOptions options,
    List<FaultOutcome> outcomes,
    OracleVerdict verdict,
    Balance balance,
    ChaosClients crowd,
    List<FaultyNode> nodes,
    long dialledInwards,
    boolean isDrained) {

  /**
   * Nothing lost, doubled or silently missing, Ledgers that balance, all healed in time, no process
   * that gave up, and no relay that tried to open a connection.
   */
  boolean isRight() {
    boolean isWhole = verdict.isClean() && balance.isRight() && isDrained && refused() == 0;
    return isWhole && slow() == 0 && ownEnds() == 0 && dialledInwards == 0;
  }

  private long slow() {
    return outcomes.stream()
        .filter(outcome -> !outcome.isHealedWithin(options.healSeconds))
        .count();
  }

  private int ownEnds() {
    return nodes.stream().mapToInt(FaultyNode::ownEnds).sum();
  }

  private int refused() {
    return crowd.ledger().refusals().size();
  }

  private long told(Kind kind) {
    return crowd.viewers().stream().mapToLong(viewer -> viewer.journal().count(kind)).sum();
  }

  JsonObject toJson() {
    PublishedRecords ledger = crowd.ledger();
    return new JsonObject()
        .put("seed", options.seed())
        .put("ack", options.ack)
        .put("storing", options.storing)
        .put("fronts", options.fronts)
        .put("relays", options.relays)
        .put("dialledInwards", dialledInwards)
        .put("isRight", isRight())
        .put("verdict", verdict.toJson())
        .put("ledger", balance.toJson())
        .put("published", ledger.entries().size())
        .put("repeated", ledger.repeated())
        .put("unacknowledged", ledger.unacknowledged())
        .put("publishersReconnected", ledger.reconnects())
        .put("refused", new JsonArray(ledger.refusals()))
        .put("shown", told(Kind.SHOWN))
        .put("resumed", told(Kind.RESUMED))
        .put("incomplete", told(Kind.INCOMPLETE))
        .put("stale", told(Kind.STALE))
        .put("fresh", told(Kind.FRESH))
        .put("connectionsEnded", told(Kind.ENDED))
        .put("endedByThemselves", ownEnds())
        .put("healedTooLate", slow())
        .put("slowestHealedMs", outcomes.stream().mapToLong(FaultOutcome::healedMs).max().orElse(0))
        .put("faults", new JsonArray(outcomes.stream().map(FaultOutcome::toJson).toList()));
  }

  @Override
  public String toString() {
    PublishedRecords ledger = crowd.ledger();
    StringBuilder text = new StringBuilder(FaultOutcome.head());
    outcomes.forEach(outcome -> text.append(outcome.row()));
    line(text, "published", ledger.entries().size() + ", " + ledger.repeated() + " repeatedly");
    line(text, "not acknowledged", "" + ledger.unacknowledged());
    line(text, "refused for good", refused() + (refused() > 0 ? " " + first(ledger) : ""));
    line(text, "shown", told(Kind.SHOWN) + " to " + crowd.viewers().size() + " viewers");
    line(
        text,
        "viewers told",
        told(Kind.RESUMED)
            + " resumed, "
            + told(Kind.INCOMPLETE)
            + " incomplete, "
            + told(Kind.STALE)
            + " stale, "
            + told(Kind.FRESH)
            + " fresh");
    line(text, "processes that ended by themselves", "" + ownEnds());
    if (options.relays > 0) {
      line(text, "connections that relays tried to open", "" + dialledInwards);
    }
    line(text, "healed later than " + options.healSeconds + " s", "" + slow());
    line(text, "verdict", verdict.toString());
    verdict.examples().forEach(example -> text.append("  ").append(example).append('\n'));
    line(text, "ledger", balance.summary());
    balance.lines().forEach(each -> text.append("  ").append(each).append('\n'));
    return text.toString();
  }

  private static String first(PublishedRecords ledger) {
    return ledger.refusals().get(0);
  }

  private static void line(StringBuilder text, String name, String value) {
    text.append(name).append(": ").append(value).append('\n');
  }
}
