package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.galop.market.Market;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A race through the packed jar: everybody sees the same records. */
@Timeout(180)
class WholePathIT {
  static final List<String> TRANSPORTS = List.of("websocket", "xhr-streaming", "xhr-polling");
  static final List<String> BETFAIR = List.of("--config", "../docs/examples/betfair.yaml");
  private static final int STATUS_CHANGES = 3;

  @TempDir Path directory;

  static List<Market> markets() {
    return Market.wins();
  }

  @ParameterizedTest
  @MethodSource("markets")
  void oneNodeShowsAndKeepsARace(Market market) throws Exception {
    Recording win = Recording.of(market, 1, directory);
    try (GalopProcess node = GalopProcess.run(directory, List.of(), BETFAIR)) {
      checkRace(win, node, node, directory);
    }
  }

  @ParameterizedTest
  @MethodSource("markets")
  void aNodeInFrontThatOnlyBroadcastsShowsTheSame(Market market) throws Exception {
    Recording win = Recording.of(market, 1, directory);
    try (Pair pair = Pair.start(directory, BETFAIR, List.of())) {
      checkRace(win, pair.secure(), pair.front(), pair.secureData());
    }
  }

  private static void checkRace(Recording win, GalopProcess inside, GalopProcess front, Path data)
      throws Exception {
    int expected = win.changes().size() + STATUS_CHANGES;
    List<Viewer> viewers = new ArrayList<>();
    try (RacePage page = RacePage.open(front.http("/?filter=race/%23"))) {
      for (String transport : TRANSPORTS) {
        viewers.add(Viewer.on(front.http("/live"), transport, "race/#"));
      }
      Cli.ok(
          "replay",
          win.file().toString(),
          "--topic",
          "odds/raw",
          "--speed",
          "max",
          "--no-resume",
          "--to",
          inside.address("tcp"));
      Set<Seen> first = awaitRecords(viewers.get(0), expected);
      for (Viewer viewer : viewers) {
        assertEquals(first, awaitRecords(viewer, expected));
      }
      assertEquals(win.changes().size(), runnerRecords(first));
      URI history = front.http("/history/race/%23?limit=10000");
      assertEquals(first, Set.copyOf(Stored.history(history)));
      Await.until("the cold store has all", 120, () -> Stored.cold(data).size() == expected);
      assertEquals(first, new HashSet<>(Stored.cold(data)));
      page.checkNamesAndOdds(lastOdds(front));
    } finally {
      viewers.forEach(Viewer::close);
    }
  }

  private static Set<Seen> awaitRecords(Viewer viewer, int expected) {
    try {
      Await.until("a viewer has all records", 120, () -> viewer.records().size() >= expected);
    } catch (AssertionError e) {
      String seen = viewer.all("open") + " saw " + viewer.records().size();
      throw new AssertionError(e.getMessage() + ": " + seen + ", ended " + viewer.all("close"), e);
    }
    assertEquals(expected, viewer.all("rec").size(), "each record once");
    return viewer.records();
  }

  private static long runnerRecords(Set<Seen> records) {
    return records.stream().filter(seen -> seen.topic().contains("/runner/")).count();
  }

  /** Topic → last record's data, by the node's own history. */
  private static Map<String, io.vertx.core.json.JsonObject> lastOdds(GalopProcess node)
      throws Exception {
    Map<String, io.vertx.core.json.JsonObject> last = new java.util.TreeMap<>();
    String answer = Stored.get(node.http("/history/race/+/runner/+?limit=10000")).body();
    answer
        .lines()
        .map(io.vertx.core.json.JsonObject::new)
        .forEach(line -> last.put(line.getString("topic"), line.getJsonObject("data")));
    return last;
  }
}
