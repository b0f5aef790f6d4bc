package io.galop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Whoever is woken by an alert finds its section. */
class RunbookTest {
  private static final Path DOCS = Path.of("..", "docs");

  private static List<String> all(String pattern, String file) throws IOException {
    return Pattern.compile(pattern, Pattern.MULTILINE)
        .matcher(Files.readString(DOCS.resolve(file)))
        .results()
        .map((MatchResult one) -> one.group(1))
        .toList();
  }

  @Test
  void hasASectionForEachAlertInTheirOrder() throws Exception {
    List<String> alerts = all("alert: (\\w+)", "monitoring/alerts.yml");
    assertTrue(alerts.size() > 10, alerts.toString());
    assertEquals(alerts, all("^## (\\w+)$", "runbook.md"));
    List<String> links = all("runbook: docs/runbook.md#(\\w+)", "monitoring/alerts.yml");
    assertEquals(alerts.stream().map(one -> one.toLowerCase(Locale.ROOT)).toList(), links);
    assertEquals(alerts.size(), all("^\\* (\\*\\*Look at)", "runbook.md").size());
    assertEquals(alerts.size(), all("^\\* (\\*\\*Do:)", "runbook.md").size());
  }
}
