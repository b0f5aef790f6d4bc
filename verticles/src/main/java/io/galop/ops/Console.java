package io.galop.ops;

import io.galop.cluster.Member;
import io.galop.config.OperatorConfig.Rights;
import io.galop.config.Role;
import io.galop.ledger.ClosedMinute;
import io.galop.node.Audience;
import io.galop.node.Condition;
import io.galop.node.Node;
import io.galop.ops.access.Login;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.vertx.core.json.JsonObject;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The operators' console: one page, made on the server, that needs no script and reloads itself.
 */
final class Console {
  private static final String HEAD =
      """
      <!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Galop %1$s</title>
      <meta http-equiv="refresh" content="5"><meta name="viewport" content="width=device-width">
      <style>body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;
      color:#16202c;background:#f6f7f9}h1{font-size:1.4rem}h2{font-size:1.05rem;margin-top:2rem}
      table{border-collapse:collapse;width:100%%;background:#fff}td,th{text-align:left;
      padding:.3rem .7rem;border-bottom:1px solid #e3e7ec;vertical-align:top}
      td:first-child{overflow-wrap:anywhere;min-width:9rem}th:last-child:not(.number){width:50%%}
      .number{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}.up{color:#0a7d38}.down{color:#b3261e}
      @media(prefers-color-scheme:dark){body{color:#dfe6ee;background:#12171e}table{background:#1a212b}
      td,th{border-color:#2b3542}.up{color:#5fd38d}.down{color:#ff8a80}a{color:#8ab4f8}}
      </style></head><body><h1>Galop node %1$s</h1>
      """;

  /** Of a cell whose column holds numbers, its head too: they end below each other. */
  static final String NUMBER = " class=\"number\"";

  /** In the page that all are shown: here stands what the one who asks can do. */
  static final String ACTS = "<!--acts-->";

  private static final String TEXT = "";

  /** Of the Ledger that are shown. */
  private static final int MINUTES = 5;

  private static final String DRAIN =
      """
      <form method="post" action="/drain"><label><input type="checkbox" required> send all viewers
      to other nodes, until this one is started again</label> <button>drain</button></form>
      """;

  private final Node node;
  private final StringBuilder page = new StringBuilder(16_384);

  Console(Node node) {
    this.node = node;
  }

  String page(JsonObject viewers) {
    page.append(HEAD.formatted(escape(node.bus().cluster().self().name())));
    page.append(ACTS);
    readiness();
    table(
        "",
        "problem and remedy",
        "since",
        TEXT,
        node.readiness().conditions().stream().map(Console::row));
    members();
    listeners();
    lateness();
    page.append(ScriptTable.of(ScriptEndpoint.scripts(node)));
    page.append(ViewerTable.of(viewers));
    ledger();
    meters();
    return page.append("</body></html>").toString();
  }

  /** Who he is, and what he can do: two clicks, as the first one may be a slip. */
  static String acts(Login login) {
    String who = "<p>%s (%s)</p>".formatted(escape(login.operator()), login.rights().word());
    return login.rights() == Rights.OPERATOR ? who + DRAIN : who;
  }

  private void readiness() {
    boolean isReady = node.readiness().isReady();
    page.append(isReady ? "<p class=\"up\">ready</p>" : "<p class=\"down\">not ready</p>");
    if (isReady && !node.readiness().reasons(Audience.PUBLISHERS).isEmpty()) {
      page.append("<p class=\"down\">records are refused</p>");
    }
  }

  private static Row row(Condition condition) {
    return new Row(
        condition.part() + ": " + condition.text(),
        condition.since().truncatedTo(ChronoUnit.SECONDS).toString());
  }

  private void members() {
    table(
        "Nodes",
        "name and roles",
        "shards owned",
        NUMBER,
        node.bus().cluster().members().stream()
            .map(
                member ->
                    new Row(
                        nameAndRoles(member),
                        Long.toString(Shares.of(node.bus().cluster(), member)))));
  }

  private static String nameAndRoles(Member member) {
    return member.roles().stream()
        .sorted()
        .map(Role::word)
        .collect(Collectors.joining(", ", member.name() + ": ", ""));
  }

  private void listeners() {
    Map<String, String> open = node.listeners().open();
    table(
        "Listeners",
        "what",
        "address",
        TEXT,
        open.entrySet().stream().map(e -> new Row(e.getKey(), e.getValue())));
  }

  private void lateness() {
    table(
        "Latency of the last minute, from the door",
        "stage",
        "p50 / p90 / p99 / p99.9 ms",
        NUMBER,
        LatencyMetrics.rows(node.lateness()).entrySet().stream()
            .map(stage -> new Row(stage.getKey(), stage.getValue())));
  }

  private void ledger() {
    List<ClosedMinute> all = node.ledger().minutes();
    table(
        "Ledger",
        "minute",
        "records lost or doubled",
        NUMBER,
        all.subList(Math.max(0, all.size() - MINUTES), all.size()).stream()
            .map(minute -> new Row(LedgerReport.start(minute), residual(minute))));
  }

  private static String residual(ClosedMinute minute) {
    return minute.isSettled() ? Long.toString(minute.residual()) : "not settled";
  }

  private void meters() {
    table(
        "Counts",
        "meter",
        "value",
        NUMBER,
        node.meters().getMeters().stream()
            .filter(meter -> meter.getId().getName().startsWith("galop."))
            .sorted(Comparator.comparing(Console::meterName))
            .map(meter -> new Row(meterName(meter), value(meter))));
    page.append("<p><a href=\"/metrics\">all metrics</a></p>");
  }

  private static String meterName(Meter meter) {
    return meter.getId().getTags().stream()
        .map(Tag::getValue)
        .collect(Collectors.joining(" ", meter.getId().getName() + " ", ""));
  }

  private static String value(Meter meter) {
    double first = meter.measure().iterator().next().getValue();
    return String.format(Locale.ROOT, first == Math.rint(first) ? "%,.0f" : "%,.3f", first);
  }

  private record Row(String left, String right) {
    String html(String kind) {
      return "<tr><td>%s</td><td%s>%s</td></tr>".formatted(escape(left), kind, escape(right));
    }
  }

  /** A table of two columns, of which the right one may hold numbers; nothing without a row. */
  private void table(String title, String left, String right, String kind, Stream<Row> rows) {
    String body = rows.map(row -> row.html(kind)).collect(Collectors.joining());
    if (!body.isEmpty()) {
      page.append(title.isEmpty() ? "" : "<h2>" + title + "</h2>");
      page.append("<table><tr><th>%s</th><th%s>%s</th></tr>".formatted(left, kind, right));
      page.append(body).append("</table>");
    }
  }

  static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
  }
}
