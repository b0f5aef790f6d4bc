package io.galop.broadcast.sockjs.testserver;

import io.galop.broadcast.sockjs.Service;
import io.galop.broadcast.sockjs.Sessions;
import io.galop.broadcast.sockjs.SockJsEndpoint;
import io.galop.broadcast.sockjs.SockJsOptions;
import io.galop.config.broadcast.SockJsTransport;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.ext.web.Router;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The four services that test suites of the SockJS protocol expect: {@code /echo}, {@code
 * /disabled_websocket_echo}, {@code /cookie_needed_echo} and {@code /close}, on loopback.
 */
public final class TestServer {
  /** On more than one event loop, as a node is. */
  private static final int LOOPS = 2;

  /** As the suites expect, to see it reached. */
  private static final int RESPONSE_BYTES = 4096;

  private static final int MAX_MESSAGE_BYTES = 1 << 20;
  private static final int MAX_SESSIONS = 10_000;
  private static final String LIBRARY = "/vendor/sockjs.min.js";

  private final Vertx vertx;
  private final long disconnectDelayMs;
  private final Sessions<String> echoes = new Sessions<>(MAX_SESSIONS);
  private final Sessions<String> withoutWebsocket = new Sessions<>(MAX_SESSIONS);
  private final Sessions<String> withCookie = new Sessions<>(MAX_SESSIONS);
  private final Sessions<String> closes = new Sessions<>(MAX_SESSIONS);
  private final AtomicInteger actualPort = new AtomicInteger();

  public TestServer(Vertx vertx, long disconnectDelayMs) {
    this.vertx = vertx;
    this.disconnectDelayMs = disconnectDelayMs;
  }

  /**
   * Starts to listen.
   *
   * @param port 0 takes a free one
   * @return the port
   */
  public Future<Integer> listen(int port) {
    DeploymentOptions options = new DeploymentOptions().setInstances(LOOPS);
    int shared = port == 0 ? -1 : port;
    return vertx.deployVerticle(() -> new Front(shared), options).map(deployed -> actualPort.get());
  }

  /** How many sessions the echo service knows. */
  public int echoSessions() {
    return echoes.count();
  }

  private final class Front extends VerticleBase {
    private final int port;

    Front(int port) {
      this.port = port;
    }

    @Override
    public Future<HttpServer> start() {
      Router router = Router.router(vertx);
      Set<SockJsTransport> all = EnumSet.allOf(SockJsTransport.class);
      Set<SockJsTransport> polling = EnumSet.complementOf(EnumSet.of(SockJsTransport.WEBSOCKET));
      EchoService echo = new EchoService(vertx);
      mount(router, options("/echo", all, false), echoes, echo);
      mount(router, options("/disabled_websocket_echo", polling, false), withoutWebsocket, echo);
      mount(router, options("/cookie_needed_echo", all, true), withCookie, echo);
      mount(router, options("/close", all, false), closes, new CloseService());
      HttpServerOptions http =
          new HttpServerOptions()
              .setHost("127.0.0.1")
              .setPort(port)
              .setPerFrameWebSocketCompressionSupported(false)
              .setPerMessageWebSocketCompressionSupported(false)
              .setMaxWebSocketFrameSize(2 * MAX_MESSAGE_BYTES)
              .setMaxWebSocketMessageSize(2 * MAX_MESSAGE_BYTES);
      return vertx
          .createHttpServer(http)
          .requestHandler(router)
          .listen()
          .onSuccess(server -> actualPort.set(server.actualPort()));
    }

    private void mount(
        Router router, SockJsOptions options, Sessions<String> sessions, Service<String> service) {
      new SockJsEndpoint<>(vertx, options, sessions, service).mount(router);
    }

    private SockJsOptions options(
        String path, Set<SockJsTransport> transports, boolean isCookieNeeded) {
      return new SockJsOptions(
          path,
          transports,
          LIBRARY,
          isCookieNeeded,
          RESPONSE_BYTES,
          MAX_MESSAGE_BYTES,
          disconnectDelayMs);
    }
  }
}
