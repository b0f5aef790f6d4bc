package io.galop.cli.publish;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.bus.BridgeServer;
import io.galop.bus.Bus;
import io.galop.bus.PublishLane;
import io.galop.bus.Refusal;
import io.galop.cli.TestConsole;
import io.galop.cluster.LocalCluster;
import io.galop.config.ConfigLoader;
import io.galop.config.Role;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Against the real bridge, with a door behind it that says what the test wants. */
@Timeout(180)
class PublishCommandTest {
  private final Vertx vertx = Vertx.vertx();
  private final List<JsonObject> taken = new CopyOnWriteArrayList<>();
  private Function<List<JsonObject>, Future<JsonObject>> door = this::acceptAll;
  private PublishLane lane;
  private MessageConsumer<?> consumer;
  private BridgeServer bridge;

  @BeforeEach
  void open() {
    LocalCluster alone = new LocalCluster("n", Set.of(Role.values()), 4);
    Bus bus = Bus.open(vertx, alone, ConfigLoader.defaults().cluster());
    lane = bus.publish();
    consumer = lane.onBridged(this::answer);
    bridge = BridgeServer.open(vertx, 0, session -> "").await();
  }

  @AfterEach
  void close() {
    vertx.close().await();
  }

  private Future<JsonObject> answer(JsonObject message) {
    List<JsonObject> lines =
        message.getString("lines").lines().map(JsonObject::new).collect(Collectors.toList());
    taken.addAll(lines);
    return door.apply(lines);
  }

  private Future<JsonObject> acceptAll(List<JsonObject> lines) {
    return Future.succeededFuture(
        new JsonObject().put("accepted", lines.size()).put("rejected", new JsonArray()));
  }

  private String address() {
    return "127.0.0.1:" + bridge.port();
  }

  @Test
  void publishesOneRecord() {
    TestConsole console = new TestConsole();
    assertEquals(
        0,
        console.run("publish", "a/b", "{\n\"x\": 1.50}", "--id", "i1", "--bridge", address()),
        console.err());
    assertEquals(
        List.of(new JsonObject("{\"topic\":\"a/b\",\"id\":\"i1\",\"data\":{\"x\":1.50}}")), taken);
    assertEquals(List.of("acknowledged 1"), console.outLines());
  }

  @Test
  void publishesEveryLineOfStandardInput() {
    String input =
        IntStream.rangeClosed(1, 3_000)
            .mapToObj(i -> "{\"n\":" + i + "}\n")
            .collect(Collectors.joining());
    TestConsole console = new TestConsole(input);
    assertEquals(0, console.run("publish", "t", "--bridge", address()), console.err());
    assertEquals(List.of("acknowledged 3000"), console.outLines());
    assertEquals(
        IntStream.rangeClosed(1, 3_000).boxed().toList(),
        taken.stream().map(line -> line.getJsonObject("data").getInteger("n")).toList());
    assertFalse(taken.get(0).containsKey("id"));
  }

  @Test
  void blankLinesArePassedOver() {
    TestConsole console = new TestConsole("{\"n\":1}\n\n  \t\r\n{\"n\":2}\n ");
    assertEquals(0, console.run("publish", "t", "--bridge", address()), console.err());
    assertEquals(List.of("acknowledged 2"), console.outLines());
  }

  @Test
  void refusedAndMalformedLinesAreNamedByTheirLineOfTheInput() {
    door =
        lines ->
            Future.succeededFuture(
                new JsonObject()
                    .put("accepted", lines.size() - 1)
                    .put(
                        "rejected",
                        new JsonArray()
                            .add(
                                new JsonObject()
                                    .put("line", 2)
                                    .put("reason", "too_deep")
                                    .put("detail", "40 levels"))));
    TestConsole console = new TestConsole("{\"n\":1}\n\nnonsense\n{\"n\":4}\n{\"n\":5}\n");
    assertEquals(1, console.run("publish", "t", "-", "--bridge", address()));
    assertEquals(List.of("acknowledged 2"), console.outLines());
    assertTrue(console.err().contains("line 3 rejected: malformed: "), console.err());
    assertTrue(console.err().contains("line 4 rejected: too_deep: 40 levels"), console.err());
  }

  @Test
  void aDoorThatFailsLeavesLinesUnacknowledged() {
    door = lines -> Future.failedFuture(new Refusal(Refusal.Why.NOT_READY, "out of order"));
    TestConsole console = new TestConsole("{\"n\":1}\n{\"n\":2}\n");
    assertEquals(1, console.run("publish", "t", "-", "--bridge", address()));
    assertEquals(List.of("acknowledged 0"), console.outLines());
    assertTrue(console.err().contains("lines 1 to 2 not acknowledged"), console.err());
    assertTrue(console.err().contains("out of order"), console.err());
  }

  @Test
  void aDoorThatLooksIntoNothingSaysWhy() {
    door =
        lines ->
            Future.succeededFuture(
                new JsonObject().put("accepted", 0).put("error", "the token is wrong"));
    TestConsole console = new TestConsole("{\"n\":1}\n");
    assertEquals(1, console.run("publish", "t", "-", "--bridge", address()));
    assertTrue(
        console.err().contains("lines 1 to 1 not acknowledged: the token is wrong"), console.err());
  }

  @Test
  void aLineCannotBreakOutOfItsEnvelope() {
    TestConsole console = new TestConsole("{\"n\":1},\"topic\":\"$other\"\n");
    assertEquals(1, console.run("publish", "t", "-", "--bridge", address()));
    assertEquals(List.of(), taken);
  }

  @Test
  void withoutABridgeItSaysSo() {
    TestConsole console = new TestConsole();
    assertEquals(1, console.run("publish", "t", "{}", "--bridge", "127.0.0.1:1"));
    assertTrue(console.err().contains("no event-bus bridge at 127.0.0.1:1: "), console.err());
  }

  @Test
  void clusterWithoutMembersIsWrongUsage() {
    TestConsole console = new TestConsole();
    assertEquals(2, console.run("publish", "t", "{}", "--cluster"));
    assertTrue(console.err().contains("cluster.members"), console.err());
  }

  /** In front of the bridge: ends the first connections as soon as they were sent something. */
  private ServerSocket before(int connections) throws IOException {
    ServerSocket front = new ServerSocket(0);
    Thread serving =
        new Thread(
            () -> {
              try {
                for (int i = 0; ; i++) {
                  Socket socket = front.accept();
                  if (i < connections) {
                    socket.getInputStream().read();
                    socket.close();
                  } else {
                    relay(socket);
                  }
                }
              } catch (IOException e) {
                // the test is over
              }
            });
    serving.setDaemon(true);
    serving.start();
    return front;
  }

  private void relay(Socket from) throws IOException {
    Socket to = new Socket("127.0.0.1", bridge.port());
    copying(from, to);
    copying(to, from);
  }

  private static void copying(Socket from, Socket to) {
    Thread copy =
        new Thread(
            () -> {
              try (from;
                  to) {
                from.getInputStream().transferTo(to.getOutputStream());
              } catch (IOException e) {
                // one of both has gone
              }
            });
    copy.setDaemon(true);
    copy.start();
  }

  private static String lines(int count) {
    return IntStream.rangeClosed(1, count)
        .mapToObj(i -> "{\"n\":" + i + "}\n")
        .collect(Collectors.joining());
  }

  @Test
  void aBridgeThatGoesIsTriedAgainAndSentWhatItDidNotAcknowledge() throws IOException {
    TestConsole console = new TestConsole(lines(3_000));
    try (ServerSocket front = before(2)) {
      String to = "127.0.0.1:" + front.getLocalPort();
      assertEquals(0, console.run("publish", "t", "-", "--id", "x", "--bridge", to), console.err());
    }
    assertEquals(List.of("acknowledged 3000"), console.outLines());
    assertEquals(
        IntStream.rangeClosed(1, 3_000).mapToObj(i -> "x:" + i).toList(),
        taken.stream().map(line -> line.getString("id")).toList());
    assertTrue(console.err().contains("; trying again for up to 60 s"), console.err());
    assertTrue(console.err().contains("connected again; batches sent again: "), console.err());
  }

  @Test
  void aNodeThatSaysItIsGoingIsTriedAgain() {
    JsonObject going =
        new JsonObject().put("accepted", 0).put("error", "going").put("reason", "shutdown");
    door =
        lines -> {
          door = this::acceptAll;
          return Future.succeededFuture(going);
        };
    TestConsole console = new TestConsole(lines(2));
    String[] command = {"publish", "t", "-", "--id", "x", "--bridge", address()};
    assertEquals(0, console.run(command), console.err());
    assertEquals(List.of("acknowledged 2"), console.outLines());
    assertTrue(console.err().contains("going; trying again"), console.err());
  }

  /** The door of a node that stops goes before its bridge does. */
  @Test
  void aBridgeWithoutADoorIsTriedAgain() throws Exception {
    consumer.unregister().await();
    TestConsole console = new TestConsole(lines(2));
    String[] command = {"publish", "t", "-", "--id", "x", "--bridge", address()};
    CompletableFuture<Integer> end = CompletableFuture.supplyAsync(() -> console.run(command));
    while (!console.err().contains("trying again") && !end.isDone()) {
      Thread.sleep(10);
    }
    consumer = lane.onBridged(this::answer);
    assertEquals(0, end.get(), console.err());
    assertEquals(List.of("acknowledged 2"), console.outLines());
  }

  @Test
  void aBridgeThatStaysAwayIsGivenUp() throws IOException {
    TestConsole console = new TestConsole(lines(3_000));
    try (ServerSocket front = before(Integer.MAX_VALUE)) {
      String to = "127.0.0.1:" + front.getLocalPort();
      String[] patience = {"--reconnect-seconds", "1"};
      assertEquals(
          1,
          console.run("publish", "t", "-", "--id", "x", "--bridge", to, patience[0], patience[1]));
    }
    assertEquals(List.of("acknowledged 0"), console.outLines());
    assertTrue(console.err().contains("lines 1 to "), console.err());
    assertTrue(console.err().contains("did not come back within 1 s"), console.err());
  }

  /** Takes so many lines of a message, once it has refused the first of all. */
  private void limit(int lines) {
    door =
        first -> {
          door = next -> Future.succeededFuture(overQuota(next.size(), lines));
          JsonObject over = new JsonObject().put("accepted", 0).put("error", "2 records a second");
          return Future.succeededFuture(over.put("retryAfterMs", 1));
        };
  }

  private static JsonObject overQuota(int lines, int taken) {
    JsonArray rejected = new JsonArray();
    for (int line = taken + 1; line <= lines; line++) {
      rejected.add(new JsonObject().put("line", line).put("reason", "over_quota"));
    }
    return new JsonObject()
        .put("accepted", Math.min(lines, taken))
        .put("rejected", rejected)
        .put("retryAfterMs", 1);
  }

  @Test
  void whatAQuotaRefusesIsSentAgainUntilAllIsAcknowledged() {
    limit(200);
    TestConsole console = new TestConsole(lines(1_200));
    String[] command = {"publish", "t", "-", "--id", "x", "--bridge", address()};
    assertEquals(0, console.run(command), console.err());
    assertEquals(List.of("acknowledged 1200"), console.outLines());
    assertEquals(1_200, taken.stream().map(line -> line.getString("id")).distinct().count());
    String said = "over a quota: 2 records a second; waiting, and sending again what is refused";
    assertEquals(1, console.err().split(said, -1).length - 1, console.err());
  }

  @Test
  void aQuotaThatLetsNothingThroughIsGivenUp() {
    limit(0);
    TestConsole console = new TestConsole(lines(2));
    String[] command = {
      "publish", "t", "-", "--id", "x", "--bridge", address(), "--quota-seconds", "1"
    };
    assertEquals(1, console.run(command));
    assertEquals(List.of("acknowledged 0"), console.outLines());
    assertTrue(console.err().contains("lines 1 to 2 not acknowledged: nothing was taken for 1 s"));
  }

  /** What is refused for itself is not sent again, and keeps its number. */
  @Test
  void onlyWhatAQuotaRefusesIsSentAgain() {
    door =
        lines -> {
          door = this::acceptAll;
          JsonObject answer = overQuota(3, 1);
          answer.getJsonArray("rejected").getJsonObject(0).put("reason", "too_deep");
          return Future.succeededFuture(answer);
        };
    TestConsole console = new TestConsole("{\"n\":1}\n\n{\"n\":3}\n{\"n\":4}\n");
    assertEquals(1, console.run("publish", "t", "-", "--id", "x", "--bridge", address()));
    assertEquals(List.of("acknowledged 2"), console.outLines());
    assertTrue(console.err().contains("line 3 rejected: too_deep"), console.err());
    assertEquals(
        List.of("x:1", "x:3", "x:4", "x:4"),
        taken.stream().map(line -> line.getString("id")).toList());
  }

  @Test
  void recordsWithoutIdsAreNotSentTwice() throws IOException {
    TestConsole console = new TestConsole(lines(2));
    try (ServerSocket front = before(1)) {
      String to = "127.0.0.1:" + front.getLocalPort();
      assertEquals(1, console.run("publish", "t", "-", "--bridge", to));
    }
    assertEquals(List.of(), taken);
    assertTrue(console.err().contains("lines 1 to 2 not acknowledged"), console.err());
    assertFalse(console.err().contains("io.galop"), console.err());
  }

  @Test
  void anAnswerWithoutAnAddressIsNoneOfABridge() throws IOException {
    byte[] frame = "{\"type\":\"message\",\"address\":null}".getBytes(StandardCharsets.UTF_8);
    TestConsole console = new TestConsole();
    try (ServerSocket other = new ServerSocket(0)) {
      Thread answering =
          new Thread(
              () -> {
                try (Socket socket = other.accept()) {
                  socket.getInputStream().read();
                  DataOutputStream out = new DataOutputStream(socket.getOutputStream());
                  out.writeInt(frame.length);
                  out.write(frame);
                  out.flush();
                  socket.getInputStream().transferTo(OutputStream.nullOutputStream());
                } catch (IOException e) {
                  // the publisher has gone
                }
              });
      answering.start();
      String to = "127.0.0.1:" + other.getLocalPort();
      assertEquals(1, console.run("publish", "t", "{}", "--bridge", to));
    }
    assertTrue(console.err().contains("not that of an event-bus bridge"), console.err());
  }
}
