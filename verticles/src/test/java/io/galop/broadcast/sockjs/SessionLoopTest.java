package io.galop.broadcast.sockjs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.broadcast.SockJsTransport;
import io.galop.servers.Http1;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.EnumSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A session is called on one event loop, whichever its requests come over. */
@Timeout(180)
class SessionLoopTest {
  private static final SockJsOptions OPTIONS =
      new SockJsOptions(
          "/x", EnumSet.allOf(SockJsTransport.class), "/library", false, 4096, 4096, 5000);

  private final Vertx vertx = Vertx.vertx();
  private final Sessions<String> sessions = new Sessions<>(100);
  private final AtomicInteger port = new AtomicInteger();
  private final Set<Thread> requests = ConcurrentHashMap.newKeySet();
  private final Queue<Call> calls = new ConcurrentLinkedQueue<>();

  private record Call(String what, Thread opened, Thread called) {}

  @BeforeEach
  void start() throws Exception {
    vertx
        .deployVerticle(Front::new, new DeploymentOptions().setInstances(2))
        .toCompletionStage()
        .toCompletableFuture()
        .get(60, TimeUnit.SECONDS);
  }

  @AfterEach
  void stop() throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  private final class Front extends VerticleBase {
    @Override
    public Future<HttpServer> start() {
      Router router = Router.router(vertx);
      router
          .route()
          .handler(
              context -> {
                requests.add(Thread.currentThread());
                context.next();
              });
      new SockJsEndpoint<>(vertx, OPTIONS, sessions, new Echo()).mount(router);
      return vertx
          .createHttpServer(Http1.options())
          .requestHandler(router)
          .listen(-1, "127.0.0.1")
          .onSuccess(server -> port.set(server.actualPort()));
    }
  }

  /** Says again what it is told, and remembers where it was called. */
  private final class Echo implements Service<String> {
    @Override
    public String viewer(RoutingContext request) {
      String viewer = request.request().getHeader("Viewer");
      return viewer == null ? "a" : viewer;
    }

    @Override
    public boolean isSame(String opener, String other) {
      return opener.equals(other);
    }

    @Override
    public boolean enter(String viewer, RoutingContext request) {
      return true;
    }

    @Override
    public void leave(String viewer) {}

    @Override
    public Connection connected(Transport transport, String viewer) {
      Thread opened = Thread.currentThread();
      return new Connection() {
        @Override
        public void onMessage(Buffer message) {
          call("message");
          if (message.toString().equals("bye")) {
            transport.close(new Closing(3000, "bye"));
            call("said");
            return;
          }
          try (OneFrame frame = new OneFrame(Frame.ofControl(message.toString()))) {
            transport.write(frame, (size, records, isSent) -> call("left"));
          }
        }

        private void call(String what) {
          calls.add(new Call(what, opened, Thread.currentThread()));
        }

        @Override
        public void onMessageTooLarge() {}

        @Override
        public void onClosed() {
          call("closed");
        }
      };
    }
  }

  @Test
  void everyCallIsOnTheLoopThatOpenedIt() throws Exception {
    RawHttp[] http = new RawHttp[6];
    for (int n = 0; n < http.length; n++) {
      http[n] = new RawHttp(port.get());
    }
    for (int session = 0; session < 10; session++) {
      String url = "/x/0/s" + session;
      http[session % http.length].post(url + "/xhr", "");
      for (int n = 0; n < 12; n++) {
        http[(session + n) % http.length].post(url + "/xhr_send", "[\"" + n + "\"]");
        assertEquals(
            "a[\"" + n + "\"]\n",
            http[(session + n + 1) % http.length].post(url + "/xhr", "").body());
      }
      RawHttp broken = new RawHttp(port.get());
      broken.post(url + "/xhr_streaming", "");
      broken.chunk();
      broken.reset();
    }
    ProtocolFixture.await("ends", () -> count("closed") == 10);
    ProtocolFixture.await("receipts", () -> count("left") == 120);
    assertEquals(120, count("message"));
    assertEquals(2, requests.size(), "event loops that had requests");
    assertEquals(List.of(), calls.stream().filter(call -> call.opened() != call.called()).toList());
    for (RawHttp each : http) {
      each.close();
    }
  }

  private long count(String what) {
    return calls.stream().filter(call -> call.what().equals(what)).count();
  }

  /** Whoever closes may be in the middle of all its connections. */
  @Test
  void theEndIsToldAfterWhoeverClosedIsDone() throws Exception {
    try (RawHttp stream = new RawHttp(port.get());
        RawHttp http = new RawHttp(port.get())) {
      stream.post("/x/0/bye/xhr_streaming", "");
      stream.chunk();
      assertEquals("o\n", stream.chunk());
      http.post("/x/0/bye/xhr_send", "[\"bye\"]");
      assertEquals("c[3000,\"bye\"]\n", stream.chunk());
      ProtocolFixture.await("end", () -> count("closed") == 1);
      List<String> order = calls.stream().map(Call::what).toList();
      assertTrue(order.indexOf("said") < order.indexOf("closed"), order.toString());
    }
  }

  @Test
  void anotherViewerHasNoPartInIt() throws Exception {
    try (RawHttp http = new RawHttp(port.get())) {
      assertEquals("o\n", http.post("/x/0/s/xhr", "").body());
      assertEquals(404, http.post("/x/0/s/xhr", "", "Viewer: b").status());
      assertEquals(404, http.post("/x/0/s/xhr_send", "[\"x\"]", "Viewer: b").status());
      assertEquals(204, http.post("/x/0/s/xhr_send", "[\"x\"]").status());
      assertEquals("a[\"x\"]\n", http.post("/x/0/s/xhr", "").body());
    }
  }

  @Test
  void thereAreOnlySoMany() throws Exception {
    try (RawHttp http = new RawHttp(port.get())) {
      for (int n = 0; n < 100; n++) {
        assertEquals("o\n", http.post("/x/0/s" + n + "/xhr", "").body());
      }
      assertEquals(503, http.post("/x/0/more/xhr", "").status());
      assertEquals(503, http.post("/x/0/more/xhr_streaming", "").status());
    }
  }
}
