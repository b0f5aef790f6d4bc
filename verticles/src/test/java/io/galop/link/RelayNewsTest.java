package io.galop.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.galop.bus.Bus;
import io.galop.bus.LinkFrame;
import io.galop.bus.LinkFrame.Answer;
import io.galop.bus.LinkFrame.Refused;
import io.galop.bus.LinkFrame.Request;
import io.galop.bus.Refusal;
import io.galop.cluster.LocalCluster;
import io.galop.config.ConfigLoader;
import io.galop.config.Role;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A relay counts as told when it has taken all, and is told again until then. */
@Timeout(120)
class RelayNewsTest {
  private static final String RELAY = "relay";
  private static final JsonObject NOBODY = new JsonObject();
  private static final JsonObject ANNA = new JsonObject().put("anna", 1);
  private static final JsonObject EVE = new JsonObject().put("eve", 2);
  private final Vertx vertx = Vertx.vertx();
  private final LocalCluster cluster = new LocalCluster("n", Set.of(Role.values()), 1);
  private final Bus bus = Bus.open(vertx, cluster, ConfigLoader.defaults().cluster());
  private final Context loop = vertx.getOrCreateContext();
  private final LinkCounts counts = new LinkCounts(new SimpleMeterRegistry());
  private final RelayNews news = new RelayNews(bus, counts, true);
  private final BlockingQueue<Order> orders = new LinkedBlockingQueue<>();

  /** Kept: it closes what it has dialled when nobody refers to it any more. */
  private final WebSocketClient dialler = vertx.createWebSocketClient();

  private int port;

  /** What the relay was told, and has not answered. */
  private record Order(ServerWebSocket socket, Request request) {
    JsonObject subjects() {
      return ((JsonObject) request.errand().message()).getJsonObject("subjects");
    }

    void take() {
      say(new Answer(request.id(), new JsonObject().put("fingerprint", 0)));
    }

    void refuse() {
      say(new Refused(request.id(), new Refusal(Refusal.Why.BUSY, "by the test")));
    }

    private void say(LinkFrame frame) {
      socket.writeBinaryMessage(frame.toBuffer());
    }
  }

  @BeforeEach
  void startRelay() throws Exception {
    bus.viewers()
        .onKnown(question -> Future.succeededFuture(new JsonObject().put("subjects", ANNA)));
    HttpServer server = vertx.createHttpServer();
    server.webSocketHandler(socket -> socket.binaryMessageHandler(bytes -> heard(socket, bytes)));
    port = await(server.listen(0, "127.0.0.1")).actualPort();
    onLoop(() -> Future.succeededFuture(vertx.setPeriodic(20, tick -> news.tick())));
  }

  @AfterEach
  void close() throws Exception {
    await(vertx.close());
  }

  private void heard(ServerWebSocket socket, Buffer bytes) {
    if (LinkFrame.of(bytes) instanceof Request request) {
      orders.add(new Order(socket, request));
    }
  }

  private static <T> T await(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  private <T> Future<T> later(Supplier<Future<T>> task) {
    Promise<T> done = Promise.promise();
    loop.runOnContext(now -> task.get().onComplete(done));
    return done.future();
  }

  private <T> T onLoop(Supplier<Future<T>> task) throws Exception {
    return await(later(task));
  }

  private void begin() throws Exception {
    begin(new LinkFrame.Hello(LinkChannel.VERSION, RELAY, "relay", 4, false));
  }

  private void begin(LinkFrame.Hello hello) throws Exception {
    LinkChannel.Peer peer =
        new LinkChannel.Peer() {
          @Override
          public void onFrame(LinkFrame frame) {
            throw new IllegalArgumentException("a relay only answers");
          }

          @Override
          public void onEnd(String why) {
            // The test ends it.
          }
        };
    onLoop(
        () ->
            dialler
                .connect(port, "127.0.0.1", LinkChannel.PATH)
                .onSuccess(socket -> news.begin(new LinkChannel(socket, counts, peer), hello))
                .mapEmpty());
  }

  private void end() throws Exception {
    onLoop(
        () -> {
          news.end();
          return Future.succeededFuture();
        });
  }

  private boolean isTold() throws Exception {
    return onLoop(() -> Future.succeededFuture(news.isTold()));
  }

  private void awaitTold() throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!isTold()) {
      assertFalse(System.nanoTime() > deadline, "it was not told");
      Thread.sleep(10);
    }
  }

  private Future<JsonObject> revoke() {
    return later(() -> news.revoke(new JsonObject().put("subjects", EVE)));
  }

  private Order next(JsonObject subjects) throws Exception {
    Order next = orders.poll(30, TimeUnit.SECONDS);
    assertNotNull(next, "nothing more was told");
    assertEquals(subjects, next.subjects());
    return next;
  }

  private void takeAll() throws Exception {
    next(NOBODY).take();
    assertFalse(isTold(), "before it has taken all");
    next(ANNA).take();
    awaitTold();
  }

  @Test
  void whatWasOrderedWithoutALinkIsToldOverTheNextUntilItIsTaken() throws Exception {
    begin();
    takeAll();
    end();
    assertThrows(Exception.class, () -> await(revoke()));
    begin();
    assertFalse(isTold(), "it was told over the link before");
    next(NOBODY).take();
    next(ANNA).refuse();
    takeAll();
  }

  @Test
  void anOrderThatFailsWhileAllIsToldHasAllToldAgain() throws Exception {
    begin();
    next(NOBODY).take();
    Order page = next(ANNA);
    Future<JsonObject> revoked = revoke();
    next(EVE).refuse();
    assertThrows(Exception.class, () -> await(revoked));
    page.take();
    takeAll();
  }

  private Future<JsonObject> presence() {
    return later(() -> news.presence(new JsonObject().put("subjects", EVE), 1_000));
  }

  /** It would take the question for a fault, and end the link. */
  @Test
  void aRelayOfAnOlderVersionIsNotAskedForItsViewers() throws Exception {
    begin();
    takeAll();
    assertThrows(Exception.class, () -> await(presence()));
    assertNull(orders.poll(), "nothing was asked");
  }

  @Test
  void aRelayThatTellsIsAskedForItsViewersAndNamed() throws Exception {
    begin(new LinkFrame.Hello(LinkChannel.VERSION, RELAY, "relay", 4, false, false, true, false));
    takeAll();
    Future<JsonObject> told = presence();
    Order asked = next(EVE);
    JsonObject lie = new JsonObject().put("viewers", new JsonArray().add(7)).put("id", "another");
    asked.say(new Answer(asked.request.id(), lie));
    JsonObject heard = lie.copy().put("id", RELAY).put("relays", new JsonArray());
    assertEquals(heard, await(told));
    for (int i = 0; i < 4; i++) {
      presence();
      next(EVE);
    }
    assertThrows(Exception.class, () -> await(presence()), "it does not answer those of before");
    assertNull(orders.poll(), "nothing was asked");
    end();
    assertThrows(Exception.class, () -> await(presence()));
  }

  private Future<JsonObject> drill() {
    return later(() -> news.drill(new JsonObject().put("subjects", EVE), 1_000));
  }

  /** It would take the order for a fault, and end the link. */
  @Test
  void aRelayOfAnOlderVersionIsNotToldOfDrills() throws Exception {
    begin();
    takeAll();
    assertThrows(Exception.class, () -> await(drill()));
    assertNull(orders.poll(), "nothing was told");
  }

  @Test
  void aRelayWithDrillsIsToldOfThemAndNamed() throws Exception {
    begin(new LinkFrame.Hello(LinkChannel.VERSION, RELAY, "relay", 4, false, false, false, true));
    takeAll();
    Future<JsonObject> told = drill();
    Order asked = next(EVE);
    JsonObject lie = new JsonObject().put("state", "passed").put("id", "another");
    asked.say(new Answer(asked.request.id(), lie));
    JsonObject heard =
        new JsonObject()
            .put("id", RELAY)
            .put("state", "passed")
            .put("failed", new JsonArray())
            .put("relays", new JsonArray());
    assertEquals(heard, await(told));
    for (int i = 0; i < 16; i++) {
      drill();
      next(EVE);
    }
    assertThrows(Exception.class, () -> await(drill()), "it does not answer those of before");
    assertNull(orders.poll(), "nothing was told");
    end();
  }
}
