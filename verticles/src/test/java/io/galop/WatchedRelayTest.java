package io.galop;

import static io.galop.RelayNodes.HTTP;
import static io.galop.RelayNodes.await;
import static io.galop.RelayNodes.awaitReady;
import static io.galop.RelayNodes.get;
import static io.galop.RelayNodes.meter;
import static io.galop.RelayNodes.since;
import static io.galop.RelayNodes.snapshot;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.servers.Ports;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A relay that is sent what its viewers watch: all of that, or it says so; and little else. */
@Tag("slow")
@Timeout(240)
class WatchedRelayTest {
  private static final int TOPICS = 100;
  private static final String FILLER = "x".repeat(200);

  @TempDir Path directory;
  private final int relayPort = Ports.free();
  private RelayNodes nodes;

  @BeforeEach
  void begin() {
    nodes = new RelayNodes(directory, TOPICS, FILLER);
  }

  private GalopNode inside(int port, boolean questions) {
    String relay = "relays=[{host: 127.0.0.1, port: %d, insecure: true, questions: %b}]";
    return nodes.start("inside", relay.formatted(port, questions));
  }

  private GalopNode relay(String... more) {
    return nodes.relay("relay", relayPort, more);
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

  @Test
  void viewersHaveWhatTheyWatchAndTheRelayLittleElse() throws Exception {
    try (LinkTap tap = new LinkTap(relayPort);
        GalopNode inside = inside(tap.port(), true)) {
      nodes.publish(inside, 2 * TOPICS);
      try (GalopNode relay = relay("broadcast.interest=watched")) {
        awaitReady(relay);
        assertEquals(0, meter(relay, "galop_link_records_total"), "nobody watches");
        Viewer first = new Viewer(relay, "a/7", snapshot());
        await("the last value comes", () -> first.ids().equals(List.of("r107")));
        nodes.publish(inside, 500);
        await("the feed comes", () -> first.ids().equals(nodes.ids(7, 100)));
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
      nodes.publish(inside, 2 * TOPICS);
      try (GalopNode relay = relay("broadcast.caps=[{topics: a/#, maxRate: 0.001}]")) {
        awaitReady(relay);
        Viewer viewer = new Viewer(relay, "a/7", snapshot());
        await("the last value comes", () -> viewer.ids().equals(List.of("r107")));
        nodes.publish(inside, 5 * TOPICS);
        String conflated = "galop_broadcast_conflated_total";
        await("the newest waits", () -> meter(relay, conflated) == 4);
        assertEquals(List.of("r107"), viewer.ids());
        String told = viewer.all.get(0).encode();
        assertTrue(told.contains("\"type\":\"capped\"") && told.contains("0.001"), told);
      }
    }
  }

  private static JsonArray links(GalopNode node) throws Exception {
    return new JsonObject(get(node, "management", "/status").body()).getJsonArray("links");
  }

  private void aNewFilterHasItsValuesAndThePast(GalopNode inside, GalopNode relay, Viewer first)
      throws Exception {
    int before = nodes.published();
    Viewer second = new Viewer(relay, "a/+", snapshot());
    await("all last values come", () -> second.ids().size() == TOPICS);
    nodes.publish(inside, 2 * TOPICS);
    await("and the feed", () -> second.ids().size() == 3 * TOPICS);
    assertEquals(3 * TOPICS, second.ids().stream().distinct().count());
    await("the first viewer too", () -> first.ids().equals(nodes.ids(7, 100)));
    // Of the time before the relay was sent a/8: it was never here, and is fetched.
    Viewer whole = new Viewer(relay, "a/8", snapshot());
    await("a/8 is shown", () -> whole.ids().size() == 1);
    String position = second.positionOf(before - TOPICS + 8);
    Viewer behind = new Viewer(relay, "a/8", since(position.replaceAll("-.*", "-1")));
    await("it is answered", () -> behind.isTold(true));
    await("what was left out is fetched", () -> behind.ids().containsAll(nodes.ids(8, 100)));
    whole.leave();
    second.leave();
  }

  private void cutAndHeal(LinkTap tap, GalopNode inside, Viewer first) throws Exception {
    tap.cut(true);
    nodes.publish(inside, 200);
    await("viewers are told", () -> first.all.stream().anyMatch(m -> isOf(m, "stale")));
    tap.cut(false);
    await("all of it comes after all", () -> first.ids().equals(nodes.ids(7, 100)));
    nodes.publish(inside, 200);
    await("and more", () -> first.ids().equals(nodes.ids(7, 100)));
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
      nodes.publish(inside, TOPICS);
      for (int topic = 0; topic < 4; topic++) {
        viewers.add(new Viewer(relay, "a/" + topic, snapshot()));
      }
      await("it says so", () -> meter(relay, "galop_broadcast_wanted_everything") == 1);
      for (int topic = 0; topic < 4; topic++) {
        List<String> wanted = List.of("r" + topic);
        Viewer viewer = viewers.get(topic);
        await("last values come", () -> viewer.ids().equals(wanted));
      }
      nodes.publish(inside, 2 * TOPICS);
      for (int topic = 0; topic < 4; topic++) {
        List<String> wanted = nodes.ids(topic, 0);
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
      nodes.publish(inside, TOPICS);
      Viewer viewer = new Viewer(relay, "a/7", snapshot());
      await("the last value comes", () -> viewer.ids().equals(nodes.ids(7, 0)));
      nodes.publish(inside, 2 * TOPICS);
      await("the feed comes", () -> viewer.ids().equals(nodes.ids(7, 0)));
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
      nodes.publish(inside, TOPICS);
      await("the feed comes", () -> viewer.ids().size() == 1);
      long before = meter(relay, "galop_link_received_bytes_total");
      for (int i = 0; i < 20; i++) {
        nodes.publish(inside, 500);
      }
      await("the feed comes", () -> viewer.ids().size() == 101);
      return meter(relay, "galop_link_received_bytes_total") - before;
    }
  }
}
