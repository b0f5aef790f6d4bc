package io.galop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.ConfigLoader;
import io.galop.servers.Ports;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A relay that is sent what its viewers watch: all of that, or it says so; and little else. */
@Tag("slow")
@Timeout(240)
class WatchedRelayTest {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final int TOPICS = 100;
  private static final String FILLER = "x".repeat(200);

  @TempDir Path directory;
  private final int relayPort = Ports.free();
  private int published;

  private GalopNode start(String name, String... more) {
    List<String> sets = new ArrayList<>(List.of("node.name=" + name));
    sets.add("node.dataDir=" + directory.resolve(name));
    for (String part :
        List.of("http", "management", "ingest.tcp", "ingest.mqtt", "ingest.bridge")) {
      sets.add(part + ".port=0");
    }
    sets.addAll(List.of(more));
    return GalopNode.start(ConfigLoader.load(Optional.empty(), Map.of(), sets, Map.of()));
  }

  private GalopNode inside(int port, boolean questions) {
    String relay = "relays=[{host: 127.0.0.1, port: %d, insecure: true, questions: %b}]";
    return start("inside", relay.formatted(port, questions));
  }

  private GalopNode relay(String... more) {
    List<String> sets =
        new ArrayList<>(
            List.of(
                "node.roles=[broadcast]",
                "broadcast.link.host=127.0.0.1",
                "broadcast.link.port=" + relayPort,
                "broadcast.link.insecure=true"));
    sets.addAll(List.of(more));
    return start("relay", sets.toArray(String[]::new));
  }

  private static String get(GalopNode node, String path) throws Exception {
    URI uri = URI.create("http://" + node.listeners().get("management") + path);
    return HTTP.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body();
  }

  private static long meter(GalopNode node, String name) throws Exception {
    return get(node, "/metrics")
        .lines()
        .filter(line -> line.startsWith(name + " ") || line.startsWith(name + "{"))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' '))))
        .sum();
  }

  /** Round and round over the topics, each record of about 290 bytes. */
  private void publish(GalopNode node, int records) throws Exception {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < records; i++) {
      int n = published + i;
      lines.append(
          "{\"topic\":\"a/%d\",\"id\":\"r%d\",\"data\":{\"n\":%d,\"x\":\"%s\"}}\n"
              .formatted(n % TOPICS, n, n, FILLER));
    }
    URI uri = URI.create("http://" + node.listeners().get("http") + "/publish");
    HttpRequest post =
        HttpRequest.newBuilder(uri)
            .header("Content-Type", "application/x-ndjson")
            .POST(BodyPublishers.ofString(lines.toString()))
            .build();
    assertEquals(202, HTTP.send(post, BodyHandlers.ofString()).statusCode());
    published += records;
  }

  private static void await(String what, Callable<Boolean> condition) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!condition.call()) {
      assertTrue(System.nanoTime() < deadline, "waited in vain until " + what);
      Thread.sleep(20);
    }
  }

  private static void awaitReady(GalopNode relay) throws Exception {
    URI uri = URI.create("http://" + relay.listeners().get("management") + "/health/ready/view");
    HttpRequest ask = HttpRequest.newBuilder(uri).build();
    await("the relay is fed", () -> HTTP.send(ask, BodyHandlers.discarding()).statusCode() == 200);
  }

  private static final class Viewer extends FeedViewer {
    Viewer(GalopNode relay, String filter, JsonObject headers) throws Exception {
      super(HTTP, relay);
      say("register", filter, headers);
    }

    String positionOf(int n) {
      return positionOf("r" + n);
    }
  }

  /** The ids of a topic from a number on. */
  private List<String> ids(int topic, int from) {
    List<String> ids = new ArrayList<>();
    for (int n = from; n < published; n++) {
      if (n % TOPICS == topic) {
        ids.add("r" + n);
      }
    }
    return ids;
  }

  private static JsonObject snapshot() {
    return new JsonObject().put("snapshot", "true");
  }

  private static JsonObject since(String position) {
    return new JsonObject().put("since", position);
  }

  @Test
  void viewersHaveWhatTheyWatchAndTheRelayLittleElse() throws Exception {
    try (LinkTap tap = new LinkTap(relayPort);
        GalopNode inside = inside(tap.port(), true)) {
      publish(inside, 2 * TOPICS);
      try (GalopNode relay = relay("broadcast.interest=watched")) {
        awaitReady(relay);
        assertEquals(0, meter(relay, "galop_link_records_total"), "nobody watches");
        Viewer first = new Viewer(relay, "a/7", snapshot());
        await("the last value comes", () -> first.ids().equals(List.of("r107")));
        publish(inside, 500);
        await("the feed comes", () -> first.ids().equals(ids(7, 100)));
        JsonObject link = links(inside).getJsonObject(0);
        assertEquals(1, link.getInteger("wantedFilters"), link.encode());
        aNewFilterHasItsValuesAndThePast(inside, relay, first);
        cutAndHeal(tap, inside, first);
      }
    }
  }

  /** What a relay shows is paced there, by its own configuration. */
  @Test
  void capsHoldAtARelay() throws Exception {
    try (GalopNode inside = inside(relayPort, true)) {
      publish(inside, 2 * TOPICS);
      try (GalopNode relay = relay("broadcast.caps=[{topics: a/#, maxRate: 0.001}]")) {
        awaitReady(relay);
        Viewer viewer = new Viewer(relay, "a/7", snapshot());
        await("the last value comes", () -> viewer.ids().equals(List.of("r107")));
        publish(inside, 5 * TOPICS);
        String conflated = "galop_broadcast_conflated_total";
        await("the newest waits", () -> meter(relay, conflated) == 4);
        assertEquals(List.of("r107"), viewer.ids());
        String told = viewer.all.get(0).encode();
        assertTrue(told.contains("\"type\":\"capped\"") && told.contains("0.001"), told);
      }
    }
  }

  private static JsonArray links(GalopNode node) throws Exception {
    return new JsonObject(get(node, "/status")).getJsonArray("links");
  }

  private void aNewFilterHasItsValuesAndThePast(GalopNode inside, GalopNode relay, Viewer first)
      throws Exception {
    int before = published;
    Viewer second = new Viewer(relay, "a/+", snapshot());
    await("all last values come", () -> second.ids().size() == TOPICS);
    publish(inside, 2 * TOPICS);
    await("and the feed", () -> second.ids().size() == 3 * TOPICS);
    assertEquals(3 * TOPICS, second.ids().stream().distinct().count());
    await("the first viewer too", () -> first.ids().equals(ids(7, 100)));
    // Of the time before the relay was sent a/8: it was never here, and is fetched.
    Viewer whole = new Viewer(relay, "a/8", snapshot());
    await("a/8 is shown", () -> whole.ids().size() == 1);
    String position = second.positionOf(before - TOPICS + 8);
    Viewer behind = new Viewer(relay, "a/8", since(position.replaceAll("-.*", "-1")));
    await("it is answered", () -> behind.isTold(true));
    await("what was left out is fetched", () -> behind.ids().containsAll(ids(8, 100)));
    whole.leave();
    second.leave();
  }

  private void cutAndHeal(LinkTap tap, GalopNode inside, Viewer first) throws Exception {
    tap.cut(true);
    publish(inside, 200);
    await("viewers are told", () -> first.all.stream().anyMatch(m -> isOf(m, "stale")));
    tap.cut(false);
    await("all of it comes after all", () -> first.ids().equals(ids(7, 100)));
    publish(inside, 200);
    await("and more", () -> first.ids().equals(ids(7, 100)));
    assertFalse(first.isTold(false), "a cut is no gap where the owner's ring holds");
  }

  private static boolean isOf(JsonObject message, String type) {
    return message.getString("type").equals(type);
  }

  @Test
  void beyondTheBoundEverythingIsSent() throws Exception {
    try (GalopNode inside = inside(relayPort, true);
        GalopNode relay = relay("broadcast.interest=watched", "broadcast.interestMaxFilters=2")) {
      awaitReady(relay);
      List<Viewer> viewers = new ArrayList<>();
      publish(inside, TOPICS);
      for (int topic = 0; topic < 4; topic++) {
        viewers.add(new Viewer(relay, "a/" + topic, snapshot()));
      }
      await("it says so", () -> meter(relay, "galop_broadcast_wanted_everything") == 1);
      for (int topic = 0; topic < 4; topic++) {
        List<String> wanted = List.of("r" + topic);
        Viewer viewer = viewers.get(topic);
        await("last values come", () -> viewer.ids().equals(wanted));
      }
      publish(inside, 2 * TOPICS);
      for (int topic = 0; topic < 4; topic++) {
        List<String> wanted = ids(topic, 0);
        Viewer viewer = viewers.get(topic);
        await("the feed comes", () -> viewer.ids().equals(wanted));
      }
      assertEquals(-1, links(inside).getJsonObject(0).getInteger("wantedFilters"));
    }
  }

  @Test
  void aRelayThatMayNotAskIsSentAll() throws Exception {
    try (GalopNode inside = inside(relayPort, false);
        GalopNode relay = relay("broadcast.interest=watched")) {
      awaitReady(relay);
      publish(inside, TOPICS);
      Viewer viewer = new Viewer(relay, "a/7", snapshot());
      await("the last value comes", () -> viewer.ids().equals(ids(7, 0)));
      publish(inside, 2 * TOPICS);
      await("the feed comes", () -> viewer.ids().equals(ids(7, 0)));
      assertEquals(3 * TOPICS, meter(relay, "galop_link_records_total"));
      assertFalse(links(relay).getJsonObject(0).getBoolean("watchedOnly"));
    }
  }

  /**
   * Prints the figure of docs/performance.md: 1 of 100 topics, at 10,000 records of 290 bytes.
   * Signs of life take their part by time, so a slow machine is allowed more.
   */
  @Test
  void onePercentOfTheTopicsIsAboutOnePercentOfTheBytes() throws Exception {
    long all = bytesWith("all");
    long watched = bytesWith("watched");
    System.out.printf(
        "interest: %,d bytes with all, %,d with what is watched: %.2f %%%n",
        all, watched, 100.0 * watched / all);
    assertTrue(watched * 20 <= all, watched + " of " + all);
  }

  private long bytesWith(String interest) throws Exception {
    try (GalopNode inside = inside(relayPort, true);
        GalopNode relay = relay("broadcast.interest=" + interest)) {
      awaitReady(relay);
      Viewer viewer = new Viewer(relay, "a/7", snapshot());
      publish(inside, TOPICS);
      await("the feed comes", () -> viewer.ids().size() == 1);
      long before = meter(relay, "galop_link_received_bytes_total");
      for (int i = 0; i < 20; i++) {
        publish(inside, 500);
      }
      await("the feed comes", () -> viewer.ids().size() == 101);
      return meter(relay, "galop_link_received_bytes_total") - before;
    }
  }
}
