package io.galop.broadcast.sockjs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.galop.config.broadcast.SockJsTransport;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What waits for a request and cannot be written ends its session: nothing follows on it. */
@Timeout(60)
class SessionFaultTest {
  private static final SockJsOptions OPTIONS =
      new SockJsOptions(
          "/x", EnumSet.allOf(SockJsTransport.class), "/library", false, 4096, 4096, 5000);
  private static final Frame[] NONE = {};
  private static final String INTERRUPTED = "c[1002,\"Connection interrupted\"]\n";

  private final Vertx vertx = Vertx.vertx();
  private final List<String> calls = new CopyOnWriteArrayList<>();
  private RawHttp http;

  @BeforeEach
  void start() throws Exception {
    Router router = Router.router(vertx);
    new SockJsEndpoint<>(vertx, OPTIONS, new Sessions<String>(100), new Echo()).mount(router);
    HttpServer server =
        vertx
            .createHttpServer()
            .requestHandler(router)
            .listen(0, "127.0.0.1")
            .toCompletionStage()
            .toCompletableFuture()
            .get(30, TimeUnit.SECONDS);
    http = new RawHttp(server.actualPort());
  }

  @AfterEach
  void stop() throws Exception {
    http.close();
    vertx.close().toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
  }

  /** Says again what it is told; what begins with an exclamation mark cannot be encoded. */
  private final class Echo implements Service<String> {
    @Override
    public String viewer(RoutingContext request) {
      return "a";
    }

    @Override
    public boolean isSame(String opener, String other) {
      return true;
    }

    @Override
    public boolean enter(String viewer, RoutingContext request) {
      return true;
    }

    @Override
    public void leave(String viewer) {}

    @Override
    public Connection connected(Transport transport, String viewer) {
      return new Connection() {
        @Override
        public void onMessage(Buffer message) {
          String word = message.toString();
          Frame[] frames = word.startsWith("!") ? NONE : new Frame[] {Frame.ofControl(word)};
          transport.write(new Large(frames), (s, r, isSent) -> calls.add(word + " " + isSent));
        }

        @Override
        public void onMessageTooLarge() {}

        @Override
        public void onClosed() {
          calls.add("closed");
        }
      };
    }
  }

  /** So large that each leaves by itself. */
  private record Large(Frame[] frames) implements Frames {
    @Override
    public int records() {
      return 1;
    }

    @Override
    public int size() {
      return 4096;
    }

    @Override
    public ByteBuf encoded(Framing framing, ByteBufAllocator allocator) {
      return framing.encode(frames(), allocator);
    }
  }

  private void say(String session, String word) throws Exception {
    assertEquals(204, http.post(session + "/xhr_send", "[\"" + word + "\"]").status());
  }

  @Test
  void aPollIsToldThatWhatWaitedIsLost() throws Exception {
    assertEquals("o\n", http.post("/x/0/s/xhr", "").body());
    say("/x/0/s", "!lost");
    say("/x/0/s", "next");
    assertEquals(INTERRUPTED, http.post("/x/0/s/xhr", "").body());
    assertEquals(List.of("!lost false", "next false", "closed"), calls);
    say("/x/0/s", "later");
    assertEquals(INTERRUPTED, http.post("/x/0/s/xhr", "").body());
    assertEquals(3, calls.size(), "nobody hears it any more");
  }

  @Test
  void soIsAStream() throws Exception {
    assertEquals("o\n", http.post("/x/0/s/xhr", "").body());
    say("/x/0/s", "first");
    say("/x/0/s", "!lost");
    say("/x/0/s", "next");
    http.post("/x/0/s/xhr_streaming", "");
    http.chunk();
    assertEquals("a[\"first\"]\n", http.chunk());
    assertEquals(INTERRUPTED, http.chunk());
    ProtocolFixture.await("end", () -> calls.contains("closed"));
    assertEquals(
        List.of("!lost false", "next false"),
        calls.stream().filter(c -> c.endsWith("false")).toList());
  }
}
