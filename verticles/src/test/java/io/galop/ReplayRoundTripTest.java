package io.galop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.cli.TestConsole;
import io.galop.config.ConfigLoader;
import io.galop.config.GalopConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What one node has printed is what another one has after a replay of it. */
@Timeout(180)
class ReplayRoundTripTest {
  private static final int RECORDS = 40;

  @TempDir Path directory;

  private GalopNode start(String name) {
    List<String> sets = new ArrayList<>(List.of("node.dataDir=" + directory.resolve(name)));
    for (String part : List.of("http", "management", "ingest.tcp", "ingest.mqtt")) {
      sets.add(part + ".port=0");
    }
    sets.add("ingest.bridge.port=0");
    GalopConfig config = ConfigLoader.load(Optional.empty(), Map.of(), sets, Map.of());
    return GalopNode.start(config);
  }

  private static String run(String... args) {
    TestConsole console = new TestConsole();
    assertEquals(0, console.runWith(Galop::commands, args), console.err());
    return console.out();
  }

  private Path file(String name, String content) throws Exception {
    return Files.writeString(directory.resolve(name), content);
  }

  private static void replay(GalopNode node, Path file) {
    String to = node.listeners().get("tcp");
    run("replay", file.toString(), "--speed", "max", "--no-resume", "--to", to);
  }

  /** Without Positions, which are a node's own. */
  private static String history(GalopNode node) {
    String url = "http://" + node.listeners().get("http");
    return run("history", "#", "--url", url, "--limit", "1000")
        .lines()
        .map(line -> line.replaceAll(",\"pos\":\"[^\"]*\"", ""))
        .collect(Collectors.joining("\n"));
  }

  private static String records() {
    return IntStream.range(0, RECORDS)
        .mapToObj(
            i ->
                "{\"topic\":\"plant/%d/é\",\"id\":\"id-%d\",\"time\":%d,\"data\":{\"n\":%d.50}}%n"
                    .formatted(i % 5, i, 1_700_000_000_000_000L + i, i))
        .collect(Collectors.joining());
  }

  @Test
  void historyAndLogExportAreReplayedAsTheyWere() throws Exception {
    String before;
    Path history;
    try (GalopNode first = start("first")) {
      replay(first, file("records.ndjson", records()));
      before = history(first);
      assertEquals(RECORDS, before.lines().count());
      assertTrue(before.contains("\"topic\":\"plant/4/é\",\"time\":1700000000000039"), before);
      String url = "http://" + first.listeners().get("http");
      history = file("history.txt", run("history", "plant/#", "--url", url));
    }
    Path data = directory.resolve("first");
    Path export = file("export.ndjson", run("log", "export", "--data-dir", data.toString()));
    for (Path printed : List.of(history, export)) {
      try (GalopNode fresh = start(printed.getFileName() + ".data")) {
        replay(fresh, printed);
        assertEquals(before, history(fresh), printed.toString());
      }
    }
  }
}
