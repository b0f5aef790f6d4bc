package io.galop.loadtest.experiments.reads;

import io.galop.loadtest.run.Bars;
import io.galop.loadtest.run.Findings;
import io.galop.loadtest.run.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** What a run says. */
final class ReadsReport {
  /** One thread that is so busy has no room for more. */
  private static final double BUSY = 0.95;

  private static final List<String> WHO = List.of("answer from", "event loops", "threads");
  private static final List<String> CLOSED =
      List.of(
          "requests/s",
          "apart %",
          "p50 ms",
          "p99 ms",
          "p99.9 ms",
          "max ms",
          "CPU µs/request",
          "node CPU",
          "switches/request",
          "client CPU",
          "wrong");
  private static final List<String> OPEN =
      List.of(
          "answers/s",
          "p50 ms",
          "p99 ms",
          "p99.9 ms",
          "max ms",
          "CPU µs/request",
          "node CPU",
          "switches/request",
          "client CPU",
          "client lag p99 ms",
          "wrong");

  private final Reads reads;
  private final List<Result> results;

  ReadsReport(Reads reads, List<Result> results) {
    this.reads = reads;
    this.results = results;
  }

  Findings findings(Readings readings) {
    List<String> problems = results.stream().flatMap(one -> one.problems().stream()).toList();
    List<String> sentences = new ArrayList<>(problems);
    reads.eventLoops().forEach(loops -> sentences.add(byWay(loops)));
    bound().ifPresent(sentences::add);
    sentences.add(bare());
    Map<String, Double> figures = new LinkedHashMap<>();
    results.forEach(result -> result.put(figures));
    String rate = words("At %,.0f questions a second, from when each was due", rate());
    List<Table> tables =
        List.of(
            new Table("In a closed loop", head(CLOSED), rows(this::closed)),
            new Table(rate, head(OPEN), rows(this::open)));
    return new Findings(
        sentences,
        figures,
        tables,
        readings.series(),
        readings.startEpochMs(),
        readings.phases(),
        List.of(),
        List.of(
            Bars.of(
                "Answers in a closed loop",
                "1/s",
                results,
                result -> result.subject().label(),
                result -> result.closed().perSecond())),
        problems.isEmpty());
  }

  private double rate() {
    return reads.ratePerSecond();
  }

  /** The ways side by side, threads as they come first in the scenario. */
  private String byWay(int loops) {
    Binding binding = reads.threads().get(0);
    String ways =
        results.stream()
            .filter(one -> one.subject().eventLoops() == loops && !one.subject().isBare())
            .filter(one -> one.subject().binding() == binding)
            .map(ReadsReport::inShort)
            .collect(Collectors.joining("; "));
    return "%d event loop%s, %s: %s (p99 and p99.9 at %s/s, from due)."
        .formatted(loops, loops == 1 ? "" : "s", binding, ways, words("%,.0f", rate()));
  }

  private static String inShort(Result one) {
    return one.subject().wayWord()
        + words(" %,.0f requests/s", one.closed().perSecond())
        + words(", p99 %.2f", one.open().ms(99))
        + words(" and %.2f ms", one.open().ms(99.9));
  }

  /** What binding does, over all pairs. */
  private Optional<String> bound() {
    List<Double> rates = new ArrayList<>();
    List<Double> p99 = new ArrayList<>();
    for (Result free : results) {
      for (Result other : results) {
        if (isPair(free.subject(), other.subject())) {
          for (int i = 0; i < free.closed().rounds().size(); i++) {
            rates.add(other.closed().rounds().get(i) / free.closed().rounds().get(i));
          }
          p99.add(other.open().ms(99) / free.open().ms(99));
        }
      }
    }
    return rates.isEmpty()
        ? Optional.empty()
        : Optional.of(
            words("Bound to cores, requests/s are %.2f times", LoadOutcome.median(rates))
                + words(" and p99 is %.2f times", LoadOutcome.median(p99))
                + words(" that of free threads, in the median of %.0f pairs.", rates.size()));
  }

  private static boolean isPair(ReadSubject free, ReadSubject bound) {
    return free.binding() == Binding.FREE
        && bound.binding() == Binding.BOUND
        && free.way() == bound.way()
        && free.eventLoops() == bound.eventLoops();
  }

  /** The clients' own health. */
  private String bare() {
    String each =
        results.stream()
            .filter(one -> one.subject().isBare())
            .map(
                one ->
                    words("%,.0f requests/s", one.closed().perSecond())
                        + words(" with %.0f", one.subject().eventLoops()))
            .collect(Collectors.joining(", "));
    String limited =
        results.stream()
            .filter(one -> one.closed().ownProcessors() > BUSY)
            .map(one -> one.subject().label())
            .collect(Collectors.joining("; "));
    return "A server that only writes the same bytes: "
        + each
        + " event loops."
        + (limited.isEmpty() ? "" : " THE CLIENTS WERE THE LIMIT of: " + limited + ".");
  }

  private interface Cells {
    List<String> of(Result result);
  }

  private static List<String> head(List<String> figures) {
    List<String> head = new ArrayList<>(WHO);
    head.addAll(figures);
    return head;
  }

  private List<List<String>> rows(Cells cells) {
    List<List<String>> rows = new ArrayList<>();
    for (Result result : results) {
      ReadSubject subject = result.subject();
      List<String> row = new ArrayList<>();
      row.add(subject.wayWord());
      row.add("" + subject.eventLoops());
      row.add(subject.binding().toString());
      row.addAll(cells.of(result));
      rows.add(row);
    }
    return rows;
  }

  private List<String> closed(Result result) {
    LoadOutcome all = result.closed();
    List<String> row = new ArrayList<>();
    row.add(words("%,.0f", all.perSecond()));
    row.add(words("%.0f", 100 * all.spread()));
    row.addAll(latencies(all));
    row.addAll(costs(all));
    row.add("" + all.wrong());
    return row;
  }

  private List<String> open(Result result) {
    LoadOutcome all = result.open();
    List<String> row = new ArrayList<>();
    row.add(words("%,.0f", all.perSecond()));
    row.addAll(latencies(all));
    row.addAll(costs(all));
    row.add(words("%.2f", all.lagMs(99)));
    row.add("" + all.wrong());
    return row;
  }

  private static List<String> latencies(LoadOutcome all) {
    return List.of(
        words("%.2f", all.ms(50)),
        words("%.2f", all.ms(99)),
        words("%.2f", all.ms(99.9)),
        words("%.2f", all.ms(100)));
  }

  private static List<String> costs(LoadOutcome all) {
    return List.of(
        words("%.0f", all.microsPerAnswer()),
        words("%.2f", all.serverProcessors()),
        words("%.2f", all.switchesPerAnswer()),
        words("%.2f", all.ownProcessors()));
  }

  private static String words(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }
}
