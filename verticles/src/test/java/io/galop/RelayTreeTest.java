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

import io.galop.broadcast.edge.TestTokens;
import io.galop.servers.Ports;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Relays behind relays: all promises hold at the leaves, whatever fails on the way to them. */
@Tag("slow")
@Timeout(240)
class RelayTreeTest {
  private static final int TOPICS = 20;

  @TempDir Path directory;
  private final int leafPort = Ports.free();
  private RelayNodes nodes;

  @BeforeEach
  void begin() {
    nodes = new RelayNodes(directory, TOPICS, "");
  }

  private static String dialling(int... ports) {
    List<String> all =
        IntStream.of(ports)
            .mapToObj("{host: 127.0.0.1, port: %d, insecure: true}"::formatted)
            .toList();
    return "relays=[" + String.join(", ", all) + "]";
  }

  private GalopNode inside(int... ports) {
    return nodes.start("inside", dialling(ports));
  }

  private GalopNode leaf(String... more) {
    return nodes.relay("leaf", leafPort, more);
  }

  private static final class Viewer extends FeedViewer {
    Viewer(GalopNode relay, String filter, JsonObject headers) throws Exception {
      super(HTTP, relay);
      say("register", filter, headers);
    }

    boolean isToldOf(String type) {
      return all.stream().anyMatch(one -> one.getString("type").equals(type));
    }
  }

  /** In order by topic, each once: shards come in no order between them. */
  private void assertWhole(Viewer viewer, int from) {
    assertEquals(nodes.published() - from, viewer.ids().size());
    for (int topic = 0; topic < TOPICS; topic++) {
      int one = topic;
      List<String> shown =
          viewer.ids().stream()
              .filter(id -> Integer.parseInt(id.substring(1)) % TOPICS == one)
              .toList();
      assertEquals(nodes.ids(topic, from), shown);
    }
  }

  @Test
  void aLeafShowsWhatIsPublishedAndAsksForThePast() throws Exception {
    int middlePort = Ports.free();
    try (GalopNode inside = inside(middlePort);
        GalopNode middle = nodes.relay("middle", middlePort, dialling(leafPort))) {
      nodes.publish(inside, 3 * TOPICS);
      try (GalopNode leaf = leaf()) {
        awaitReady(leaf);
        Viewer viewer = new Viewer(leaf, "a/#", snapshot());
        await("all last values come", () -> viewer.ids().size() == TOPICS);
        nodes.publish(inside, 10 * TOPICS);
        await("the feed comes", () -> viewer.ids().containsAll(nodes.ids(2 * TOPICS)));
        assertWhole(viewer, 2 * TOPICS);
        String first = viewer.positionOf("r" + (2 * TOPICS + 8)).replaceAll("-.*", "-1");
        Viewer behind = new Viewer(leaf, "a/8", since(first));
        await("what was before the leaf came is fetched", () -> !behind.ids().isEmpty());
        await("all of it", () -> behind.ids().containsAll(nodes.ids(8, TOPICS)));
        String past = get(leaf, "http", "/history/a/7?limit=1000").body();
        assertEquals(13, new JsonArray(past).size(), past);
        presence(inside, middle, leaf);
        assertEquals(16, meter(middle, "galop_link_followers"), "a leaf, by shard");
        String metrics = get(middle, "management", "/metrics").body();
        for (String queue : List.of("push_in_flight_bytes", "followers_dropped_followers_total")) {
          assertTrue(metrics.contains("\ngalop_link_" + queue), queue);
        }
      }
    }
  }

  /** A viewer at each level, and each counts once. */
  private static void presence(GalopNode inside, GalopNode middle, GalopNode leaf)
      throws Exception {
    Viewer there = new Viewer(middle, "x/1", snapshot());
    Viewer here = new Viewer(leaf, "x/1", snapshot());
    await("both count", () -> viewersOfX(inside).getInteger("viewers") == 2);
    assertFalse(viewersOfX(inside).getBoolean("partial"), viewersOfX(inside).encode());
    assertEquals(2, viewersOfX(middle).getInteger("viewers"), "a relay knows those behind it");
    there.leave();
    here.leave();
  }

  private static JsonObject viewersOfX(GalopNode node) throws Exception {
    return new JsonObject(get(node, "management", "/presence?topic=x/1").body());
  }

  @Test
  void aCutOfTheUpperLinkIsToldAtTheLeafAndHeals() throws Exception {
    int middlePort = Ports.free();
    try (LinkTap tap = new LinkTap(middlePort);
        GalopNode inside = inside(tap.port());
        GalopNode middle = nodes.relay("middle", middlePort, dialling(leafPort));
        GalopNode leaf = leaf("broadcast.interest=watched")) {
      awaitReady(leaf);
      nodes.publish(inside, TOPICS);
      Viewer viewer = new Viewer(leaf, "a/7", snapshot());
      await("the last value comes", () -> viewer.ids().equals(nodes.ids(7, 0)));
      nodes.publish(inside, 5 * TOPICS);
      await("the feed comes", () -> viewer.ids().equals(nodes.ids(7, 0)));
      tap.cut(true);
      nodes.publish(inside, 5 * TOPICS);
      await("viewers are told", () -> viewer.isToldOf("stale"));
      tap.cut(false);
      await("all of it comes after all", () -> viewer.ids().equals(nodes.ids(7, 0)));
      assertFalse(viewer.isTold(false), "a cut is no gap where the owner's ring holds");
      long there = meter(middle, "galop_link_left_out_records_total");
      assertTrue(there > 0, "the relay in the middle leaves out what the leaf does not watch");
    }
  }

  @Test
  void aLeafGoesOnByAnotherRelayWithoutAGap() throws Exception {
    int onePort = Ports.free();
    int twoPort = Ports.free();
    try (GalopNode inside = inside(onePort, twoPort);
        GalopNode two = nodes.relay("two", twoPort, dialling(leafPort));
        GalopNode leaf = leaf()) {
      Viewer viewer;
      try (GalopNode one = nodes.relay("one", onePort, dialling(leafPort))) {
        awaitReady(one);
        awaitReady(two);
        awaitReady(leaf);
        await("both dial it", () -> meter(leaf, "galop_link_up") == 2);
        viewer = new Viewer(leaf, "a/#", since(""));
        await("it is live", () -> viewer.isToldOf("live"));
        nodes.publish(inside, 5 * TOPICS);
        await("the feed comes", () -> viewer.ids().containsAll(nodes.ids(0)));
      }
      nodes.publish(inside, 5 * TOPICS);
      await("it goes on", () -> viewer.ids().containsAll(nodes.ids(0)));
      assertWhole(viewer, 0);
      assertFalse(viewer.isToldOf("gap"), "nothing was missing");
    }
  }

  /** The relay in between has no tokens itself, and hands on what it is told. */
  @Test
  void whoIsSentAwayInsideIsSoAtALeaf() throws Exception {
    TestTokens issuer = TestTokens.of("HS256", directory);
    long issued = System.currentTimeMillis() / 1000 - 5;
    String token = issuer.sign(TestTokens.claims("anna", 3600, "#").put("iat", issued));
    int middlePort = Ports.free();
    try (GalopNode inside = inside(middlePort);
        GalopNode middle = nodes.relay("middle", middlePort, dialling(leafPort))) {
      String live = "/live/info?token=" + token;
      try (GalopNode leaf = leaf(issuer.settings().toArray(String[]::new))) {
        awaitReady(leaf);
        assertEquals(200, get(leaf, "http", live).statusCode());
        assertEquals(200, disconnect(inside, "anna"));
        await("the leaf knows", () -> get(leaf, "http", live).statusCode() == 401);
      }
      Files.delete(directory.resolve("leaf").resolve("disconnected-subjects.json"));
      try (GalopNode leaf = leaf(issuer.settings().toArray(String[]::new))) {
        awaitReady(leaf);
        assertEquals(401, get(leaf, "http", live).statusCode(), "told before it is fed");
      }
      assertEquals(1, meter(middle, "galop_broadcast_revoked_subjects"));
    }
  }

  private static int disconnect(GalopNode node, String subject) throws Exception {
    URI uri = URI.create("http://" + node.listeners().get("management") + "/viewers/disconnect");
    String body = new JsonObject().put("subject", subject).encode();
    HttpRequest post = HttpRequest.newBuilder(uri).POST(BodyPublishers.ofString(body)).build();
    return HTTP.send(post, BodyHandlers.ofString()).statusCode();
  }

  /** Else each would hear the other's signs of life, and take the feed for alive. */
  @Test
  void relaysInARingDoNotFeedThemselves() throws Exception {
    int onePort = Ports.free();
    int twoPort = Ports.free();
    try (GalopNode one = nodes.relay("one", onePort, dialling(twoPort));
        GalopNode two = nodes.relay("two", twoPort, dialling(leafPort));
        GalopNode leaf = leaf(dialling(onePort))) {
      Viewer viewer;
      try (GalopNode inside = inside(onePort)) {
        awaitReady(one);
        awaitReady(two);
        awaitReady(leaf);
        viewer = new Viewer(leaf, "a/#", since(""));
        await("it is live", () -> viewer.isToldOf("live"));
        nodes.publish(inside, 2 * TOPICS);
        await("the feed comes", () -> viewer.ids().containsAll(nodes.ids(0)));
        await("the ring is opened", () -> trouble(leaf).contains("is fed by this relay itself"));
      }
      await("viewers are told", () -> viewer.isToldOf("stale"));
      for (GalopNode relay : List.of(one, two, leaf)) {
        await(
            "it is not ready",
            () -> get(relay, "management", "/health/ready/view").statusCode() == 503);
      }
    }
  }

  /** Why a node has no link. */
  private static String trouble(GalopNode node) throws Exception {
    return get(node, "management", "/status").body();
  }

  @Test
  void anOwnerThatComesBackBeginsAnEpochAndNobodyMissesAnything() throws Exception {
    int middlePort = Ports.free();
    try (GalopNode middle = nodes.relay("middle", middlePort, dialling(leafPort));
        GalopNode leaf = leaf()) {
      Viewer viewer;
      try (GalopNode inside = inside(middlePort)) {
        awaitReady(leaf);
        viewer = new Viewer(leaf, "a/#", since(""));
        await("it is live", () -> viewer.isToldOf("live"));
        nodes.publish(inside, 5 * TOPICS);
        await("the feed comes", () -> viewer.ids().containsAll(nodes.ids(0)));
      }
      await("viewers are told", () -> viewer.isToldOf("stale"));
      try (GalopNode inside = inside(middlePort)) {
        awaitReady(leaf);
        nodes.publish(inside, 5 * TOPICS);
        await("it goes on", () -> viewer.ids().containsAll(nodes.ids(0)));
        assertWhole(viewer, 0);
        assertFalse(viewer.isToldOf("gap"), "the owner's Log has all");
      }
    }
  }
}
