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

/** Two levels of relays, so short that its figures say nothing but that there are some. */
@Timeout(300)
class TreeLevelsIT {
  private static final Pattern ROW =
      Pattern.compile("(?m)^([012])\\s+([0-9]+)\\s+([0-9.]+)\\s+([0-9.]+)\\s+([0-9]+)$");

  /** The level first, and last what was lost, doubled, shown twice and silently missing. */
  private static final Pattern KILL =
      Pattern.compile("(?m)^([012])\\s+node-[0-9].*?((\\s+[0-9]+){3}\\s+[0-9]+)$");

  private static final String QUICKLY_COMPILED =
      "-Xmx384m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

  @Test
  void measuresEachLevelAndMissesNothing() throws Exception {
    List<String> command = new ArrayList<>(List.of("relays", "--start", Tool.galopJar()));
    command.addAll(List.of("--levels", "2,3", "--turns", "1", "--rate", "100"));
    command.addAll(List.of("--seconds", "3", "--warm-up-seconds", "2", "--jvm-flag=-Xmx384m"));
    Tool.Ended ended = Tool.run(command);
    assertEquals(0, ended.exit(), ended.text());
    List<String> processes = new ArrayList<>();
    Matcher row = ROW.matcher(ended.text());
    while (row.find()) {
      processes.add(row.group(2));
      assertTrue(Double.parseDouble(row.group(4)) >= Double.parseDouble(row.group(3)));
      assertEquals("0", row.group(5), ended.text());
    }
    assertEquals(List.of("1", "2", "3"), processes, ended.text());
  }

  /** Whoever watches a leaf lacks nothing, or knows it, when one of each level is killed. */
  @Test
  void oneOfEachLevelIsKilledAndNobodyLacksARecordWithoutAWord() throws Exception {
    List<String> command = new ArrayList<>(List.of("relays", "--start", Tool.galopJar()));
    command.addAll(List.of("--levels", "2,2", "--kill", "--rate", "50", "--down-seconds", "1"));
    command.addAll(List.of("--heal-seconds", "120", "--jvm-flags", QUICKLY_COMPILED));
    Tool.Ended ended = Tool.run(command);
    assertEquals(0, ended.exit(), ended.text());
    List<String> levels = new ArrayList<>();
    Matcher row = KILL.matcher(ended.text());
    while (row.find()) {
      levels.add(row.group(1));
      assertEquals("0 0 0 0", row.group(2).strip().replaceAll("\\s+", " "), ended.text());
    }
    assertEquals(List.of("2", "1", "0"), levels, ended.text());
    assertTrue(ended.text().contains("not acknowledged: 0"), ended.text());
  }
}
