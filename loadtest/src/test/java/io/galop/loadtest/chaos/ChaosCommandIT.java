package io.galop.loadtest.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.loadtest.Tool;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A short run; a seed of another is told by {@code -Dgalop.seed}. */
@Timeout(600)
class ChaosCommandIT {
  private static final String SEED = System.getProperty("galop.seed", "14");
  private static final long KILLS_THE_STORING_NODE = 10;
  private static final long END_SECONDS = 120;

  @TempDir Path directory;

  /** Of its own: others may run load tests on this machine meanwhile. */
  @TempDir Path temporary;

  /** Quickly compiled, since nodes live for seconds only; so minutes of the Ledger are short. */
  private static final String JVM =
      "-Xmx384m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Dgalop.ledger.minuteMs=4000";

  private List<String> command(String faults, String... more) {
    List<String> command = new ArrayList<>(List.of("chaos", "--start", Tool.galopJar()));
    command.addAll(List.of("--faults", faults, "--rounds", "1", "--shorten", "2.5"));
    command.addAll(List.of("--jvm-flags", JVM));
    command.addAll(List.of("--json", json().toString()));
    command.addAll(List.of(more));
    return command;
  }

  private List<String> flags() {
    return List.of("-Djava.io.tmpdir=" + temporary);
  }

  private Path json() {
    return directory.resolve("chaos.json");
  }

  private JsonObject report(Tool.Ended ended) throws IOException {
    assertTrue(Files.exists(json()), ended.text());
    return new JsonObject(Files.readString(json()));
  }

  /** How fast all heals is another thing on a machine that does much else. */
  @Test
  void nothingIsLostDoubledOrMissingWithoutAWord() throws Exception {
    List<String> left = leavings();
    Tool.Ended ended =
        Tool.run(
            flags(),
            command(
                "kill,freeze,cut,disk,store",
                "--stores=redis",
                "--heal-seconds=120",
                "--seed=" + SEED));
    assertEquals(0, ended.exit(), ended.text());
    JsonObject report = report(ended);
    JsonArray faults = report.getJsonArray("faults");
    assertEquals(5, faults.size(), ended.text());
    assertTrue(report.getInteger("published") > 2_000, ended.text());
    assertTrue(report.getInteger("shown") > 2_000, ended.text());
    assertTrue(report.getInteger("repeated") > 0, ended.text());
    JsonObject ledger = report.getJsonObject("ledger");
    assertTrue(ledger.getBoolean("isRight"), ended.text());
    assertTrue(ledger.getInteger("whole") > 0, ended.text());
    assertTrue(ledger.getJsonArray("notWhole").size() > 0, "a kill takes counts with it");
    assertEquals(left, leavings());
  }

  /** Viewers are at relays, which storing nodes dial, and which may not dial anybody. */
  @Test
  void beyondABorderNothingIsMissingWithoutAWord() throws Exception {
    Tool.Ended ended =
        Tool.run(
            command(
                "kill,freeze,cut",
                "--fronts=0",
                "--relays=2",
                "--viewers=3",
                "--heal-seconds=120",
                "--seed=" + SEED));
    assertEquals(0, ended.exit(), ended.text());
    JsonObject report = report(ended);
    assertEquals(2, report.getInteger("relays"), ended.text());
    assertEquals(0, report.getInteger("dialledInwards"), ended.text());
    assertEquals(3, report.getJsonArray("faults").size(), ended.text());
    assertTrue(report.getInteger("shown") > 2_000, ended.text());
  }

  /** A node that acknowledges before the disk has it is found out. */
  @Test
  void aNodeThatAcknowledgesTooEarlyIsFoundOut() throws Exception {
    Tool.Ended ended =
        Tool.run(
            command(
                "kill",
                "--seed=" + KILLS_THE_STORING_NODE,
                "--storing=1",
                "--jvm-flag=" + Tool.mutant("early-ack", directory)));
    assertEquals(1, ended.exit(), ended.text());
    assertTrue(report(ended).getJsonObject("verdict").getInteger("lost") > 0, ended.text());
    assertTrue(ended.text().contains("--seed=" + KILLS_THE_STORING_NODE), ended.text());
  }

  @Test
  void endedEarlyItLeavesNothing() throws Exception {
    List<String> left = leavings();
    Process process = Tool.start(flags(), command("kill"));
    try (Stream<ProcessHandle> all = awaitNodes(process)) {
      List<ProcessHandle> started = all.toList();
      process.destroy();
      assertTrue(process.waitFor(END_SECONDS, TimeUnit.SECONDS), "it did not end");
      for (ProcessHandle each : started) {
        each.onExit().get(END_SECONDS, TimeUnit.SECONDS);
      }
    }
    assertEquals(left, leavings());
  }

  private static Stream<ProcessHandle> awaitNodes(Process process) throws InterruptedException {
    while (process.descendants().filter(ChaosCommandIT::isNode).count() < 3) {
      assertTrue(process.isAlive(), "it ended by itself");
      TimeUnit.MILLISECONDS.sleep(100);
    }
    return process.descendants();
  }

  private static boolean isNode(ProcessHandle process) {
    return process.info().commandLine().orElse("").contains("galop.yaml");
  }

  /** Directories, mounts and bridges that were not there before would be left. */
  private List<String> leavings() throws IOException {
    List<String> all = new ArrayList<>();
    try (Stream<Path> files = Files.list(temporary)) {
      files.map(Path::toString).filter(name -> name.contains("galop-loadtest")).forEach(all::add);
    }
    try (Stream<String> mounts = Files.lines(Path.of("/proc/mounts"))) {
      mounts.filter(mount -> mount.contains(temporary.toString())).forEach(all::add);
    }
    try (Stream<String> devices = Files.lines(Path.of("/proc/net/dev"))) {
      devices
          .map(String::strip)
          .filter(each -> each.matches("(n-|c-|nodes|clients).*"))
          .forEach(all::add);
    }
    all.sort(null);
    return all;
  }
}
