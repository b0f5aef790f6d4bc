package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.broadcast.edge.TestTokens;
import io.galop.cli.certificates.TrialAuthority;
import io.galop.cli.certificates.TrialAuthority.Wanted;
import io.galop.servers.Ports;
import io.galop.servers.StoreProxy;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Relays that two storing nodes dial: each link, owner and relay fails in turn, and nobody who
 * watches is silently wrong.
 */
@Timeout(420)
class RelayIT {
  private static final String INSIDE = "ingest,enrich,persist";
  private static final int SHARDS = 16;
  private static final List<String> TWO_COPIES = List.of("--set", "persist.ack=replica");

  @TempDir static Path keys;
  @TempDir Path directory;
  private static Relays relays;
  private final Witnesses witnesses = new Witnesses();

  @BeforeAll
  static void sign() throws Exception {
    relays = Relays.signedIn(keys);
  }

  private GalopProcess relay(String name, int port) {
    List<String> args = new ArrayList<>(relays.relay("127.0.0.1", port));
    args.addAll(List.of("--set", "node.name=" + name));
    // So that it is the cut of a link that is told, and no owner's silence.
    args.addAll(List.of("--set", "broadcast.staleAfterMs=600000"));
    return GalopProcess.run(directory.resolve(name), List.of(), args);
  }

  private static void awaitTold(String word, Viewer viewer, Runnable fault) {
    int before = viewer.all(word).size();
    fault.run();
    Await.until("viewers are told " + word, 120, () -> viewer.all(word).size() > before);
  }

  @Test
  void whateverFailsNobodyOnARelayMissesAnything() throws Exception {
    int onePort = Ports.free();
    int twoPort = Ports.free();
    try (StoreProxy linkOfA = new StoreProxy(onePort);
        StoreProxy linkOfB = new StoreProxy(onePort);
        GalopProcess one = relay("one", onePort);
        GalopProcess two = relay("two", twoPort);
        Nodes nodes = new Nodes(directory, List.of("a", "b"), TWO_COPIES)) {
      assertFalse(Nodes.isReady(one), "nobody brings it a feed");
      GalopProcess a = nodes.start("a", INSIDE, relays.dialling(linkOfA.port(), twoPort));
      GalopProcess b = nodes.start("b", INSIDE, relays.dialling(linkOfB.port(), twoPort));
      for (GalopProcess relay : List.of(one, two)) {
        Relays.awaitLinked(relay, "a", "b");
        Nodes.awaitReady(relay);
      }
      try (Viewer socket = witnesses.watch(one, "websocket");
          Viewer poll = witnesses.watch(one, "xhr-polling");
          Curl stream = new Curl(one.http("/stream/a/%23?since="));
          Counting moves = Counting.on(one)) {
        witnesses.add(stream::ids);
        witnesses.allSee(a);
        cutEachLink(one, a, b, linkOfA, linkOfB);
        freezeLinks(one, a, socket, linkOfA, linkOfB);
        b = loseOwner(nodes, one, a, b, socket, relays.dialling(linkOfB.port(), twoPort));
        Relays.awaitLinked(one, "a", "b");
        freezeRelay(one, a);
        assertEquals(0, poll.all("close").size() + socket.all("close").size(), "none was dropped");
        loseRelay(one, two, a, moves, onePort);
      }
      for (GalopProcess each : List.of(a, b, one, two)) {
        assertFalse(
            each.complaints().contains("\tat io.galop"), "no stack traces:\n" + each.text());
      }
    }
  }

  /** Shards of a node whose link is cut come over the other's. */
  private void cutEachLink(
      GalopProcess relay, GalopProcess a, GalopProcess b, StoreProxy ofA, StoreProxy ofB) {
    ofA.cut(true);
    Relays.awaitLinked(relay, "b");
    witnesses.allSee(b);
    ofA.pass();
    Relays.awaitLinked(relay, "a", "b");
    ofB.cut(true);
    Relays.awaitLinked(relay, "a");
    witnesses.allSee(a);
    ofB.pass();
    Relays.awaitLinked(relay, "a", "b");
    witnesses.allSee(b);
  }

  /** Nothing is closed, and nothing comes. */
  private void freezeLinks(
      GalopProcess relay, GalopProcess by, Viewer viewer, StoreProxy ofA, StoreProxy ofB) {
    awaitTold(
        "stale",
        viewer,
        () -> {
          ofA.blackHole();
          ofB.blackHole();
        });
    Await.until("it is published", 120, () -> witnesses.isPublished(by));
    awaitTold(
        "fresh",
        viewer,
        () -> {
          ofA.pass();
          ofB.pass();
        });
    Relays.awaitLinked(relay, "a", "b");
    witnesses.allSee(by);
  }

  private GalopProcess loseOwner(
      Nodes nodes,
      GalopProcess relay,
      GalopProcess a,
      GalopProcess b,
      Viewer viewer,
      String[] dialling) {
    awaitTold("stale", viewer, b::freeze);
    b.thaw();
    witnesses.allSee(a);
    kill(b);
    // It may be so fast that nobody is told. Nothing is acknowledged before there are two again.
    Await.until("the other owns all", 120, () -> owned(a) == SHARDS);
    Nodes.awaitReady(relay);
    GalopProcess again = nodes.start("b", INSIDE, dialling);
    witnesses.allSee(again);
    return again;
  }

  private static int owned(GalopProcess node) throws Exception {
    String status = Stored.get(node.management("/status")).body();
    return new JsonObject(status).getJsonObject("shards").getInteger("owned");
  }

  private static void kill(GalopProcess node) {
    try {
      node.kill();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void freezeRelay(GalopProcess relay, GalopProcess by) {
    relay.freeze();
    Await.until("it is given up", 120, () -> !Relays.linked(by).contains("one"));
    Await.until("it is published", 120, () -> witnesses.isPublished(by));
    relay.thaw();
    witnesses.allSee(by);
  }

  /** Whoever was there goes on at the other relay; a new one gets last values where it was. */
  private void loseRelay(
      GalopProcess one, GalopProcess two, GalopProcess by, Counting moves, int port)
      throws Exception {
    witnesses.dismiss();
    kill(one);
    witnesses.allSee(by);
    moves.comeTo(two);
    Await.until(
        "nothing is missing", 120, () -> moves.missing(witnesses.counted().ids().size()).isEmpty());
    assertEquals(0, moves.count("resumed false"), moves.toString());
    try (GalopProcess again = relay("one", port)) {
      Nodes.awaitReady(again);
      try (Viewer late = Viewer.on(again.http("/live"), "websocket", "a/#", "--snapshot")) {
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
          Stored.history(again.http("/history/a/%23?limit=10000")).size(),
          "the past comes through the border too");
    }
  }

  @Test
  void strangersAreRefusedInWords() throws Exception {
    TrialAuthority theirs = TrialAuthority.in(keys.resolve("theirs"));
    theirs.sign(new Wanted("client", "stranger", List.of(), 0, 90));
    int port = Ports.free();
    try (GalopProcess relay = relay("relay", port);
        GalopProcess stranger = dial(relays.dialling("localhost", theirs, port), List.of())) {
      Await.until(
          "the relay says why",
          120,
          () ->
              relay
                  .text()
                  .contains(
                      "its certificate is of an authority that is not in"
                          + " broadcast.link.tls.clientCa"));
      Await.until(
          "so does who has dialled",
          120,
          () -> stranger.text().contains("relay localhost:" + port + ": no link: "));
      assertTrue(Nodes.isReady(stranger), "it serves its own");
      stranger.close();
      try (Socket clear = new Socket("127.0.0.1", port)) {
        clear
            .getOutputStream()
            .write("GET /link HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.UTF_8));
        assertEquals(0, answer(clear), "not a word in clear text");
      }
      try (GalopProcess other = dial(relays.dialling(port), List.of("--set", "node.shards=8"))) {
        Await.until(
            "another number of shards is refused",
            120,
            () -> relay.text().contains("node.shards is 8 there and 16 here: make them equal"));
        Await.until("on both sides", 120, () -> other.text().contains("node.shards is"));
      }
      assertFalse(Nodes.isReady(relay));
      try (GalopProcess right = dial(relays.dialling(port), List.of())) {
        Nodes.awaitReady(relay);
        Relays.awaitLinked(right, "relay");
      }
      assertFalse(relay.complaints().contains("\tat io.galop"), relay.text());
    }
  }

  /** The feed, and who is sent away, without a question to the secure zone. */
  @Test
  void aRelayMayAskNothing() throws Exception {
    int port = Ports.free();
    TestTokens issuer = TestTokens.of("ES256", keys);
    String token = issuer.sign(TestTokens.claims("anna", 3600, "#").put("iat", 1_700_000_000));
    List<String> args = new ArrayList<>(relays.relay("127.0.0.1", port));
    issuer.settings().forEach(set -> args.addAll(List.of("--set", set)));
    String[] dialling = relays.dialling(port);
    dialling[1] = dialling[1].replace("tls: {", "questions: false, tls: {");
    try (GalopProcess inside = dial(dialling, List.of());
        GalopProcess relay = GalopProcess.run(directory.resolve("quiet"), List.of(), args)) {
      Nodes.awaitReady(relay);
      String query = "?since=&token=" + token;
      try (Curl stream = new Curl(relay.http("/stream/a/%23" + query))) {
        witnesses.add(stream::ids);
        witnesses.allSee(inside);
        HttpResponse<String> past = history(relay, token);
        assertEquals(503, past.statusCode());
        assertTrue(past.body().contains("may ask for none"), past.body());
        HttpResponse<String> told =
            Stored.post(
                inside.management("/viewers/disconnect"),
                "application/json",
                "{\"subject\":\"anna\"}");
        assertEquals(200, told.statusCode(), told.body());
        JsonArray named = new JsonObject(told.body()).getJsonArray("relays");
        assertEquals(1, named.getJsonObject(0).getInteger("ended"), told.body());
        Await.until("curl is sent away", 60, () -> !stream.isAlive());
      }
      assertEquals(401, Stored.get(relay.http("/stream/a/%23" + query)).statusCode());
      assertFalse(relay.complaints().contains("\tat io.galop"), relay.text());
      assertFalse(inside.complaints().contains("\tat io.galop"), inside.text());
    }
  }

  private static HttpResponse<String> history(GalopProcess node, String token) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(node.http("/history/a/1"))
            .header("Authorization", "Bearer " + token);
    return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
  }

  /** How many bytes come that are no alert of TLS. */
  private static long answer(Socket socket) throws Exception {
    byte[] all = socket.getInputStream().readAllBytes();
    return all.length > 0 && all[0] == 0x15 ? 0 : all.length;
  }

  private GalopProcess dial(String[] dialling, List<String> more) {
    List<String> args = new ArrayList<>(List.of(dialling));
    args.addAll(more);
    return GalopProcess.run(directory.resolve("node" + System.nanoTime()), List.of(), args);
  }
}
