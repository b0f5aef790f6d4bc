package io.galop.loadtest.experiments.notifier;

import io.galop.loadtest.run.Bench;
import io.galop.loadtest.run.Findings;
import io.galop.loadtest.run.Measure;
import io.galop.loadtest.run.Table;
import io.galop.loadtest.site.Child;
import io.galop.loadtest.targets.Launch;
import io.galop.loadtest.targets.Leavings;
import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Sessions that each ask a slow back end, beside one poll door that tells all of them. */
public record Notifier(
    @Doc("Numbers of sessions.") @Default("[100, 200]") @Range(min = 1, max = 5_000)
        List<Integer> sessions,
    @Doc("Duration of each variant.") @Default("270") @Range(min = 1, max = 86_400) double seconds,
    @Doc("Pause between requests.") @Default("5000") @Range(min = 50, max = 600_000) int thinkMs,
    @Doc("Response time of the back end.") @Default("200") @Range(min = 0, max = 60_000)
        int backEndMs,
    @Doc("Interval between changes of its answer.") @Default("1000") @Range(min = 1, max = 600_000)
        int changeMs,
    @Doc("Items of its answer.") @Default("10") @Range(min = 1, max = 10_000) int items)
    implements Measure {

  private static final String NOTHING = "NaN NaN 0";

  @Override
  public boolean needsStart() {
    return true;
  }

  @Override
  public Findings run(Bench bench) throws IOException, InterruptedException {
    List<Spent> all = new ArrayList<>();
    List<String> sentences = new ArrayList<>();
    Map<String, Double> figures = new LinkedHashMap<>();
    for (int count : sessions) {
      Spent each = withBackEnd(bench, (port, dir) -> eachAsks(bench, count, port, dir));
      Spent one =
          withBackEnd(
              bench, (port, dir) -> new DoorWay(bench, seconds, thinkMs).spend(count, port));
      for (Spent spent : List.of(each, one)) {
        all.add(spent);
        spent.silence().ifPresent(sentences::add);
        bench.progress().line(String.join("  ", spent.row()));
      }
      each.put(figures, "threads" + count);
      one.put(figures, "door" + count);
    }
    String sentence =
        "Each session with a thread that asks the back end, beside Galop's poll door that asks once"
            + " for all and publishes what has changed; age is from the change to the session.";
    boolean isComplete = sentences.isEmpty();
    sentences.add(sentence);
    Table table = new Table("Ways", Spent.HEAD, all.stream().map(Spent::row).toList());
    return Findings.of(sentences, figures, List.of(table), Spent.bars(all), isComplete);
  }

  /** One way, with a back end of its own. */
  private interface Way {
    Spent spend(int backEndPort, Path dir) throws IOException, InterruptedException;
  }

  private Spent withBackEnd(Bench bench, Way way) throws IOException, InterruptedException {
    Path dir = Leavings.directory();
    int port = Launch.freePorts(1)[0];
    List<String> words = List.of("" + port, "" + backEndMs, "" + changeMs, "" + items);
    try (Child backEnd = own("slow-back-end", words, bench, dir.resolve("back-end.log"))) {
      backEnd.awaitListening(port, false, dir.resolve("back-end.log"));
      return way.spend(port, dir);
    } finally {
      Leavings.delete(dir);
    }
  }

  private static Child own(String command, List<String> arguments, Bench bench, Path log)
      throws IOException {
    List<String> jvmFlags = bench.scenario().start().jvmFlags();
    return Child.start(Launch.ownCommand(jvmFlags, command, arguments), log);
  }

  private Spent eachAsks(Bench bench, int count, int port, Path dir)
      throws IOException, InterruptedException {
    bench.progress().phase(count + " sessions that ask");
    Path log = dir.resolve("sessions.log");
    List<String> words = List.of("" + port, "" + count, "" + thinkMs);
    try (Child all = own("polling-sessions", words, bench, log)) {
      TimeUnit.SECONDS.sleep(DoorWay.SETTLE_SECONDS);
      long pid = all.process().pid();
      Spent.Moment before = Spent.Moment.of(pid, port);
      TimeUnit.MILLISECONDS.sleep(Math.round(1e3 * bench.seconds(seconds)));
      Spent.Moment after = Spent.Moment.of(pid, port);
      String[] ages = lastAges(log).split(" ");
      double p50 = Double.parseDouble(ages[0]);
      double p99 = Double.parseDouble(ages[1]);
      long seen = Long.parseLong(ages[2]);
      return Spent.between(before, after, pid, "a thread each", count, seen, p50, p99);
    }
  }

  /** What the sessions said last; between it stands which of them have ended, and why. */
  private static String lastAges(Path log) throws IOException {
    return Files.readAllLines(log).stream()
        .filter(line -> line.matches("[0-9.EN]\\S* \\S+ \\d+"))
        .reduce((before, last) -> last)
        .orElse(NOTHING);
  }
}
