package io.galop.loadtest.queries;

import io.galop.loadtest.run.Bars;
import io.galop.loadtest.run.Bench;
import io.galop.loadtest.run.Findings;
import io.galop.loadtest.run.Measure;
import io.galop.loadtest.run.Table;
import io.galop.loadtest.site.Site;
import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Questions about the past, from memory and from stores, beside nginx. */
public record Queries(
    @Doc("Sources; see `load queries --help`.")
        @Default("[ram, ram-each, embedded, mariadb, mongodb, redis, nginx]")
        List<AnswerSource> sources,
    @Doc("Records per answer.") @Default("10000") @Range(min = 1, max = 10_000) int records,
    @Doc("Numbers of clients that ask once.")
        @Default("[10, 100, 200, 500]")
        @Range(min = 1, max = 10_000)
        List<Integer> clients,
    @Doc("Interval between their starts.") @Default("200") @Range(min = 0, max = 60_000)
        long everyMs,
    @Doc("Clients in a closed loop.") @Default("[10]") @Range(min = 1, max = 10_000)
        List<Integer> loopClients,
    @Doc("Duration of the closed loop.") @Default("5") @Range(min = 0, max = 3_600)
        double loopSeconds,
    @Doc("Rounds of the closed loop.") @Default("3") @Range(min = 1, max = 100) int runs,
    @Doc("Warm-up time.") @Default("5") @Range(min = 0, max = 600) double warmUpSeconds,
    @Doc("Host and port of a MongoDB without password; empty: a stand-in.") @Default("")
        String mongo)
    implements Measure {

  public Queries {
    if (sources.isEmpty() || !sources.get(0).isGalop()) {
      throw new IllegalArgumentException(
          "sources must begin with another than nginx, which serves the first's answer");
    }
  }

  @Override
  public boolean needsStart() {
    return true;
  }

  @Override
  public Findings run(Bench bench) throws IOException, InterruptedException {
    Queries now = shortened(bench);
    try (Subjects subjects = new Subjects(now, settings -> node(bench, settings))) {
      for (AnswerSource source : sources) {
        subjects.start(source);
        bench.progress().line("ready: " + source.label());
      }
      bench.progress().phase("questions");
      try (QueryRun run = new QueryRun(now, subjects.all(), bench.progress()::line)) {
        return findings(run.run());
      }
    }
  }

  private Queries shortened(Bench bench) {
    return new Queries(
        sources,
        records,
        clients,
        everyMs,
        loopClients,
        bench.seconds(loopSeconds),
        runs,
        bench.seconds(warmUpSeconds),
        mongo);
  }

  private static Nodes.Running node(Bench bench, List<String> settings)
      throws IOException, InterruptedException {
    Site site = bench.start(settings);
    return new Nodes.Running(site.doors().http(), site.doors().tcp(), site.pids(), site);
  }

  private static Findings findings(List<QueryRow> rows) {
    List<String> sentences = new ArrayList<>();
    Map<String, Double> figures = new LinkedHashMap<>();
    for (QueryRow row : rows) {
      row.problem().ifPresent(sentences::add);
      row.put(figures);
    }
    boolean isComplete = sentences.isEmpty();
    rows.forEach(row -> row.beside(rows).ifPresent(sentences::add));
    sentences.add(
        "Latency runs from when a client was due to start, its connection included, until the last"
            + " byte; of each answer the length is looked at, of one in ten every byte.");
    Table table =
        new Table("Questions", QueryRow.HEAD, rows.stream().map(QueryRow::cells).toList());
    return Findings.of(sentences, figures, List.of(table), bars(rows), isComplete);
  }

  /** The latency of each source, one picture for each number of clients. */
  private static List<Bars> bars(List<QueryRow> rows) {
    return rows.stream()
        .map(QueryRow::load)
        .distinct()
        .map(
            load ->
                Bars.of(
                    "p99 of an answer, clients: " + load,
                    "ms",
                    rows.stream().filter(row -> row.load().equals(load)).toList(),
                    QueryRow::from,
                    QueryRow::p99Ms))
        .toList();
  }
}
