package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.record.Position;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A horse-race market, replayed as fast as it goes through the shipped script into all tiers at
 * once: the same ids with the same data in memory and in every store, or those of them that the
 * sampling chooses.
 */
@Timeout(240)
class MarketIT {
  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(ints = {1, 5})
  void allTiersHoldTheSame(int every) throws Exception {
    Recording place = Recording.place(1, directory);
    try (StoreFleet stores = StoreFleet.start()) {
      List<String> config = stores.config(directory, stores.addresses(), every, "{}");
      try (Nodes nodes = new Nodes(directory, List.of("secure", "front"), config)) {
        GalopProcess secure = nodes.start("secure", "ingest,enrich,persist");
        long startedNs = System.nanoTime();
        String to = secure.address("tcp");
        String file = place.file().toString();
        Cli.ok("replay", file, "--topic=odds/raw", "--speed=max", "--no-resume", "--to=" + to);
        long replayedMs = (System.nanoTime() - startedNs) / 1_000_000;

        // It was not there before, so what it shows of the past comes from the owner's memory.
        Set<Seen> ram = inMemory(nodes.start("front", "broadcast"));
        checkAgainst(place, ram);
        Predicate<Seen> kept = seen -> chance(seen) % every == 0;
        Set<Seen> chosen = ram.stream().filter(kept).collect(Collectors.toSet());
        Map<String, Set<Seen>> expected =
            Map.of(
                "redis",
                ram,
                "embedded",
                chosen,
                "mysql",
                chosen,
                "postgres",
                chosen,
                "mongodb",
                chosen);
        Path data = directory.resolve("secure");
        Await.until("all is stored", 120, () -> stores.counts(data).equals(sizes(expected)));
        long storedMs = (System.nanoTime() - startedNs) / 1_000_000;
        stores.all(data).forEach((name, found) -> assertSame(name, expected.get(name), found));
        System.out.printf(
            "market 1 in %d: %d records acknowledged after %d ms and in all stores after %d ms%n",
            every, ram.size(), replayedMs, storedMs);
      }
    }
  }

  /** Of what docs/stores.md says: topic and id decide. */
  private static long chance(Seen seen) {
    CRC32C crc = new CRC32C();
    crc.update((seen.topic() + "\0" + seen.id()).getBytes(StandardCharsets.UTF_8));
    return crc.getValue();
  }

  private static Map<String, Long> sizes(Map<String, Set<Seen>> expected) {
    return expected.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, entry -> (long) entry.getValue().size()));
  }

  private static void assertSame(String name, Set<Seen> expected, List<Seen> found) {
    Set<Seen> wrong = new HashSet<>(expected);
    wrong.removeAll(new HashSet<>(found));
    assertEquals(Set.of(), wrong, name + " lacks records or has others in their place");
    assertEquals(expected.size(), found.size(), name + " has each once");
  }

  /** All that a browser is sent that names the begin of every shard as its last Position. */
  private static Set<Seen> inMemory(GalopProcess front) {
    try (Viewer first = Viewer.on(front.http("/live"), "websocket", "race/#", "--since", "")) {
      Await.until("the Positions are known", 120, () -> !first.positions().isEmpty());
      String begin =
          first.positions().values().stream()
              .map(last -> new Position(last.shard(), last.epoch(), 0).toString())
              .collect(Collectors.joining(","));
      try (Viewer all = Viewer.on(front.http("/live"), "websocket", "race/#", "--since", begin)) {
        Await.until("all was sent", 120, () -> all.positions().equals(first.positions()));
        assertEquals(
            List.of(true), all.all("resumed").stream().map(m -> m.getBoolean("complete")).toList());
        assertEquals(all.records().size(), all.all("rec").size(), "each record once");
        return all.records();
      }
    }
  }

  /** Every runner change of the recording, worked out from its lines, is there; nothing else is. */
  private static void checkAgainst(Recording place, Set<Seen> found) {
    List<String> changes = new ArrayList<>();
    place.changes().forEach(c -> changes.add(c.line() + " " + c.market() + "/" + c.runner()));
    List<String> shown = new ArrayList<>();
    for (Seen seen : found) {
      if (seen.topic().contains("/runner/")) {
        String line = seen.id().substring(seen.id().lastIndexOf(':') + 1, seen.id().indexOf('#'));
        shown.add(line + " " + seen.topic().substring(5).replace("/runner/", "/"));
      } else {
        assertTrue(seen.topic().endsWith("/status"), seen.topic());
      }
    }
    assertTrue(changes.size() > 40_000, () -> changes.size() + " changes");
    assertEquals(changes.stream().sorted().toList(), shown.stream().sorted().toList());
  }
}
