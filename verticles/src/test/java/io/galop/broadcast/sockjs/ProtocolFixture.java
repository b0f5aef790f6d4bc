package io.galop.broadcast.sockjs;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.broadcast.sockjs.testserver.TestServer;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;

/** The test server, on more than one event loop, and connections to it. */
@Timeout(180)
abstract class ProtocolFixture {
  static final String NEVER = "no-store, no-cache, no-transform, must-revalidate, max-age=0";
  static final String SCRIPT = "application/javascript;charset=UTF-8";

  private static Vertx vertx;
  static TestServer server;
  static int port;

  private final List<RawHttp> open = new ArrayList<>();

  @BeforeAll
  static void start() throws Exception {
    vertx = Vertx.vertx();
    server = new TestServer(vertx, SockJsOptions.DISCONNECT_DELAY_MS);
    port = server.listen(0).toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  @AfterAll
  static void stop() throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  @AfterEach
  void closeAll() throws IOException {
    for (RawHttp http : open) {
      http.close();
    }
  }

  /** A connection of its own, perhaps to another event loop. */
  RawHttp http() throws IOException {
    RawHttp http = new RawHttp(port);
    open.add(http);
    return http;
  }

  static String session(String service) {
    return service + "/000/" + UUID.randomUUID();
  }

  RawHttp.Answer get(String path, String... headers) throws IOException {
    return http().get(path, headers);
  }

  RawHttp.Answer post(String path, String body, String... headers) throws IOException {
    return http().post(path, body, headers);
  }

  /**
   * Sends the same request over two connections, of which one is refused.
   *
   * @return the one that waits, then the one that was answered
   */
  RawHttp[] twice(String line) throws Exception {
    RawHttp one = http();
    RawHttp other = http();
    one.send(line, "");
    other.send(line, "");
    while (!one.hasInput() && !other.hasInput()) {
      Thread.sleep(1);
    }
    return one.hasInput() ? new RawHttp[] {other, one} : new RawHttp[] {one, other};
  }

  static void await(String what, Callable<Boolean> condition) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.call()) {
      assertTrue(System.nanoTime() < deadline, "waited in vain: " + what);
      Thread.sleep(5);
    }
  }
}
