package io.galop.broadcast.sockjs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.broadcast.sockjs.testserver.TestServer;
import io.vertx.core.Vertx;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How long a session outlives its last request. */
@Tag("slow")
@Timeout(180)
class SessionExpiryTest {
  /** Long enough for whoever comes back in time on a busy machine. */
  private static final long DISCONNECT_DELAY_MS = 2_000;

  private final Vertx vertx = Vertx.vertx();
  private final TestServer server = new TestServer(vertx, DISCONNECT_DELAY_MS);
  private final String url = ProtocolFixture.session("/echo");
  private RawHttp http;

  @BeforeEach
  void start() throws Exception {
    http =
        new RawHttp(
            server.listen(0).toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS));
  }

  @AfterEach
  void stop() throws Exception {
    http.close();
    vertx.close().toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  @Test
  void whoNeverComesBackIsForgotten() throws Exception {
    assertEquals("o\n", http.post(url + "/xhr", "").body());
    ProtocolFixture.await("end", () -> server.echoSessions() == 0);
    assertEquals(404, http.post(url + "/xhr_send", "[\"x\"]").status());
    assertEquals("o\n", http.post(url + "/xhr", "").body());
    assertEquals(1, server.echoSessions());
  }

  @Test
  void whoWaitsIsNot() throws Exception {
    http.post(url + "/xhr", "");
    http.send("POST " + url + "/xhr HTTP/1.1", "");
    ProtocolFixture.await("session", () -> server.echoSessions() == 1);
    Thread.sleep(2 * DISCONNECT_DELAY_MS);
    assertEquals(1, server.echoSessions());
    http.reset();
    ProtocolFixture.await("end", () -> server.echoSessions() == 0);
  }

  @Test
  void messagesThatNeverComeToAnEndAreNotAwaited() throws Exception {
    http.post(url + "/xhr", "");
    http.sendHead("POST " + url + "/xhr_send HTTP/1.1", "Content-Length: 100");
    RawHttp.Answer answer = http.answer();
    assertEquals(408, answer.status());
    assertEquals("{\"error\":\"a request must be complete within 8000 ms\"}", answer.body());
    assertTrue(http.isAtEnd());
  }

  @Test
  void soIsWhoWasNeverOpened() throws Exception {
    http.send("POST " + url + "/xhr_streaming HTTP/1.1", "");
    http.reset();
    ProtocolFixture.await("end", () -> server.echoSessions() == 0);
  }
}
