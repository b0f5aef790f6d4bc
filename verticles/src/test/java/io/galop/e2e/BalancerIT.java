package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.servers.Ports;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The shipped {@code docker/haproxy.cfg}, with TLS, before two nodes that only broadcast. */
@Timeout(900)
class BalancerIT {
  private static final List<String> TRANSPORTS =
      List.of(
          "websocket", "xhr-streaming", "xhr-polling", "eventsource", "htmlfile", "jsonp-polling");
  private static final List<String> POLLING = List.of("xhr-polling", "jsonp-polling");
  private static final long POLLING_SECONDS = Boolean.getBoolean("galop.long") ? 600 : 15;
  private static final String[] ADDRESSES = {
    "http.port=" + Ports.free(), "management.port=" + Ports.free(),
    "http.port=" + Ports.free(), "management.port=" + Ports.free(),
  };

  @TempDir static Path directory;
  private static Nodes nodes;
  private static GalopProcess inside;
  private static final GalopProcess[] FRONT = new GalopProcess[2];
  private static Certificate certificate;
  private static Haproxy haproxy;
  private static final Counted COUNTED = new Counted();

  private Crowd crowd;
  private final List<Watcher> viewers = new ArrayList<>();

  @BeforeAll
  static void start() throws Exception {
    nodes = new Nodes(directory, List.of("inside", "front-0", "front-1"), List.of());
    inside = nodes.start("inside", "ingest,enrich,persist");
    startFront(0);
    startFront(1);
    certificate = Certificate.make(directory.resolve("pem"), "localhost", "feed.example");
    haproxy = Haproxy.before(directory, certificate, addresses(0), addresses(1));
    awaitStatus(0, "UP");
    awaitStatus(1, "UP");
  }

  private static Haproxy.Node addresses(int index) {
    return new Haproxy.Node(FRONT[index].address("http"), FRONT[index].address("management"));
  }

  /** Always at the same addresses: HAProxy looks for it there. */
  private static void startFront(int index) {
    List<String> args = new ArrayList<>();
    List<String> settings =
        List.of(
            ADDRESSES[2 * index],
            ADDRESSES[2 * index + 1],
            "http.trustedProxies=[127.0.0.1]",
            // A poll whose browser has gone is answered by the next heartbeat, and its session
            // ends.
            "broadcast.heartbeatMs=5000",
            "broadcast.drainWaitSeconds=2",
            "broadcast.drainSeconds=2");
    settings.forEach(setting -> args.addAll(List.of("--set", setting)));
    FRONT[index] = nodes.start("front-" + index, "broadcast", args.toArray(String[]::new));
  }

  private static void awaitStatus(int index, String status) {
    String node = "node-" + (index + 1);
    Await.until(node + " is " + status, 120, () -> haproxy.status(node).equals(status));
  }

  /** A node keeps the sessions of the test before for some seconds, and counts them. */
  private static void awaitNobody(GalopProcess node) {
    Await.until("the viewers before have left", 120, () -> browsers(node) == 0);
  }

  @AfterAll
  static void stop() {
    if (haproxy != null) {
      haproxy.close();
    }
    nodes.close();
  }

  @BeforeEach
  void gather() {
    for (int index = 0; index < FRONT.length; index++) {
      if (!FRONT[index].isAlive()) {
        startFront(index);
      }
      awaitStatus(index, "UP");
      awaitNobody(FRONT[index]);
    }
    haproxy.tell("clear counters all");
    crowd = Crowd.inNode(certificate.of("localhost"));
  }

  @AfterEach
  void leave() {
    crowd.close();
  }

  private void open(List<String> transports, int each, String... flags) {
    JsonObject headers = new JsonObject().put("since", "");
    for (int i = 0; i < each; i++) {
      for (String transport : transports) {
        String name = transport + " " + viewers.size();
        viewers.add(
            crowd.open(name, transport, List.of(haproxy.live()), Map.of("a/#", headers), flags));
      }
    }
    try {
      viewers.forEach(one -> Await.until("live: " + one, 120, () -> one.has("live")));
    } catch (AssertionError e) {
      throw new AssertionError(e.getMessage() + haproxy.trace(), e);
    }
  }

  private void publish(int count) throws Exception {
    COUNTED.publish(inside, count);
  }

  private static int before() {
    return COUNTED.ids().size();
  }

  /** Every viewer has every record since {@code before}, in order; each once if {@code once}. */
  private void assertAll(int before, boolean once) {
    TreeSet<String> expected = after(before);
    for (Watcher viewer : viewers) {
      awaitSeen(viewer, expected);
      assertEquals(expected, viewer.seen(), viewer.name());
      assertEquals(List.of(), viewer.disordered(), viewer.name());
      if (once) {
        assertEquals(expected.size(), viewer.ids().size(), "each once: " + viewer);
      }
    }
  }

  private static void awaitSeen(Watcher viewer, Set<String> expected) {
    try {
      Await.until("all records", 120, () -> viewer.seen().containsAll(expected));
    } catch (AssertionError e) {
      throw new AssertionError(viewer.missing(expected), e);
    }
  }

  private void assertNobodyLeft() {
    viewers.forEach(one -> assertEquals(List.of(), one.all("close"), one.name()));
  }

  private static int browsers(GalopProcess node) throws Exception {
    return new JsonObject(Stored.get(node.management("/status")).body())
        .getJsonObject("browsers")
        .getInteger("connections");
  }

  @Test
  void everySessionStaysOnItsNodeOnEveryTransport() throws Exception {
    int before = before();
    open(TRANSPORTS, 3);
    assertTrue(browsers(FRONT[0]) > 0 && browsers(FRONT[1]) > 0, "both nodes have viewers");
    for (int i = 0; i < 10; i++) {
      publish(40);
    }
    assertAll(before, true);
    assertNobodyLeft();
  }

  @Test
  void pollingWithKeepAliveHasNoErrors() throws Exception {
    int before = before();
    open(POLLING, 5);
    long end = System.nanoTime() + POLLING_SECONDS * 1_000_000_000L;
    while (System.nanoTime() < end) {
      publish(10);
      Thread.sleep(100);
    }
    assertAll(before, true);
    assertNobodyLeft();
    for (String count : List.of("hrsp_4xx", "hrsp_5xx", "econ", "eresp", "wretr", "wredis")) {
      assertEquals("0", haproxy.figure("sessions", "BACKEND", count), count);
    }
    long made = Long.parseLong(haproxy.figure("sessions", "BACKEND", "connect"));
    long used = Long.parseLong(haproxy.figure("sessions", "BACKEND", "reuse"));
    assertTrue(used > made, "requests on kept connections: " + used + ", on new ones: " + made);
  }

  @Test
  void anUnreadyNodeKeepsItsViewersOnEveryTransport() throws Exception {
    int before = before();
    open(TRANSPORTS, 2);
    inside.freeze();
    awaitStatus(0, "NOLB");
    awaitStatus(1, "NOLB");
    assertEquals(200, haproxy.ask("/"), "the page is there, and says that the feed is away");
    assertEquals(503, haproxy.ask("/live/info"), "nobody new comes in");
    inside.thaw();
    publish(100);
    assertAll(before, false);
    assertNobodyLeft();
    awaitStatus(0, "UP");
    awaitStatus(1, "UP");
  }

  @Test
  void aDrainedNodeKeepsItsViewersAndGetsNoNewOnes() throws Exception {
    int before = before();
    open(TRANSPORTS, 2);
    haproxy.tell("set server websockets/node-1 state drain");
    int old = browsers(FRONT[0]);
    open(TRANSPORTS, 2);
    assertEquals(old, browsers(FRONT[0]), "new viewers go elsewhere");
    publish(200);
    haproxy.tell("set server websockets/node-1 state ready");
    for (Watcher viewer : viewers) {
      awaitSeen(viewer, after(before));
    }
    assertNobodyLeft();
  }

  @Test
  void whatTakesRecordsIsNotReachedHoweverItIsWritten() {
    List<String> paths =
        List.of("/publish", "/publish/a", "//publish/a", "/PUBLISH", "/%70ublish", "/publi%73h/a");
    for (String path : paths) {
      assertEquals(404, haproxy.ask(path), path);
    }
    for (String path : List.of("/./publish/a", "/live/../publish", "/live/%2e%2E/publish")) {
      assertEquals(400, haproxy.ask(path), path);
    }
    assertEquals(200, haproxy.ask("/history/a/publish"), "a topic may be called so");
    assertEquals("0", haproxy.figure("pages", "BACKEND", "hrsp_5xx"));
  }

  private static TreeSet<String> after(int before) {
    TreeSet<String> ids = COUNTED.ids();
    ids.removeIf(id -> Integer.parseInt(id.substring(1)) < before);
    return ids;
  }

  @Test
  void viewersOfANodeThatStopsOrDiesGoOnAtTheOther() throws Exception {
    int before = before();
    open(TRANSPORTS, 3, "again", "watch");
    publish(100);
    FRONT[0].terminate();
    awaitStatus(0, "NOLB");
    publish(100);
    assertEquals(0, FRONT[0].awaitExit(60), FRONT[0].text());
    publish(100);
    assertAll(before, false);
    startFront(0);
    awaitStatus(0, "UP");
    publish(100);
    FRONT[1].kill();
    publish(100);
    assertAll(before, false);
    for (Watcher viewer : viewers) {
      assertTrue(
          viewer.has("close"), () -> "it was on one of the two: " + viewer.missing(after(before)));
      assertTrue(!viewer.completeness().contains(false), "nothing was missed: " + viewer);
    }
    startFront(1);
    awaitStatus(1, "UP");
  }
}
