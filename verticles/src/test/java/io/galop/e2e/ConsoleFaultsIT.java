package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.BoundingBox;
import io.galop.page.Chromium;
import io.galop.servers.RedisServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Faults as an operator meets them, who opens the console of one node of three and reads its first
 * view only: what is wrong, where, what it means for people and where to look next. Each is named
 * within two minutes, and no more when it is mended. Pictures lie in {@code target/console-faults}.
 */
@Timeout(1_200)
class ConsoleFaultsIT {
  private static final Path PICTURES = Path.of("target", "console-faults");
  private static final String CALM = "Nothing found; asked: a, b, c.";
  private static final int NAMED_WITHIN_SECONDS = 120;
  private static final int MENDED_WITHIN_SECONDS = 420;

  /** As much others may write on the same disk while nothing is wrong. */
  private static final long SLACK_BYTES = 2L << 30;

  /** As much they may delete while it is full. */
  private static final long DEEP_BYTES = 1L << 30;

  private static final int LARGE_RECORDS = 320;
  private static final int WIDE = 1100;

  @TempDir Path directory;
  private final RedisServer redis = new RedisServer();
  private Chromium chromium;
  private Nodes nodes;
  private GalopProcess a;
  private GalopProcess b;
  private GalopProcess c;
  private OddsFeed feed;
  private Page page;
  private long least;

  @BeforeEach
  void start() throws Exception {
    chromium = Chromium.open();
    redis.start();
    Path config = directory.resolve("galop.yaml");
    Files.writeString(
        config,
        """
        node: {shards: 8}
        persist:
          log: {segmentBytes: 1048576, queueBytes: 131072, retentionBytes: 4194304}
          backup:
            redis: {port: %d, sink: {maxPauseMs: 500}}
          cold: {enabled: false}
        broadcast:
          freshness: [{filter: odds/#, maxAgeMs: 3000}]
        """
            .formatted(redis.port()));
    nodes = new Nodes(directory, List.of("a", "b", "c"), List.of("--config", config.toString()));
    least = usable() - SLACK_BYTES;
    assertTrue(least > DEEP_BYTES, "wanted: more than 3 GiB of free disk");
    a = nodes.start("a", "ingest,enrich,persist,broadcast");
    String full = "persist.log.minFreeBytes=" + least;
    b = nodes.start("b", "enrich,persist,broadcast", "--set", full);
    c = nodes.start("c", "broadcast");
    feed = new OddsFeed(a);
    page = chromium.page(a.management("/").toString());
    page.setViewportSize(WIDE, 700);
    isCalm();
  }

  private long usable() throws Exception {
    return Files.getFileStore(directory).getUsableSpace();
  }

  @AfterEach
  void stop() {
    feed.close();
    nodes.close();
    redis.close();
    chromium.close();
  }

  @Test
  void eachFaultIsNamedOnTheFirstViewAndNoMoreWhenItIsMended() throws Exception {
    aDeadStore();
    aFullDisk();
    aViewerWithMissingPrices();
    aSilentPublisher();
    aLostNode();
    chromium.assertNoComplaints();
  }

  private void aDeadStore() throws Exception {
    redis.stop();
    String taken = ": persist.sink.redis: the store redis has taken nothing since";
    isNamed(
        "dead-store", "GalopStoreBehind", List.of("a" + taken, "b" + taken, "see to the store"));
    redis.startAgain();
    isCalm();
  }

  /** Another program has filled it, until somebody deletes the file. */
  private void aFullDisk() throws Exception {
    Path filler = directory.resolve("filler");
    String bytes = Long.toString(usable() - least + DEEP_BYTES);
    assertEquals(
        0, new ProcessBuilder("fallocate", "-l", bytes, filler.toString()).start().waitFor());
    feed.large(LARGE_RECORDS);
    isNamed(
        "full-disk",
        "GalopRefusesRecords",
        List.of(
            "b: persist.log: records are refused: ",
            "bytes are free on the disk of " + directory.resolve("b").toRealPath(),
            "make room on the disk",
            "affects publishers"));
    Files.delete(filler);
    isCalm();
  }

  /** Its device takes nothing; those beside it are sent everything. */
  private void aViewerWithMissingPrices() throws Exception {
    WebSocket viewer = stuckViewer(b, "large/#");
    feed.large(LARGE_RECORDS);
    isNamed(
        "viewer",
        "GalopViewersTooSlow",
        List.of(
            "b: viewers: 1 viewer gets nothing new, although records wait for it: ",
            " watching large/# (",
            "the tab Viewers shows"));
    viewer.request(Long.MAX_VALUE);
    isCalm();
    viewer.abort();
  }

  private void aSilentPublisher() throws Exception {
    feed.isSilent(true);
    String words =
        "a, b, c: silent topics: nothing new for longer than broadcast.freshness allows:"
            + " odds/1";
    isNamed("silent-publisher", "GalopTopicsSilent", List.of(words, "sensor or publisher"));
    feed.isSilent(false);
    isCalm();
  }

  private void aLostNode() throws Exception {
    c.kill();
    isNamed(
        "lost-node",
        "GalopDown",
        List.of("a, b: lost nodes: the node c (broadcast) is lost", "start it again"));
    c = nodes.start("c", "broadcast");
    isCalm();
  }

  /** All that is asked of the page: an item that has these words, and what the runbook says. */
  private void isNamed(String name, String section, List<String> words) throws Exception {
    long begun = System.nanoTime();
    Await.until(name, NAMED_WITHIN_SECONDS, () -> found(words).isPresent());
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun);
    Locator item = found(words).orElseThrow();
    String text = item.textContent();
    assertTrue(text.contains("Runbook: " + section), text);
    assertTrue(Pattern.compile("For people: [A-Z].{20}").matcher(text).find(), text);
    assertTrue(Pattern.compile("since [0-9]+ (s|min)").matcher(text).find(), text);
    item.locator("summary").click();
    assertTrue(item.locator("details li").first().innerText().startsWith("Look at"), text);
    shot(name, item);
    System.out.println("console faults: " + name + " was named after " + seconds + " s");
  }

  private Optional<Locator> found(List<String> words) {
    for (Locator item : page.locator("#overview .conditions > li").all()) {
      String text = item.textContent();
      if (words.stream().allMatch(text::contains)) {
        return Optional.of(item);
      }
    }
    return Optional.empty();
  }

  private void isCalm() {
    Await.until(
        CALM,
        MENDED_WITHIN_SECONDS,
        () -> page.locator("#overview [role=status]").first().textContent().equals(CALM));
  }

  /** What an operator sees without scrolling, down to the end of the item. */
  private void shot(String name, Locator item) throws Exception {
    BoundingBox box = item.boundingBox();
    Files.createDirectories(PICTURES);
    page.screenshot(
        new Page.ScreenshotOptions()
            .setPath(PICTURES.resolve(name + ".png"))
            .setFullPage(true)
            .setClip(0, 0, WIDE, box.y + box.height + 16));
  }

  private static WebSocket stuckViewer(GalopProcess node, String filter) throws Exception {
    WebSocket.Listener silent =
        new WebSocket.Listener() {
          @Override
          public void onOpen(WebSocket socket) {
            // Asks for nothing, so that its window fills up.
          }

          @Override
          public CompletionStage<?> onText(WebSocket socket, CharSequence text, boolean last) {
            return null;
          }
        };
    URI live = URI.create("ws://" + node.address("http") + "/live/websocket");
    WebSocket socket =
        HttpClient.newHttpClient()
            .newWebSocketBuilder()
            .buildAsync(live, silent)
            .get(60, TimeUnit.SECONDS);
    String register = "{\"type\":\"register\",\"address\":\"" + filter + "\"}";
    socket.sendText(register, true).get(60, TimeUnit.SECONDS);
    Await.until("it watches", 120, () -> watches(node));
    return socket;
  }

  private static boolean watches(GalopProcess node) throws Exception {
    String presence = Stored.get(node.management("/presence?topic=large/1")).body();
    return presence.contains("\"viewers\":1,");
  }
}
