package io.galop.broadcast.sockjs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.broadcast.sockjs.testserver.OpenService;
import io.vertx.ext.web.RoutingContext;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A connection that nobody takes is told to come back, and gives its place back. */
@Timeout(180)
class OpeningFaultTest {
  private static final String INTERRUPTED = "c[1002,\"Connection interrupted\"]";

  private final AtomicInteger seats = new AtomicInteger();
  private ServedSessions served;

  @BeforeEach
  void start() throws Exception {
    served = ServedSessions.of(new Faulty(), 1_000);
  }

  @AfterEach
  void stop() throws Exception {
    served.close();
  }

  /** Lets all in, and can take none. */
  private final class Faulty extends OpenService {
    @Override
    public boolean enter(String viewer, RoutingContext request) {
      seats.incrementAndGet();
      return true;
    }

    @Override
    public void leave(String viewer) {
      seats.decrementAndGet();
    }

    @Override
    public Connection connected(Transport transport, String viewer) {
      throw new IllegalStateException("a fault of the test");
    }
  }

  @Test
  void aPollIsToldSo() throws Exception {
    try (RawHttp http = new RawHttp(served.port())) {
      assertEquals("o\n", http.post("/x/0/s/xhr", "").body());
      assertEquals(INTERRUPTED + "\n", http.post("/x/0/s/xhr", "").body());
    }
    ProtocolFixture.await("end", () -> served.sessions().count() == 0);
    assertEquals(0, seats.get());
  }

  @Test
  void soIsAStream() throws Exception {
    try (RawHttp http = new RawHttp(served.port())) {
      http.post("/x/0/s/xhr_streaming", "");
      http.chunk();
      assertEquals("o\n", http.chunk());
      assertEquals(INTERRUPTED + "\n", http.chunk());
    }
    ProtocolFixture.await("end", () -> served.sessions().count() == 0);
    assertEquals(0, seats.get());
  }

  @Test
  void soIsAWebsocket() throws Exception {
    try (RawFrames socket = new RawFrames(served.port(), "/x/0/s/websocket")) {
      assertEquals("o", socket.read().text());
      assertEquals(INTERRUPTED, socket.read().text());
      assertTrue(socket.read().isClosing());
    }
    assertEquals(0, seats.get());
  }
}
