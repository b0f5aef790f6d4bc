package io.galop.loadtest.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CrowdTest {
  private final Vertx vertx = Vertx.vertx();
  private final AtomicInteger connections = new AtomicInteger();

  @AfterEach
  void stop() {
    vertx.close().await();
  }

  /** A server that sends the first who registers away, and keeps those who come later. */
  private HttpServer server() {
    return vertx
        .createHttpServer()
        .webSocketHandler(
            socket -> {
              boolean isFirst = connections.getAndIncrement() == 0;
              socket.textMessageHandler(
                  said -> {
                    if (isFirst) {
                      socket.close((short) 3501);
                    }
                  });
            })
        .listen(0, "127.0.0.1")
        .await();
  }

  @Test
  void whoWasSentAwayIsReplaced() throws Exception {
    InetSocketAddress address = new InetSocketAddress("127.0.0.1", server().actualPort());
    ViewerGroup audience =
        ViewerGroup.of(List.of(address), ViewerTransport.RAW_WEBSOCKET, List.of("load/#"));
    try (Crowd crowd = new Crowd(audience, 2, 100)) {
      crowd.connectOne();
      await("the first is sent away", () -> crowd.seen().lostViewers() > 0);
      crowd.connectOne();
      assertEquals(1, crowd.replaceLost());
      assertEquals(0, crowd.seen().lostViewers());
      assertEquals(2, crowd.present());
      assertEquals(0, crowd.replaceLost());
      await("the server has seen the third", () -> connections.get() >= 3);
      assertEquals(3, connections.get());
    }
  }

  private static void await(String what, BooleanSupplier isSo) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!isSo.getAsBoolean()) {
      assertTrue(System.nanoTime() < deadline, what);
      Thread.sleep(10);
    }
  }
}
