package io.galop.loadtest.experiments.notifier;

import io.galop.loadtest.run.Bars;
import io.galop.loadtest.targets.ProcessCost;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * What one way of telling sessions took.
 *
 * @param way in words
 * @param sessions how many
 * @param processors used by it
 * @param residentMb its memory
 * @param threads it had
 * @param switchesPerSecond context switches
 * @param requestsPerSecond that the back end was asked
 * @param seen how many changes sessions have seen
 * @param ageP50Ms how old a change was when a session saw it
 * @param ageP99Ms the same
 */
record Spent(
    String way,
    int sessions,
    double processors,
    double residentMb,
    long threads,
    double switchesPerSecond,
    double requestsPerSecond,
    long seen,
    double ageP50Ms,
    double ageP99Ms) {

  static final List<String> HEAD =
      List.of(
          "way",
          "sessions",
          "processors",
          "RSS MB",
          "threads",
          "switches/s",
          "back-end requests/s",
          "age p50 ms",
          "age p99 ms");

  /** A moment in the life of a process. */
  record Moment(long nanos, ProcessCost cost, long requests) {
    static Moment of(long pid, int backEnd) throws IOException {
      URI count = URI.create("http://127.0.0.1:" + backEnd + BackEnd.COUNT);
      try (var in = count.toURL().openStream()) {
        String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        return new Moment(System.nanoTime(), ProcessCost.of(pid), Long.parseLong(text));
      }
    }
  }

  static Spent between(
      Moment before,
      Moment after,
      long pid,
      String way,
      int sessions,
      long seen,
      double p50,
      double p99)
      throws IOException {
    double seconds = (after.nanos - before.nanos) / 1e9;
    ProcessCost cost = after.cost.since(before.cost);
    return new Spent(
        way,
        sessions,
        cost.cpuMicros() / 1e6 / seconds,
        after.cost.residentBytes() / 1e6,
        threads(pid),
        (cost.waits() + cost.preemptions()) / seconds,
        (after.requests - before.requests) / seconds,
        seen,
        p50,
        p99);
  }

  private static long threads(long pid) throws IOException {
    try (Stream<Path> all = Files.list(Path.of("/proc", "" + pid, "task"))) {
      return all.count();
    }
  }

  /** What to say if no session has seen anything. */
  Optional<String> silence() {
    return seen > 0
        ? Optional.empty()
        : Optional.of(
            "No session saw a change (%s, %d sessions): its figures say nothing."
                .formatted(way, sessions));
  }

  List<String> row() {
    return List.of(
        way,
        "" + sessions,
        words("%.4f", processors),
        words("%.0f", residentMb),
        "" + threads,
        words("%.0f", switchesPerSecond),
        words("%.2f", requestsPerSecond),
        words("%.0f", ageP50Ms),
        words("%.0f", ageP99Ms));
  }

  /** What the ways took, side by side. */
  static List<Bars> bars(List<Spent> all) {
    return List.of(
        bars("Processors used", "", all, Spent::processors),
        bars("Resident memory", "MB", all, Spent::residentMb),
        bars("Threads", "", all, Spent::threads),
        bars("Requests to the back end", "1/s", all, Spent::requestsPerSecond),
        bars("Age of a change that a session sees, p99", "ms", all, Spent::ageP99Ms));
  }

  private static Bars bars(
      String title, String unit, List<Spent> all, ToDoubleFunction<Spent> value) {
    return Bars.of(title, unit, all, one -> one.way + ", " + one.sessions + " sessions", value);
  }

  private static String words(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }

  void put(Map<String, Double> figures, String prefix) {
    figures.put(prefix + "Processors", processors);
    figures.put(prefix + "ResidentMb", residentMb);
    figures.put(prefix + "Threads", (double) threads);
    figures.put(prefix + "RequestsPerSecond", requestsPerSecond);
    figures.put(prefix + "AgeP99Ms", ageP99Ms);
  }
}
