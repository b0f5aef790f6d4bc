package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.e2e.Recording.Change;
import io.galop.mutants.Mutant;
import io.galop.record.Position;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * {@code kill -9} of the node that takes in and stores, during a replay, again and again. What was
 * acknowledged is stored exactly once; who watches through the node in front misses nothing.
 */
@Tag("alone")
@Timeout(420)
class KillIT {
  private static final int KILLS = 6;
  private static final int KILLS_OF_A_BROKEN_NODE = 2;

  /** A kill must meet what was sent to the store and not answered. */
  private static final int KILLS_OF_CHANCE = 5;

  /**
   * A kill must meet what was written and not answered. Of 20 in a row 6 did, the first of them the
   * tenth: that so many do not is less likely than one in a hundred thousand.
   */
  private static final int MOST_KILLS_OF_CHANCE = 40;

  /** With a limit that does not count how busy the machine is with all that starts. */
  private static final List<String> SCRIPT =
      List.of(
          "--set",
          "enrich.chain=[{script: {topics: [odds/raw], file: betfair.js, timeLimitMs: 20000}}]");

  @TempDir static Path shared;
  private static List<String> quick;
  @TempDir Path directory;

  @BeforeAll
  static void keepClasses() {
    quick = QuickStart.options();
  }

  @Test
  void nothingAcknowledgedIsLostAndNobodyMissesAnything() throws Exception {
    Recording place = Recording.place(20, directory);
    try (Pair pair = Pair.start(directory, SCRIPT, quick);
        Viewer stayed = Viewer.on(pair.front().http("/live"), "websocket", "race/#");
        ComingAndGoing came = new ComingAndGoing(pair.front().http("/live"))) {
      int line = Kills.during(place, pair, stayed, came::leaveAndComeBack, KILLS);
      List<Seen> stored = Kills.awaitQuiet(pair);

      assertEquals(List.of(), missing(place, line, stored));
      assertEquals(stored.size(), stored.stream().map(Seen::id).distinct().count());
      awaitSeen("who stayed", stored, stayed);
      assertEquals(List.of(), stayed.all("close"), "the viewer stayed connected");
      assertEquals(List.of(), incomplete(stayed));
      came.awaitSeen(stored);
      assertEquals(List.of(), twice(pair));
    }
  }

  /** The test above would notice: with each of these faults acknowledged records disappear. */
  @ParameterizedTest
  @CsvSource({
    "no-fsync," + KILLS_OF_A_BROKEN_NODE,
    "early-ack," + KILLS_OF_A_BROKEN_NODE,
    "early-cursor," + KILLS_OF_CHANCE
  })
  void aNodeThatDoesNotWaitForADiskOrAStoreIsNoticed(String fault, int kills) throws Exception {
    Recording place = Recording.place(20, directory);
    try (Pair pair = Pair.start(directory, SCRIPT, broken(fault));
        Viewer stayed = Viewer.on(pair.front().http("/live"), "websocket", "race/#")) {
      int line = Kills.during(place, pair, stayed, () -> {}, kills);
      List<Seen> stored = Kills.awaitQuiet(pair);
      assertTrue(!missing(place, line, stored).isEmpty(), "the fault " + fault + " went unnoticed");
    }
  }

  /** And this one lets the Log, and so every viewer, have records twice, if not the store. */
  @Test
  @Timeout(900)
  void anOwnerThatDoesNotKnowWhatItHasIsNoticed() throws Exception {
    Recording place = Recording.place(40, directory);
    try (Pair pair = Pair.start(directory, SCRIPT, broken("no-dedup"));
        Viewer stayed = Viewer.on(pair.front().http("/live"), "websocket", "race/#")) {
      Kills.until(() -> hasTwice(pair), place, pair, stayed, MOST_KILLS_OF_CHANCE);
      assertTrue(!twice(pair).isEmpty(), "the fault went unnoticed");
    }
  }

  private static List<String> broken(String fault) throws IOException {
    List<String> options = new ArrayList<>(quick);
    Path root = Path.of(System.getProperty("galop.root"));
    options.add(Mutant.of(fault).option(root, System.getProperty("galop.jar"), shared));
    return options;
  }

  private static boolean hasTwice(Pair pair) {
    try {
      return !twice(pair).isEmpty();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Ids that the Log has more than once, after the end of its node. */
  private static List<String> twice(Pair pair) throws InterruptedException {
    pair.secure().close();
    String data = pair.secureData().toString();
    Set<String> known = new HashSet<>();
    return Cli.ok("log", "export", "--data-dir", data, "--filter", "race/#")
        .lines()
        .filter(line -> line.startsWith("{"))
        .map(line -> new JsonObject(line).getString("id"))
        .filter(id -> !known.add(id))
        .toList();
  }

  /** Runner changes of the acknowledged lines of the recording that are not stored. */
  private static List<Change> missing(Recording recording, int lastLine, List<Seen> stored) {
    Set<String> found = new HashSet<>();
    stored.forEach(seen -> found.add(line(seen.id()) + " " + seen.topic()));
    return recording.changes().stream()
        .filter(change -> change.line() <= lastLine)
        .filter(
            change ->
                !found.contains(
                    change.line() + " race/" + change.market() + "/runner/" + change.runner()))
        .toList();
  }

  /** The line in an id made by replay and derived from: {@code <hash>:<line>#<n>}. */
  private static String line(String id) {
    return id.substring(id.lastIndexOf(':') + 1, id.indexOf('#'));
  }

  private static List<?> incomplete(Viewer viewer) {
    return viewer.all("resumed").stream()
        .filter(message -> !message.getBoolean("complete"))
        .toList();
  }

  private static void awaitSeen(String who, List<Seen> stored, Viewer viewer) {
    Await.until(who + " has all records", 120, () -> viewer.records().containsAll(stored));
  }

  private static Position later(Position one, Position other) {
    return one.compareTo(other) >= 0 ? one : other;
  }

  /** A browser that is often away and keeps its Positions. */
  private static final class ComingAndGoing implements AutoCloseable {
    private final URI live;
    private final Set<Seen> seen = new HashSet<>();
    private final Map<Integer, Position> positions = new HashMap<>();
    private Viewer now;

    ComingAndGoing(URI live) {
      this.live = live;
      this.now = Viewer.on(live, "websocket", "race/#", "--since", "");
    }

    void leaveAndComeBack() {
      now.close();
      seen.addAll(now.records());
      now.positions().forEach((shard, at) -> positions.merge(shard, at, KillIT::later));
      assertEquals(List.of(), incomplete(now));
      String since =
          positions.values().stream().map(Position::toString).collect(Collectors.joining(","));
      now = Viewer.on(live, "xhr-streaming", "race/#", "--reconnect", "--since", since);
    }

    void awaitSeen(List<Seen> stored) throws IOException {
      try {
        Await.until(
            "who came back has the last record",
            120,
            () -> {
              seen.addAll(now.records());
              return seen.containsAll(stored);
            });
      } catch (AssertionError e) {
        List<?> words = now.all(message -> !"rec".equals(message.getString("type")));
        long missing = stored.stream().filter(one -> !seen.contains(one)).count();
        throw new AssertionError(missing + " records are missing; it was told " + words, e);
      }
      assertEquals(List.of(), incomplete(now));
    }

    @Override
    public void close() {
      now.close();
    }
  }

  /** Waits a random while, so that kills hit every stage. */
  static void pause(long fromMs, long toMs) throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(
        java.util.concurrent.ThreadLocalRandom.current().nextLong(fromMs, toMs));
  }
}
