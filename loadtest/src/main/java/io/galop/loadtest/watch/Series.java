package io.galop.loadtest.watch;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Samples of a run, one row a moment; a value that was not to be had is NaN. Thread-safe. */
public final class Series {
  /** The column with the seconds since the run began. */
  public static final String SECONDS = "seconds";

  private final List<Map<String, Double>> rows = new ArrayList<>();

  /** Another moment. */
  public synchronized void add(Map<String, Double> row) {
    rows.add(Map.copyOf(row));
  }

  /** What another has seen, which began so many seconds after this; with a gap before it. */
  public synchronized void append(Series other, double seconds) {
    rows.add(Map.of(SECONDS, seconds));
    for (Map<String, Double> row : other.copy()) {
      Map<String, Double> later = new HashMap<>(row);
      later.merge(SECONDS, seconds, Double::sum);
      rows.add(Map.copyOf(later));
    }
  }

  private synchronized List<Map<String, Double>> copy() {
    return List.copyOf(rows);
  }

  /** The names of all columns, in the order in which they first came. */
  public synchronized Set<String> columns() {
    Set<String> names = new LinkedHashSet<>();
    rows.forEach(row -> names.addAll(new java.util.TreeSet<>(row.keySet())));
    return names;
  }

  /** A column, one value for each row. */
  public synchronized double[] column(String name) {
    return rows.stream().mapToDouble(row -> row.getOrDefault(name, Double.NaN)).toArray();
  }

  /** A column's rows from a moment on up to another, in seconds since the run began. */
  public synchronized double[] column(String name, double from, double to) {
    return rows.stream()
        .filter(row -> isIn(row, from, to))
        .mapToDouble(row -> row.getOrDefault(name, Double.NaN))
        .filter(value -> !Double.isNaN(value))
        .toArray();
  }

  private static boolean isIn(Map<String, Double> row, double from, double to) {
    double seconds = row.getOrDefault(SECONDS, Double.NaN);
    return seconds > from && seconds <= to;
  }

  /** The mean of that; NaN if there is none. */
  public double mean(String name, double from, double to) {
    return java.util.Arrays.stream(column(name, from, to)).average().orElse(Double.NaN);
  }

  public double max(String name, double from, double to) {
    return java.util.Arrays.stream(column(name, from, to)).max().orElse(Double.NaN);
  }
}
