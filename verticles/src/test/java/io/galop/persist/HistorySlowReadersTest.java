package io.galop.persist;

import static io.galop.persist.TestNode.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.bus.Bus;
import io.galop.cluster.Cluster;
import io.galop.config.Role;
import io.galop.node.Node;
import io.galop.node.Readiness;
import io.galop.persist.history.HistoryEndpoint;
import io.galop.record.Batch;
import io.galop.record.Record;
import io.galop.record.Topic;
import io.galop.servers.Http1;
import io.galop.socket.Listeners;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.ext.web.Router;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients that ask for much, and read it slowly or not at all. */
@Tag("slow")
@Timeout(180)
class HistorySlowReadersTest {
  private static final String TOPIC = "big/1";
  private static final int RECORDS = 9_000;

  @TempDir Path directory;
  private final TestCluster cluster = new TestCluster(1);
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final List<Socket> sockets = new ArrayList<>();
  private Vertx vertx;
  private TestNode keeper;
  private int port;

  /** There is room for the pages of one answer, and the places of three with 2,000 records. */
  @BeforeEach
  void start() throws Exception {
    vertx = Vertx.vertx();
    Cluster first = cluster.join("n1", "one", Role.PERSIST);
    Cluster second = cluster.join("n2", "two", Role.BROADCAST);
    String[] settings = {"node.shards=1", "persist.history.answerBytes=3200000"};
    keeper = TestNode.start(vertx, first, TestNode.config(directory, settings));
    keeper.awaitReady();
    Bus bus = Bus.open(vertx, second, keeper.node.config().cluster());
    Node asker = new Node(keeper.node.config(), bus, meters, new Readiness(), new Listeners());
    Router router = Router.router(vertx);
    new HistoryEndpoint(asker, Optional.empty(), TestNode.answerBudget(asker)).mount(router);
    port =
        await(
                vertx
                    .createHttpServer(Http1.options().setSendBufferSize(16_384))
                    .requestHandler(router)
                    .listen(0, "127.0.0.1"))
            .actualPort();
    fill();
  }

  private void fill() throws Exception {
    byte[] data = ("{\"n\":1,\"text\":\"" + "x".repeat(1_500) + "\"}").getBytes(UTF_8);
    for (int at = 0; at < RECORDS; at += 500) {
      List<Record> some = new ArrayList<>();
      for (int n = at; n < at + 500; n++) {
        some.add(new Record("" + n, TOPIC, 1_000_000L * n, data));
      }
      await(keeper.bus().persist().send(Batch.unplaced(Topic.shard(TOPIC, 1), some)));
    }
  }

  @AfterEach
  void stop() throws Exception {
    for (Socket socket : sockets) {
      socket.close();
    }
    keeper.stop();
    await(vertx.close());
  }

  /** Asks, and reads the first bytes only. */
  private InputStream ask(String query) throws IOException {
    InputStream answer = anyAnswer(query);
    assertEquals("HTTP/1.0 200", new String(answer.readNBytes(12), UTF_8));
    return answer;
  }

  private InputStream anyAnswer(String query) throws IOException {
    Socket socket = new Socket();
    sockets.add(socket);
    socket.setReceiveBufferSize(4_096);
    socket.setSoTimeout(60_000);
    socket.connect(new InetSocketAddress("127.0.0.1", port));
    String request = "GET /history/big/%23?" + query + " HTTP/1.0\r\nHost: localhost\r\n\r\n";
    socket.getOutputStream().write(request.getBytes(UTF_8));
    return socket.getInputStream();
  }

  /** The rest of an answer, behind its head. */
  private static byte[] rest(InputStream answer, long pauseMs) throws Exception {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    byte[] some = new byte[65_536];
    for (int n = answer.read(some); n >= 0; n = answer.read(some)) {
      all.write(some, 0, n);
      Thread.sleep(pauseMs);
    }
    String text = all.toString(UTF_8);
    return text.substring(text.indexOf("\r\n\r\n") + 4).getBytes(UTF_8);
  }

  private double count(String what) {
    return meters.counter("galop.history.answers." + what).count();
  }

  /** Others get their answers meanwhile, and the slow one gets the same as the quick one. */
  @Test
  void slowReadersLetOthersHaveTheRoomForPages() throws Exception {
    for (String query : List.of("limit=2000", "limit=2000&order=desc", "limit=2000&format=csv")) {
      byte[] quick = rest(ask(query), 0);
      double before = count("set.aside");
      InputStream slow = ask(query);
      InputStream other = ask(query);
      assertArrayEquals(quick, rest(other, 0));
      assertTrue(count("set.aside") > before, query);
      InputStream deaf = ask(query);
      assertArrayEquals(quick, rest(slow, 1));
      assertArrayEquals(quick, rest(deaf, 0));
    }
    assertEquals(0, count("cut"));
    awaitHeld(0);
  }

  private double held() {
    return meters.get("galop.history.answers.held").gauge().value();
  }

  private void awaitHeld(long bytes) throws InterruptedException {
    while (held() != bytes) {
      Thread.sleep(5);
    }
  }

  /** It is not taken for whole; what waits for its place gets it. */
  @Test
  void whoReadsNothingIsCutOffWhenItsPlaceIsWanted() throws Exception {
    InputStream deaf = ask("limit=9000");
    assertTrue(held() > 400_000, "held until it has left");
    String refused = new String(anyAnswer("limit=8000").readAllBytes(), UTF_8);
    assertTrue(refused.startsWith("HTTP/1.0 503"), refused);
    assertTrue(refused.contains("persist.history.answerBytes"), refused);
    assertEquals(0, count("cut"));
    anyAnswer("limit=8000").readAllBytes(); // waits for 15 s again
    rest(ask("limit=8000"), 0);
    assertEquals(1, count("cut"));
    assertThrows(SocketException.class, () -> rest(deaf, 0));
    awaitHeld(0);
  }

  /** An answer that ends its connection too holds its place until it has left. */
  @Test
  void theLastPieceHoldsItsPlaceUntilItHasLeft() throws Exception {
    InputStream small = ask("limit=40"); // in one piece, of which the kernel takes a part
    Thread.sleep(500);
    assertTrue(held() > 0);
    rest(small, 0);
    awaitHeld(0);
    InputStream rows = ask("every=1s&fields=n&limit=9000");
    Thread.sleep(500);
    double held = held();
    byte[] body = rest(rows, 0);
    assertTrue(held > body.length + 300_000, held + " for rows of " + body.length);
    awaitHeld(0);
  }

  /** Rows that were computed hold their place until they have left. */
  @Test
  void rowsComeWhole() throws Exception {
    String query = "every=1s&fields=n&limit=9000";
    byte[] quick = rest(ask(query), 0);
    assertEquals(9_000, new JsonArray(new String(quick, UTF_8)).size());
    Socket head = new Socket("127.0.0.1", port);
    sockets.add(head);
    head.getOutputStream()
        .write(("HEAD /history/big/%23?" + query + " HTTP/1.0\r\n\r\n").getBytes(UTF_8));
    String all = new String(head.getInputStream().readAllBytes(), UTF_8);
    assertTrue(all.contains("content-length: " + quick.length), all);
    assertTrue(all.endsWith("\r\n\r\n"), all);
    awaitHeld(0);
  }

  @Test
  void whoGoesHoldsNothing() throws Exception {
    InputStream deaf = ask("limit=9000");
    Socket waits = new Socket("127.0.0.1", port);
    waits
        .getOutputStream()
        .write(
            "GET /history/big/%23?limit=9000 HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(UTF_8));
    while (count("waited") == 0) {
      Thread.sleep(5);
    }
    waits.close();
    deaf.close();
    awaitHeld(0);
    assertEquals(3, new JsonArray(new String(rest(ask("limit=3"), 0), UTF_8)).size());
  }
}
