package io.galop.loadtest.experiments.relays;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.loadtest.Tool;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Three relays, so short that of the figures only their order of size counts. */
@Timeout(300)
class RelaysCommandIT {
  private static final Pattern ROW =
      Pattern.compile("(?m)^(none|one|3).*?\\s([0-9.]+)\\s+([0-9]+)\\s+([0-9]+)$");

  @Test
  void measuresNoRelayOneAndSeveralAndMissesNothing() throws Exception {
    List<String> command = new ArrayList<>(List.of("relays", "--start", Tool.galopJar()));
    command.addAll(List.of("--relays", "3", "--turns", "1", "--rate", "500"));
    command.addAll(List.of("--seconds", "3", "--warm-up-seconds", "2", "--jvm-flag=-Xmx384m"));
    Tool.Ended ended = Tool.run(command);
    assertEquals(0, ended.exit(), ended.text());
    List<Long> bytes = new ArrayList<>();
    Matcher row = ROW.matcher(ended.text());
    while (row.find()) {
      assertTrue(Double.parseDouble(row.group(2)) > 0, ended.text());
      bytes.add(Long.parseLong(row.group(3)));
      assertEquals("0", row.group(4), ended.text());
    }
    assertEquals(3, bytes.size(), ended.text());
    assertEquals(0, bytes.get(0), ended.text());
    assertTrue(bytes.get(1) > 290, ended.text());
    assertTrue(bytes.get(2) > 0 && bytes.get(2) < bytes.get(1), ended.text());
  }
}
