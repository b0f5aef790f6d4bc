package io.galop.persist.sink;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Rates by who wrote, round by round, as lines of a table. */
final class SpeedTable {
  /** What the system of 2014 stored, records a second; its MySQL stands beside MariaDB here. */
  private static final Map<String, long[]> OF_2014 =
      Map.of(
          "Redis", new long[] {39_265, 3_002},
          "MongoDB", new long[] {6_004, 1_237},
          "MariaDB", new long[] {1_940, 808});

  private final String store;
  private final Map<String, List<Double>> rates = new LinkedHashMap<>();

  SpeedTable(String store) {
    this.store = store;
  }

  static String head() {
    return "| store | written by | records/s, median | of own client | rounds |\n"
        + "|---|---|---|---|---|";
  }

  void add(String by, double recordsPerSecond) {
    rates.computeIfAbsent(by, name -> new ArrayList<>()).add(recordsPerSecond);
  }

  /** The lines; ratios are medians over the rounds, each run beside the client's of its round. */
  String lines(String ownClient, String async, String sync) {
    StringBuilder lines = new StringBuilder();
    rates.forEach(
        (by, all) ->
            lines.append(
                String.format(
                    Locale.ROOT,
                    "| %s | %s | %,.0f | %.2f | %s |%n",
                    store,
                    by,
                    median(all),
                    ratio(by, ownClient),
                    all.stream()
                        .map(rate -> String.format(Locale.ROOT, "%,.0f", rate))
                        .collect(Collectors.joining("; ")))));
    return lines.append(history(async, sync)).toString();
  }

  private String history(String async, String sync) {
    Optional<long[]> known =
        OF_2014.keySet().stream().filter(store::contains).findFirst().map(OF_2014::get);
    if (known.isEmpty()) {
      return "| %s | async : sync | × %.2f | | |%n".formatted(store, ratio(async, sync));
    }
    long[] then = known.get();
    return String.format(
        Locale.ROOT,
        "| %s | async : sync | × %.2f | | 2014: %,d : %,d, × %.1f |%n",
        store,
        ratio(async, sync),
        then[0],
        then[1],
        then[0] / (double) then[1]);
  }

  private double ratio(String of, String to) {
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < rates.get(of).size(); i++) {
      ratios.add(rates.get(of).get(i) / rates.get(to).get(i));
    }
    return median(ratios);
  }

  private static double median(List<Double> all) {
    List<Double> sorted = all.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }
}
