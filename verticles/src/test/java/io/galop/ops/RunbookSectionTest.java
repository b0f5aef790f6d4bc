package io.galop.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.node.Condition;
import io.galop.node.Condition.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Whoever reads a condition finds the section that its alert would lead to. */
class RunbookSectionTest {
  private static final Path DOCS = Path.of("..", "docs");
  private static final Pattern ALERT =
      Pattern.compile("alert: (\\w+)\\s+expr: (?:>-\\s+)?(.*?)\\s+for:", Pattern.DOTALL);
  private static final Pattern LABELS = Pattern.compile("galop_condition\\{([^}]*)}");
  private static final Pattern LABEL = Pattern.compile("(\\w+)(=~|!~|=)\"([^\"]*)\"");
  private static final Pattern ROW = Pattern.compile("(?m)^\\| (`.*?`) \\| [^|]+ \\| [^|]+ \\|$");

  /** Alerts of meters of their own tell of these. */
  private static final Set<String> MEASURED =
      Set.of(
          "GalopTopicsSilent",
          "GalopViewersTooSlow",
          "GalopDown",
          "GalopDrillFailed",
          "GalopLedgerResidual");

  private static Condition condition(String part, Level level) {
    return new Condition(part, level, Set.of(), "", "", Instant.EPOCH);
  }

  private static boolean fits(String labels, Condition one) {
    for (MatchResult label : LABEL.matcher(labels).results().toList()) {
      boolean isPart = label.group(1).equals("part");
      String value = isPart ? one.part() : one.level().name().toLowerCase(Locale.ROOT);
      boolean is =
          label.group(2).equals("=") ? value.equals(label.group(3)) : value.matches(label.group(3));
      if (is == label.group(2).equals("!~")) {
        return false;
      }
    }
    return true;
  }

  private static Set<String> alerts(Condition one) throws Exception {
    Set<String> found = new TreeSet<>();
    String rules = Files.readString(DOCS.resolve("monitoring/alerts.yml"));
    for (MatchResult alert : ALERT.matcher(rules).results().toList()) {
      LABELS
          .matcher(alert.group(2))
          .results()
          .filter(labels -> fits(labels.group(1), one))
          .forEach(labels -> found.add(alert.group(1)));
    }
    return found;
  }

  /** The parts of the table of warnings. */
  private static List<String> parts() throws Exception {
    String watch = Files.readString(DOCS.resolve("watch.md"));
    String table = watch.substring(watch.indexOf("| warning |"), watch.indexOf("`/metrics` is"));
    List<String> parts = new ArrayList<>();
    for (MatchResult row : ROW.matcher(table).results().toList()) {
      for (String part : row.group(1).split(", ")) {
        parts.add(part.replace("`", "").replaceAll("<\\w+>", "x"));
      }
    }
    return parts;
  }

  @Test
  void everyWarningLeadsWhereItsAlertDoes() throws Exception {
    List<String> parts = parts();
    assertTrue(parts.size() > 25, parts.toString());
    for (String part : parts) {
      Condition warning = condition(part, Level.WARNING);
      String title = RunbookSection.of(warning).title();
      Set<String> alerts = alerts(warning);
      boolean isMeasured = alerts.isEmpty() && MEASURED.contains(title);
      assertTrue(
          isMeasured || alerts.contains(title),
          part + " leads to " + title + ", its alert: " + alerts);
    }
    assertEquals("GalopRefusesRecords", title("persist.log", Level.REFUSING));
    assertEquals("GalopLogUnusable", title("persist", Level.UNREADY));
    assertEquals("GalopNotReady", title("feed", Level.UNREADY));
    assertEquals("GalopWarning", title("relay a:7900", Level.WARNING));
  }

  private static String title(String part, Level level) {
    return RunbookSection.of(condition(part, level)).title();
  }

  @Test
  void everySectionIsInTheRunbook() throws Exception {
    String runbook = Files.readString(DOCS.resolve("runbook.md"));
    for (RunbookSection section : RunbookSection.values()) {
      assertTrue(runbook.contains("\n## " + section.title() + "\n"), section.title());
    }
  }
}
