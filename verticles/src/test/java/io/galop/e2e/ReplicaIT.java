package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code persist.ack: replica}: each of two storing nodes is killed and loses its disk. */
@Timeout(240)
class ReplicaIT {
  private static final String INSIDE = "ingest,enrich,persist,broadcast";
  private static final int RECORDS = 200;

  @TempDir Path directory;

  @Test
  void whatWasAcknowledgedOutlivesTheDiskOfEitherNode() throws Exception {
    List<String> settings =
        List.of("--set", "cluster.maxSilenceSeconds=3", "--set", "persist.ack=replica");
    try (Nodes nodes = new Nodes(directory, List.of("a", "b"), settings)) {
      GalopProcess a = nodes.start("a", INSIDE);
      GalopProcess b = nodes.start("b", INSIDE);
      Counted counted = new Counted();
      counted.publish(a, RECORDS);
      counted.publish(b, RECORDS);

      b.kill();
      wipe("b");
      b = nodes.start("b", INSIDE);
      counted.publish(b, RECORDS);

      a.kill();
      wipe("a");
      awaitHistory(b, counted);
      a = nodes.start("a", INSIDE);
      counted.publish(a, RECORDS);
      awaitHistory(a, counted);
      history(a).forEach((id, times) -> assertEquals(1, times, id));
    }
  }

  private void wipe(String node) throws IOException {
    List<Path> files;
    try (Stream<Path> walk = Files.walk(directory.resolve(node))) {
      files = walk.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path file : files) {
      Files.delete(file);
    }
  }

  private static void awaitHistory(GalopProcess node, Counted counted) {
    Await.until(
        "all that was acknowledged is in history",
        120,
        () -> history(node).keySet().equals(counted.ids()));
  }

  /** Id → how often it is in the answer. */
  private static Map<String, Long> history(GalopProcess node) throws Exception {
    return Stored.history(node.http("/history/a/%23?limit=10000")).stream()
        .collect(Collectors.groupingBy(Seen::id, Collectors.counting()));
  }
}
