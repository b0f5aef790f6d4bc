package io.galop.broadcast.sockjs;

import io.galop.config.broadcast.SockJsTransport;
import io.galop.servers.Http1;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.Router;
import java.util.EnumSet;
import java.util.concurrent.TimeUnit;

/** An endpoint of all transports at {@code /x}, on a free port of loopback. */
record ServedSessions(Vertx vertx, Sessions<String> sessions, int port) implements AutoCloseable {
  private static final int BYTES = 4096;

  static ServedSessions of(Service<String> service, long disconnectDelayMs) throws Exception {
    Vertx vertx = Vertx.vertx();
    Sessions<String> sessions = new Sessions<>(100);
    SockJsOptions options =
        new SockJsOptions(
            "/x",
            EnumSet.allOf(SockJsTransport.class),
            "/library",
            false,
            BYTES,
            BYTES,
            disconnectDelayMs);
    Router router = Router.router(vertx);
    new SockJsEndpoint<>(vertx, options, sessions, service).mount(router);
    HttpServer server =
        vertx
            .createHttpServer(Http1.options())
            .requestHandler(router)
            .listen(0, "127.0.0.1")
            .toCompletionStage()
            .toCompletableFuture()
            .get(60, TimeUnit.SECONDS);
    return new ServedSessions(vertx, sessions, server.actualPort());
  }

  @Override
  public void close() throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }
}
