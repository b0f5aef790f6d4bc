package io.galop.loadtest.report;

import io.galop.loadtest.run.Findings;
import io.galop.loadtest.run.RunPhase;
import io.galop.loadtest.run.Table;
import io.galop.loadtest.scenario.Scenario;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** One page that needs nothing else: no script, no other file, no network. */
final class ReportPage {
  private static final String STYLE =
      "body{font:14px/1.45 system-ui,sans-serif;max-width:80rem;margin:2rem auto;padding:0 1rem;"
          + "color:#222}h1{font-size:1.5rem}h2{font-size:1.1rem;margin-top:2rem}.found{background:#f2f6fb;border-left:4px"
          + " solid #1f5fa8;padding:.6rem 1rem}"
          + "table{border-collapse:collapse;font-size:12px;display:block;overflow-x:auto}td,th{padding:2px"
          + " 7px;vertical-align:top;text-align:right;border-bottom:1px solid"
          + " #ddd}td:last-child,th:last-child,td:first-child{text-align:left}td{white-space:nowrap}figure{margin:1.2rem"
          + " 0}figcaption span{margin-left:.6rem}svg{width:100%;height:auto}svg path{fill:none}svg"
          + " .grid{stroke:#ddd}svg .line{stroke-width:1.4}svg text{font-size:11px;fill:#555}";

  private final Scenario scenario;
  private final Findings findings;
  private final String when;

  ReportPage(Scenario scenario, Findings findings, String when) {
    this.scenario = scenario;
    this.findings = findings;
    this.when = when;
  }

  String text() {
    StringBuilder page =
        new StringBuilder("<!DOCTYPE html><html lang=\"en\"><meta charset=\"utf-8\">");
    page.append("<title>" + Html.text(scenario.name()) + "</title><style>" + STYLE + "</style>\n");
    page.append("<h1>" + Html.text(scenario.name()) + "</h1><p>" + Html.text(scenario.about()));
    page.append("<p>" + when + " · " + machine() + "\n<div class=\"found\">");
    findings.sentences().forEach(each -> page.append("<p>" + Html.text(each) + "</p>\n"));
    page.append("</div>\n");
    findings.tables().forEach(table -> page.append(table(table)));
    findings.bars().forEach(bars -> page.append(BarChart.figure(bars)));
    List<Plot> plots = Plots.of(findings);
    page.append(plots.isEmpty() ? "" : "<h2>Over time</h2>\n");
    plots.forEach(plot -> page.append(plot.figure()));
    phases(page);
    page.append(figures());
    page.append("<h2>Scenario</h2><pre>" + Html.text(scenario.toString()) + "</pre></html>\n");
    return page.toString();
  }

  private static String machine() {
    Runtime runtime = Runtime.getRuntime();
    return runtime.availableProcessors()
        + " processors, Java "
        + System.getProperty("java.version")
        + ", "
        + System.getProperty("os.name")
        + " "
        + System.getProperty("os.version");
  }

  private static String table(Table table) {
    StringBuilder text = new StringBuilder("<h2>" + Html.text(table.title()) + "</h2><table><tr>");
    table.head().forEach(cell -> text.append("<th>" + Html.text(cell) + "</th>"));
    for (List<String> row : table.rows()) {
      text.append("</tr>\n<tr>");
      row.forEach(cell -> text.append("<td>" + Html.text(cell) + "</td>"));
    }
    return text.append("</tr></table>\n").toString();
  }

  private void phases(StringBuilder page) {
    if (findings.phases().isEmpty()) {
      return;
    }
    page.append("<p>");
    for (RunPhase phase : findings.phases()) {
      page.append(
          String.format(Locale.ROOT, "%s: %.0f–%.0f s · ", phase.name(), phase.from(), phase.to()));
    }
    page.append("</p>\n");
  }

  private String figures() {
    StringBuilder text = new StringBuilder("<h2>Figures</h2><table>");
    for (Map.Entry<String, Double> each : findings.figures().entrySet()) {
      String value = String.format(Locale.ROOT, "%,.4f", each.getValue());
      text.append("<tr><td>" + Html.text(each.getKey()) + "</td><td>" + value + "</td></tr>\n");
    }
    return text.append("</table>\n").toString();
  }
}
