package io.galop.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.sun.net.httpserver.HttpServer;
import io.galop.page.Chromium;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Alarms of the packed jar outlive their owner: neither lost, nor raised or told twice. */
@Timeout(240)
class AlarmIT {
  private static final String RULES =
      "alarms.rules=[{name: hot, topics: s/+, when: {limit: {field: c, above: 80}}}]";

  @TempDir private Path directory;
  private final Queue<String> told = new ConcurrentLinkedQueue<>();

  private HttpServer webhook() throws Exception {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        request -> {
          byte[] body = request.getRequestBody().readAllBytes();
          for (Object one :
              new JsonObject(new String(body, StandardCharsets.UTF_8)).getJsonArray("alarms")) {
            told.add(((JsonObject) one).getString("id"));
          }
          request.sendResponseHeaders(204, -1);
          request.close();
        });
    server.start();
    return server;
  }

  private static void publish(GalopProcess to, String topic, int value) throws Exception {
    String line = "{\"topic\":\"%s\",\"data\":{\"c\":%d}}\n".formatted(topic, value);
    assertEquals(202, Stored.post(to.http("/publish"), "application/x-ndjson", line).statusCode());
  }

  /** Id → state, as the node answers for all. */
  private static Map<String, String> states(GalopProcess node) throws Exception {
    JsonArray alarms =
        new JsonObject(Stored.get(node.management("/alarms")).body()).getJsonArray("alarms");
    Map<String, String> states = new TreeMap<>();
    alarms.forEach(
        one ->
            states.put(((JsonObject) one).getString("id"), ((JsonObject) one).getString("state")));
    return states;
  }

  private static String url(GalopProcess node) {
    return "http://" + node.address("management");
  }

  @Test
  void theNextOwnerHasWhatStoodAndTellsNothingAgain() throws Exception {
    HttpServer server = webhook();
    String targets =
        "alarms.targets=[{name: ops, groupMs: 0, by: {webhook: {url: 'http://127.0.0.1:%d/'}}}]"
            .formatted(server.getAddress().getPort());
    List<String> shared =
        List.of("--set", "cluster.maxSilenceSeconds=15", "--set", RULES, "--set", targets);
    try (Nodes nodes = new Nodes(directory, List.of("a", "front"), shared)) {
      GalopProcess owner = nodes.start("a", "ingest,enrich,persist");
      GalopProcess front = nodes.start("front", "broadcast");
      for (String topic : List.of("s/1", "s/2", "s/3")) {
        publish(owner, topic, 90);
      }
      Await.until("all are told and recorded", 60, () -> changes(front).size() == 6);
      assertTrue(Cli.ok("alarm", "ack", "hot/s/2", "--url", url(front)).contains("1 changed"));
      Cli.ok("alarm", "shelve", "hot/s/3", "--minutes", "30", "--url", url(front));
      Map<String, String> before = states(front);
      assertEquals(
          Map.of("hot/s/1", "unacknowledged", "hot/s/2", "acknowledged", "hot/s/3", "shelved"),
          before);

      owner.kill();
      GalopProcess next = nodes.start("a", "ingest,enrich,persist");
      Await.until("the next owner has them", 60, () -> states(front).equals(before));
      Await.until("it records them itself", 60, () -> changes(front).size() == 11);
      for (String topic : List.of("s/1", "s/2", "s/3", "s/4")) {
        publish(next, topic, 91);
      }
      Await.until("what is new is told", 60, () -> changes(front).size() == 13);
      assertEquals(
          List.of("hot/s/1", "hot/s/2", "hot/s/3", "hot/s/4"), told.stream().sorted().toList());
      String list = Cli.ok("alarm", "list", "--url", url(front));
      assertTrue(list.contains("hot: 4 alarms, 2 to be acknowledged"), list);
    } finally {
      server.stop(0);
    }
  }

  /** Nor does the Log have to reach back to when an alarm was raised. */
  @Test
  void anAlarmOutlivesTheLogOfItsTime() throws Exception {
    String log = "{segmentBytes: 65536, queueBytes: 8192, retentionBytes: 1048576}";
    List<String> small = new ArrayList<>(List.of("--set", RULES, "--set", "persist.log=" + log));
    small.addAll(List.of("--set", "persist.ram.maxBytes=1048576"));
    small.addAll(List.of("--set", "persist.latestLogBytes=0"));
    small.addAll(List.of("--set", "ingest.limits.maxDataBytes=4096"));
    String roles = "ingest,enrich,persist,broadcast";
    try (Nodes nodes = new Nodes(directory, List.of("a"), small)) {
      GalopProcess owner = nodes.start("a", roles);
      publish(owner, "s/1", 90);
      Await.until("it is raised", 60, () -> changes(owner).size() == 1);
      assertTrue(Cli.ok("alarm", "ack", "hot/s/1", "--url", url(owner)).contains("1 changed"));
      for (int part = 1; part <= 5; part++) {
        fill(owner, 500, 1_000);
        int records = 2 + part;
        Await.until("it is recorded again", 60, () -> changes(owner).size() >= records);
      }
      owner.kill();
      GalopProcess next = nodes.start("a", roles);
      publish(next, "s/1", 91);
      publish(next, "s/2", 91);
      Map<String, String> after = Map.of("hot/s/1", "acknowledged", "hot/s/2", "unacknowledged");
      Await.until("the new one is raised", 60, () -> states(next).size() == 2);
      assertEquals(after, states(next));
    }
  }

  /** The page has what stood before it came, and follows; who may not see it has no such view. */
  @Test
  void thePageShowsThemToWhoMaySeeThem() throws Exception {
    String roles = "ingest,enrich,persist,broadcast";
    List<String> shown = List.of("--set", RULES, "--set", "broadcast.showReserved=true");
    try (Chromium chromium = Chromium.open();
        Nodes nodes = new Nodes(directory, List.of("a"), shown)) {
      GalopProcess node = nodes.start("a", roles);
      publish(node, "s/1", 90);
      Await.until("it is raised", 60, () -> states(node).size() == 1);
      Page page = chromium.page(node.http("/").toString());
      page.click("#alarms-nav");
      Locator row = page.locator("[data-alarm='hot/s/1']");
      assertThat(row.locator("[data-field=state]")).hasText("unacknowledged");
      assertThat(page.locator("#alarms-due")).hasText("1");
      assertTrue(Cli.ok("alarm", "ack", "hot/s/1", "--url", url(node)).contains("1 changed"));
      assertThat(row.locator("[data-field=state]")).hasText("acknowledged");
      publish(node, "s/1", 20);
      assertThat(page.locator("#alarms-words")).hasText("No alarm stands.");
      assertThat(page.locator("#notice")).isHidden();
      chromium.assertNoComplaints();
    }
  }

  private static void fill(GalopProcess node, int records, int bytes) throws Exception {
    String line = "{\"topic\":\"other\",\"data\":{\"pad\":\"%s\"}}\n".formatted("x".repeat(bytes));
    assertEquals(
        202,
        Stored.post(node.http("/publish"), "application/x-ndjson", line.repeat(records))
            .statusCode());
  }

  /** Of each alarm: raised, told; then acknowledged or shelved. */
  private static List<Seen> changes(GalopProcess front) throws Exception {
    return Stored.history(front.http("/history/$alarm/hot/%23?limit=1000"));
  }
}
