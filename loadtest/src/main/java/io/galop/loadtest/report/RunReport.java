package io.galop.loadtest.report;

import io.galop.loadtest.run.Findings;
import io.galop.loadtest.run.RunPhase;
import io.galop.loadtest.run.Table;
import io.galop.loadtest.scenario.Scenario;
import io.galop.loadtest.watch.Series;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes what came of a run: one page for people, one picture for documents, one file for programs.
 */
public final class RunReport {
  public static final String HTML = "report.html";
  public static final String JSON = "report.json";
  public static final String SVG = "report.svg";

  private final Scenario scenario;
  private final Findings findings;
  private final String when = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();

  public RunReport(Scenario scenario, Findings findings) {
    this.scenario = scenario;
    this.findings = findings;
  }

  /** Writes all into a directory; no picture where there is nothing to draw. */
  public void write(Path directory) throws IOException {
    Files.createDirectories(directory);
    Files.writeString(directory.resolve(HTML), new ReportPage(scenario, findings, when).text());
    Files.writeString(directory.resolve(JSON), json().encodePrettily() + "\n");
    String picture = Picture.of(findings);
    if (!picture.isEmpty()) {
      Files.writeString(directory.resolve(SVG), picture);
    }
  }

  private JsonObject json() {
    JsonObject figures = new JsonObject();
    findings.figures().forEach((name, value) -> figures.put(name, finite(value)));
    JsonArray phases = new JsonArray();
    for (RunPhase phase : findings.phases()) {
      phases.add(
          new JsonObject()
              .put("name", phase.name())
              .put("from", phase.from())
              .put("to", phase.to()));
    }
    JsonArray tables = new JsonArray();
    findings.tables().forEach(table -> tables.add(table(table)));
    return new JsonObject()
        .put("scenario", scenario.name())
        .put("about", scenario.about())
        .put("when", when)
        .put("isComplete", findings.isComplete())
        .put("sentences", new JsonArray(findings.sentences()))
        .put("figures", figures)
        .put("phases", phases)
        .put("tables", tables)
        .put("series", series(findings.series()));
  }

  private static JsonObject table(Table table) {
    JsonArray rows = new JsonArray();
    table.rows().forEach(row -> rows.add(new JsonArray(row)));
    return new JsonObject()
        .put("title", table.title())
        .put("head", new JsonArray(table.head()))
        .put("rows", rows);
  }

  private static JsonObject series(Series series) {
    JsonObject json = new JsonObject();
    for (String name : series.columns()) {
      JsonArray values = new JsonArray();
      for (double value : series.column(name)) {
        values.add(finite(value));
      }
      json.put(name, values);
    }
    return json;
  }

  /** JSON has no other numbers. */
  private static @Nullable Double finite(@Nullable Double value) {
    return value == null || value.isNaN() || value.isInfinite() ? null : value;
  }

  /** The figures of a report that was written before. */
  static Map<String, Object> figures(Path file) throws IOException {
    Path json = Files.isDirectory(file) ? file.resolve(JSON) : file;
    return new JsonObject(Files.readString(json)).getJsonObject("figures").getMap();
  }
}
