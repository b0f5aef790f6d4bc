package io.galop.broadcast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.broadcast.edge.Admission;
import io.galop.broadcast.sockjs.Transport;
import io.galop.servers.Http1;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.Router;
import java.lang.reflect.Proxy;
import java.net.Socket;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What goes wrong while a connection is opened leaves nothing of it. */
@Timeout(180)
class OpeningCountTest extends FeedTest {
  private double connections() {
    return feed.node.meters().get("galop.broadcast.connections").gauge().value();
  }

  private static Transport nothing() {
    return (Transport)
        Proxy.newProxyInstance(
            Transport.class.getClassLoader(),
            new Class<?>[] {Transport.class},
            (proxy, method, args) -> method.getReturnType() == boolean.class ? false : null);
  }

  /** A thread that is not the event loop is a fault that happens at the same place each time. */
  @Test
  void aConnectionThatCouldNotBeOpenedIsNotCounted() throws Exception {
    start();
    LiveEndpoint endpoint = feed.endpoints.get(0);
    Router router = Router.router(feed.vertx);
    BlockingQueue<Admission> admitted = new LinkedBlockingQueue<>();
    router.route().handler(feed.verticle.live().edge()::admit);
    router.route().handler(request -> admitted.add(Admission.of(request)));
    HttpServer server =
        TestFeed.await(
            feed.vertx
                .createHttpServer(Http1.options())
                .requestHandler(router)
                .listen(0, "127.0.0.1"));
    try (Socket browser = new Socket("127.0.0.1", server.actualPort())) {
      browser.getOutputStream().write("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".getBytes());
      Admission admission = admitted.poll(60, TimeUnit.SECONDS);
      assertThrows(IllegalStateException.class, () -> endpoint.connected(nothing(), admission));
    }
    assertEquals(0, connections());
    LiveClient client = feed.connect();
    client.settle();
    assertEquals(1, connections());
    client.close();
    LiveClient.await("the end", () -> connections() == 0);
    assertTrue(endpoint.hub().isEmpty());
  }
}
