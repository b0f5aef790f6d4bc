package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.galop.servers.Ports;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three levels of two processes each, over TLS: two nodes that store, two relays that these dial,
 * and two leaves that the relays dial. One of each level is lost in turn, and nobody who watches a
 * leaf misses anything.
 */
@Timeout(420)
class RelayTreeIT {
  private static final String INSIDE = "ingest,enrich,persist";
  private static final List<String> TWO_COPIES = List.of("--set", "persist.ack=replica");

  @TempDir static Path keys;
  @TempDir Path directory;
  private static Relays relays;
  private final Witnesses witnesses = new Witnesses();
  private final int leafPort = Ports.free();
  private final int otherLeafPort = Ports.free();

  @BeforeAll
  static void sign() throws Exception {
    relays = Relays.signedIn(keys);
  }

  private GalopProcess relay(String name, int port, String... more) {
    List<String> args = new ArrayList<>(relays.relay("127.0.0.1", port));
    args.addAll(List.of("--set", "node.name=" + name));
    args.addAll(List.of(more));
    return GalopProcess.run(directory.resolve(name), List.of(), args);
  }

  private GalopProcess middle(String name, int port) {
    return relay(name, port, relays.dialling(leafPort, otherLeafPort));
  }

  @Test
  void oneOfEachLevelIsLostAndNobodyAtALeafMissesAnything() throws Exception {
    int onePort = Ports.free();
    int twoPort = Ports.free();
    String[] dialling = relays.dialling(onePort, twoPort);
    try (GalopProcess leaf = relay("leaf", leafPort, "--set", "broadcast.interest=watched");
        GalopProcess other = relay("other", otherLeafPort);
        GalopProcess two = middle("two", twoPort);
        Nodes nodes = new Nodes(directory, List.of("a", "b"), TWO_COPIES)) {
      GalopProcess one = middle("one", onePort);
      GalopProcess a = nodes.start("a", INSIDE, dialling);
      GalopProcess b = nodes.start("b", INSIDE, dialling);
      for (GalopProcess each : List.of(leaf, other)) {
        Relays.awaitLinked(each, "one", "two");
        Nodes.awaitReady(each);
      }
      try (Viewer socket = witnesses.watch(leaf, "websocket");
          Viewer poll = witnesses.watch(leaf, "xhr-polling");
          Curl stream = new Curl(leaf.http("/stream/a/%23?since="));
          Counting moves = Counting.on(leaf)) {
        witnesses.add(stream::ids);
        witnesses.allSee(a);
        b.kill();
        b = nodes.start("b", INSIDE, dialling);
        witnesses.allSee(b);
        loseRelay(one, a, leaf);
        one.close();
        one = middle("one", onePort);
        Relays.awaitLinked(leaf, "one", "two");
        witnesses.allSee(a);
        assertEquals(0, poll.all("close").size() + socket.all("close").size(), "none was dropped");
        witnesses.dismiss();
        leaf.kill();
        witnesses.allSee(a);
        moves.comeTo(other);
        Await.until(
            "nothing is missing",
            120,
            () -> moves.missing(witnesses.counted().ids().size()).isEmpty());
        assertEquals(0, moves.count("resumed false"), moves.toString());
      }
      try (Viewer late = Viewer.on(other.http("/live"), "websocket", "a/#", "--snapshot")) {
        Await.until(
            "it has the last value of each topic",
            120,
            () ->
                late.records().stream()
                    .map(Seen::id)
                    .toList()
                    .containsAll(witnesses.counted().newest()));
      }
      assertEquals(
          witnesses.counted().ids().size(),
          Stored.history(other.http("/history/a/%23?limit=10000")).size(),
          "the past comes through both borders");
      for (GalopProcess each : List.of(a, b, one, two, leaf, other)) {
        assertFalse(
            each.complaints().contains("\tat io.galop"), "no stack traces:\n" + each.text());
      }
      one.close();
    }
  }

  /** First it stands still, then it is killed. */
  private void loseRelay(GalopProcess one, GalopProcess by, GalopProcess leaf) throws Exception {
    one.freeze();
    Await.until("it is given up", 120, () -> !Relays.linked(leaf).contains("one"));
    witnesses.allSee(by);
    one.thaw();
    Relays.awaitLinked(leaf, "one", "two");
    witnesses.allSee(by);
    one.kill();
    Await.until("it is missed", 120, () -> !Relays.linked(leaf).contains("one"));
    witnesses.allSee(by);
  }
}
