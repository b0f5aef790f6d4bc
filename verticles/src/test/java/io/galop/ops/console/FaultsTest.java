package io.galop.ops.console;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.graalvm.polyglot.Context;
import org.junit.jupiter.api.Test;

/** What the first view of the console says is wrong, without a browser. */
class FaultsTest {
  private static String script() throws Exception {
    try (InputStream file = FaultsTest.class.getResourceAsStream("/console/faults.js")) {
      String text = new String(file.readAllBytes(), StandardCharsets.UTF_8);
      return text.replaceAll("(?m)^import .*$", "").replaceAll("(?m)^export ", "");
    }
  }

  /** Level, runbook and words of each fault. */
  private static String joined(String unanswered, String rules) throws Exception {
    String asked =
        "joined(new Map(), "
            + unanswered
            + ", "
            + rules
            + ").map(({ level, runbook, told }) =>"
            + " [level, runbook, ...told.keys()].join(' | ')).join('\\n')";
    try (Context js =
        Context.newBuilder("js").option("engine.WarnInterpreterOnly", "false").build()) {
      js.eval("js", script());
      return js.eval("js", asked).asString();
    }
  }

  @Test
  void onlyANodeThatSaysNothingAtAllIsDown() throws Exception {
    String said =
        joined(
            "[{node: 'a', why: 'older', reason: 'not_ready'},"
                + " {node: 'b', why: 'late', reason: 'no_answer'},"
                + " {node: 'c', why: '16 reports', reason: 'busy'}]",
            "[]");
    assertEquals(
        """
        unready | GalopDown | it does not answer: late
        warning | GalopWarning | it does not tell its conditions: older
        warning | GalopWarning | it does not tell its conditions: 16 reports""",
        said);
  }

  @Test
  void theWorstRulesAreNamedAndTheOthersCounted() throws Exception {
    StringBuilder rules = new StringBuilder("[");
    for (String severity : new String[] {"low", "low", "low", "low", "high", "critical", "low"}) {
      rules
          .append("{rule: 'r' + ")
          .append(rules.length())
          .append(", severity: '")
          .append(severity)
          .append("', count: 2, unacknowledged: 1},");
    }
    String[] words = joined("[]", rules.append("]").toString()).split(" \\| ");
    assertEquals("critical", words[0]);
    assertEquals(8, words.length);
    assertEquals("(critical): 2 stand", words[2].replaceFirst("^r\\d+ ", "").split(",")[0]);
    assertEquals("(high): 2 stand", words[3].replaceFirst("^r\\d+ ", "").split(",")[0]);
    assertEquals("and 2 more, see the tab Alarms", words[7]);
  }

  @Test
  void rulesThatAreNotCriticalAreAWarning() throws Exception {
    String rules = "[{rule: 'r', severity: 'high', count: 2, unacknowledged: 1}]";
    assertEquals("warning", joined("[]", rules).split(" ")[0]);
  }
}
