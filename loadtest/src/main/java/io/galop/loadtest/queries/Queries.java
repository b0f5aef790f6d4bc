package io.galop.loadtest.queries;

import io.galop.loadtest.run.Bars;
import io.galop.loadtest.run.Bench;
import io.galop.loadtest.run.Findings;
import io.galop.loadtest.run.Measure;
import io.galop.loadtest.run.Table;
import io.galop.loadtest.scenario.Default;
import io.galop.loadtest.scenario.Doc;
import io.galop.loadtest.scenario.Range;
import io.galop.loadtest.site.Site;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Questions about the past, from memory and from stores, beside nginx. */
public record Queries(
    @Doc("Sources of answers; see `load queries --help`.")
        @Default("[RAM, RAM_EACH, EMBEDDED, MARIADB, MONGODB, REDIS, NGINX]")
        List<AnswerSource> sources,
    @Doc("Records per answer.") @Default("10000") @Range(from = 1, to = 10_000) int records,
    @Doc("Numbers of clients that ask once each, one number after the other.")
        @Default("[10, 100, 200, 500]")
        @Range(from = 1, to = 10_000)
        List<Integer> clients,
    @Doc("Interval between their starts.") @Default("200") @Range(from = 0, to = 60_000)
        long everyMs,
    @Doc("Numbers of clients in a closed loop.") @Default("[10]") @Range(from = 1, to = 10_000)
        List<Integer> loopClients,
    @Doc("Duration of the closed loop.") @Default("5") @Range(from = 0, to = 3_600)
        double loopSeconds,
    @Doc("Rounds of the closed loop, in alternation.") @Default("3") @Range(from = 1, to = 100)
        int runs,
    @Doc("How long two clients warm up.") @Default("5") @Range(from = 0, to = 600)
        double warmUpSeconds,
    @Doc(
            "Host and port of a MongoDB without password, where a database is "
                + "left behind; empty: a stand-in, whose speed says little.")
        @Default("")
        String mongo)
    implements Measure {

  public Queries {
    if (sources.isEmpty() || !sources.get(0).isGalop()) {
      throw new IllegalArgumentException(
          "sources must not begin with NGINX, which serves the first's answer");
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
