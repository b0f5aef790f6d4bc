package io.galop.loadtest.experiments.relays;

import io.galop.loadtest.chaos.Evidence;
import io.galop.loadtest.chaos.Oracle;
import io.galop.loadtest.chaos.OracleVerdict;
import io.galop.loadtest.chaos.OracleVerdict.Needless;
import io.galop.loadtest.chaos.OracleVerdict.Violation;
import io.galop.loadtest.chaos.PublishedRecords;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;

/**
 * What became of a tree whose processes were killed.
 *
 * @param ended processes that ended by themselves
 * @param isDrained whether all was acknowledged and shown in the end
 */
record KillReport(
    List<Kill> kills,
    Evidence evidence,
    PublishedRecords ledger,
    List<String> ended,
    boolean isDrained) {
  private static final double MS = 1_000;
  private static final int MOST_LISTED = 10;
  private static final String ROW =
      "%-5s %-8s %7s %7s %7s %7s %6s %7s %6s %6s %6s %8s %6s %6s %6s %6s%n";

  /** Prints it, and says whether nothing is wrong. */
  boolean print() {
    OracleVerdict all = Oracle.judge(evidence);
    System.out.printf(
        ROW, "", "", "", "live", "again,s", "latest", "stale", "told,s", "resume", "not", "need-",
        "records", "", "", "shown", "");
    System.out.printf(
        ROW, "level", "process", "healed", "median", "slowest", "s", "of", "longest", "whole",
        "whole", "less", "told", "lost", "double", "twice", "silent");
    Map<String, Long> sent = new HashMap<>();
    evidence.published().forEach(record -> sent.put(record.id(), record.sentNs()));
    for (Kill kill : kills) {
      row(kill, all, sent);
    }
    rest(all);
    boolean isWhole = all.isClean() && isDrained && ledger.refusals().isEmpty();
    return isWhole && ended.isEmpty() && kills.stream().allMatch(Kill::isHealed);
  }

  private void row(Kill kill, OracleVerdict all, Map<String, Long> sent) {
    List<KillTally> tallies =
        evidence.journals().stream().map(one -> KillTally.of(one, kill, sent)).toList();
    OracleVerdict here = Oracle.judge(evidence.about(record -> kill.covers(record.sentNs())));
    long[] back = tallies.stream().mapToLong(KillTally::backMs).sorted().toArray();
    boolean isBack = tallies.stream().allMatch(KillTally::isBack);
    System.out.printf(
        ROW,
        kill.level(),
        kill.process(),
        kill.isHealed() ? seconds(kill.healMs()) : "never",
        seconds(back[back.length / 2]),
        isBack ? seconds(back[back.length - 1]) : "never",
        seconds(most(tallies, KillTally::latestMs)),
        tallies.stream().filter(one -> one.staleMs() > 0).count(),
        seconds(most(tallies, KillTally::staleMs)),
        tallies.stream().mapToLong(KillTally::resumed).sum(),
        tallies.stream().mapToLong(KillTally::incomplete).sum(),
        all.needless().stream().filter(one -> kill.covers(one.atNs())).count(),
        here.told(),
        here.count(Violation.LOST),
        here.count(Violation.DOUBLED),
        here.count(Violation.SHOWN_TWICE),
        here.count(Violation.SILENT));
  }

  private static long most(List<KillTally> tallies, ToLongFunction<KillTally> what) {
    return tallies.stream().mapToLong(what).max().orElse(0);
  }

  private void rest(OracleVerdict all) {
    int viewers = evidence.journals().size();
    line("published", ledger.entries().size() + ", " + ledger.repeated() + " repeatedly");
    line("not acknowledged", "" + ledger.unacknowledged());
    line(
        "viewers",
        viewers
            + ", told that something is missing though nothing was "
            + all.needless().size()
            + " times");
    all.needless().stream().limit(MOST_LISTED).forEach(this::needless);
    kills.stream()
        .filter(kill -> !kill.isHealed())
        .forEach(kill -> line("not healed", kill.process() + ": " + kill.missing()));
    ended.forEach(process -> line("ended by itself", process));
    ledger.refusals().stream().limit(1).forEach(reason -> line("refused", reason));
    line("verdict", all.toString());
    all.examples().forEach(example -> System.out.println("  " + example));
  }

  private void needless(Needless one) {
    String when =
        kills.stream()
            .filter(kill -> kill.covers(one.atNs()))
            .findFirst()
            .map(kill -> after(kill, one.atNs()))
            .orElse("at another time");
    System.out.println("  " + one.viewer() + ", " + when + ", since " + one.since());
  }

  private static String after(Kill kill, long atNs) {
    long ms = TimeUnit.NANOSECONDS.toMillis(atNs - kill.killedNs());
    return seconds(ms) + " s after " + kill.process() + " was killed";
  }

  private static void line(String name, String value) {
    System.out.println(name + ": " + value);
  }

  private static String seconds(long ms) {
    return String.format(Locale.ROOT, "%.2f", ms / MS);
  }
}
