package io.galop;

import static io.galop.RelayNodes.HTTP;
import static io.galop.RelayNodes.await;
import static io.galop.RelayNodes.awaitReady;
import static io.galop.RelayNodes.get;
import static io.galop.RelayNodes.since;
import static io.galop.RelayNodes.snapshot;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.servers.Ports;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A relay that may ask nothing serves what it is sent, and says so of the rest. */
@Tag("slow")
@Timeout(240)
class UnaskedRelayTest {
  /** Alive, hello, answer and refusal; 4 would be a question. */
  private static final Set<Integer> NO_QUESTIONS = Set.of(1, 2, 5, 6);

  @TempDir Path directory;
  private final String cluster = "test-" + System.nanoTime();
  private final int first = Ports.free();
  private final int second = Ports.free();
  private final int relayPort = Ports.free();
  private RelayNodes nodes;

  @BeforeEach
  void begin() {
    nodes = new RelayNodes(directory, 40, "");
  }

  private static String dialling(int port) {
    return "relays=[{host: 127.0.0.1, port: %d, insecure: true, questions: false}]".formatted(port);
  }

  private GalopNode member(String name, int port, int tap) {
    return nodes.start(
        name,
        "node.roles=[ingest, enrich, persist]",
        "cluster.members=['127.0.0.1:" + first + "', '127.0.0.1:" + second + "']",
        "cluster.name=" + cluster,
        "cluster.port=" + port,
        "cluster.busPort=0",
        "persist.ack=replica",
        dialling(tap));
  }

  private GalopNode relay() {
    return nodes.relay("relay", relayPort);
  }

  private static final class Watching extends FeedViewer {
    private Watching(GalopNode relay) throws Exception {
      super(HTTP, relay);
    }

    static Watching on(GalopNode relay, JsonObject headers) throws Exception {
      Watching watching = new Watching(relay);
      watching.say("register", "a/#", headers);
      return watching;
    }

    /** All from one number on, in whatever order of topics, and each once. */
    boolean hasFrom(int from, int to) {
      List<String> ids = ids();
      for (int n = from; n < to; n++) {
        String id = "r" + n;
        if (ids.stream().filter(id::equals).count() != 1) {
          return false;
        }
      }
      return true;
    }
  }

  @Test
  void itIsSentTheFeedAndOnlyAcknowledges() throws Exception {
    try (LinkTap tap = new LinkTap(relayPort);
        GalopNode inside = nodes.start("inside", dialling(tap.port()))) {
      nodes.publish(inside, 80);
      try (GalopNode relay = relay()) {
        awaitReady(relay);
        Watching viewer = Watching.on(relay, snapshot());
        await("last values come", () -> viewer.hasFrom(40, 80));
        nodes.publish(inside, 100);
        await("the feed comes", () -> viewer.hasFrom(80, nodes.published()));
        HttpResponse<String> past = get(relay, "http", "/history/a/1");
        assertEquals(503, past.statusCode());
        assertTrue(past.body().contains("may ask for none"), past.body());
        // Before what the relay was ever sent: told, not silently less.
        String early = viewer.positionOf("r40");
        Watching behind = Watching.on(relay, since(before(early)));
        await("it is told that it is incomplete", () -> behind.isTold(false));
        Watching near = Watching.on(relay, since(viewer.positionOf("r100")));
        await("what is in the ring is given", () -> near.isTold(true) || near.isTold(false));
        cutAndHeal(tap, inside, viewer);
        assertFalse(viewer.isTold(false), "a cut is no gap where the ring of the owner holds");
      }
      try (GalopNode again = relay()) {
        awaitReady(again);
        Watching viewer = Watching.on(again, snapshot());
        int from = nodes.published() - 40;
        await(
            "a relay that was started again has last values",
            () -> viewer.hasFrom(from, nodes.published()));
        nodes.publish(inside, 10);
        await("and goes on", () -> viewer.hasFrom(from, nodes.published()));
      }
      assertTrue(NO_QUESTIONS.containsAll(tap.said()), "it said " + tap.said());
      assertTrue(tap.said().contains(5), "" + tap.said());
    }
  }

  private static String before(String position) {
    int dash = position.indexOf('-');
    return position.substring(0, dash + 1) + "1";
  }

  private void cutAndHeal(LinkTap tap, GalopNode inside, Watching viewer) throws Exception {
    int from = nodes.published();
    tap.cut(true);
    nodes.publish(inside, 100);
    await("viewers are told", () -> viewer.all.stream().anyMatch(m -> isOf(m, "stale")));
    tap.cut(false);
    await("all of it comes after all", () -> viewer.hasFrom(from, nodes.published()));
    await("it is fresh", () -> viewer.all.stream().anyMatch(m -> isOf(m, "fresh")));
  }

  private static boolean isOf(JsonObject message, String type) {
    return message.getString("type").equals(type);
  }

  /** Each shard comes from its owner; where another takes it, viewers have all or are told. */
  @Test
  void theNextOwnerBringsAShard() throws Exception {
    try (LinkTap tap = new LinkTap(relayPort);
        GalopNode a = member("a", first, tap.port());
        GalopNode relay = relay()) {
      awaitReady(relay);
      Watching viewer = Watching.on(relay, snapshot());
      try (GalopNode b = member("b", second, tap.port())) {
        await("it is published", () -> isPublished(b));
        allOrTold(viewer);
      }
      try (GalopNode b = member("b", second, tap.port())) {
        await("it is published", () -> isPublished(a));
        allOrTold(viewer);
      }
      assertTrue(NO_QUESTIONS.containsAll(tap.said()), "it said " + tap.said());
    }
  }

  private void allOrTold(Watching viewer) throws Exception {
    int to = nodes.published();
    await("the newest of each topic comes", () -> lastValues(viewer, to));
    assertTrue(viewer.hasFrom(0, to) || viewer.isTold(false), "silently less");
  }

  private static boolean lastValues(Watching viewer, int to) {
    Set<String> ids = Set.copyOf(viewer.ids());
    for (int n = to - 40; n < to; n++) {
      if (!ids.contains("r" + n)) {
        return false;
      }
    }
    return true;
  }

  private boolean isPublished(GalopNode by) throws Exception {
    try {
      nodes.publish(by, 80);
      return true;
    } catch (AssertionError notYet) {
      return false;
    }
  }
}
