package io.galop.ops;

import io.galop.cluster.Member;
import io.galop.config.Role;
import io.galop.node.Audience;
import io.galop.node.Condition;
import io.galop.node.Node;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.vertx.core.json.JsonObject;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

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
      padding:.3rem .7rem;border-bottom:1px solid #e3e7ec}td:last-child{text-align:right;
      font-variant-numeric:tabular-nums}.up{color:#0a7d38}.down{color:#b3261e}
      @media(prefers-color-scheme:dark){body{color:#dfe6ee;background:#12171e}table{background:#1a212b}
      td,th{border-color:#2b3542}.up{color:#5fd38d}.down{color:#ff8a80}a{color:#8ab4f8}}
      </style></head><body><h1>Galop node %1$s</h1>
      """;

  private final Node node;
  private final StringBuilder page = new StringBuilder(16_384);

  Console(Node node) {
    this.node = node;
  }

  String page(JsonObject viewers) {
    page.append(HEAD.formatted(escape(node.bus().cluster().self().name())));
    readiness();
    table(
        "",
        "problem and remedy",
        "since",
        node.readiness().conditions().stream().map(Console::row));
    members();
    listeners();
    page.append(ScriptTable.of(ScriptEndpoint.scripts(node)));
    page.append(ViewerTable.of(viewers));
    meters();
    return page.append("</body></html>").toString();
  }

  private void readiness() {
    boolean isReady = node.readiness().isReady();
    page.append(isReady ? "<p class=\"up\">ready</p>" : "<p class=\"down\">not ready</p>");
    if (isReady && !node.readiness().reasons(Audience.PUBLISHERS).isEmpty()) {
      page.append("<p class=\"down\">records are refused</p>");
    }
  }

  private static String row(Condition condition) {
    return row(
        condition.part() + ": " + condition.text(),
        condition.since().truncatedTo(ChronoUnit.SECONDS).toString());
  }

  private void members() {
    table(
        "Nodes",
        "name and roles",
        "shards owned",
        node.bus().cluster().members().stream()
            .map(
                member ->
                    row(
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
        open.entrySet().stream().map(e -> row(e.getKey(), e.getValue())));
  }

  private void meters() {
    table(
        "Counts",
        "meter",
        "value",
        node.meters().getMeters().stream()
            .filter(meter -> meter.getId().getName().startsWith("galop."))
            .sorted(Comparator.comparing(Console::meterName))
            .map(meter -> row(meterName(meter), value(meter))));
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

  private void table(
      String title, String left, String right, java.util.stream.Stream<String> rows) {
    String body = rows.collect(Collectors.joining());
    if (!body.isEmpty()) {
      page.append(
          "<h2>%s</h2><table><tr><th>%s</th><th>%s</th></tr>".formatted(title, left, right));
      page.append(body).append("</table>");
    }
  }

  private static String row(String left, String right) {
    return "<tr><td>%s</td><td>%s</td></tr>".formatted(escape(left), escape(right));
  }

  static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
  }
}
