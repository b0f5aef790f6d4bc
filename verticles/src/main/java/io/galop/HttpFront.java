package io.galop;

import io.galop.broadcast.mqtt.MqttWebsocket;
import io.galop.config.HttpConfig;
import io.galop.config.Listener;
import io.galop.node.Node;
import io.galop.socket.Hangup;
import io.galop.socket.HostNames;
import io.galop.socket.RequestHeads;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One event loop's share of the HTTP port: whatever the roles of this node put there. */
final class HttpFront extends VerticleBase {
  private static final Logger LOG = LoggerFactory.getLogger(HttpFront.class);

  private static final int SOCKJS_BYTES = 16;

  /** Of a Position in an address, where a comma takes three. */
  private static final int POSITION_BYTES = 64;

  private final Node node;
  private final Connections connections;
  private final List<Function<Vertx, Routes>> parts;
  private final List<Routes> mounted = new ArrayList<>();

  HttpFront(Node node, Connections connections, List<Function<Vertx, Routes>> parts) {
    this.node = node;
    this.connections = connections;
    this.parts = parts;
  }

  @Override
  public Future<?> start() {
    Router router = Router.router(vertx);
    FrontGate gate = new FrontGate(vertx, connections, node.config().http());
    router.route().handler(gate::check);
    parts.forEach(part -> mounted.add(part.apply(vertx)));
    mounted.forEach(part -> part.mount().accept(router));
    router.route().last().handler(this::notFound);
    router.errorHandler(500, this::failed);
    return listen(router, gate);
  }

  @Override
  public Future<?> stop() {
    return Future.join(mounted.stream().map(part -> part.close().get()).toList());
  }

  private Future<?> listen(Router router, FrontGate gate) {
    Listener listener = Listener.of(node.config(), Listener.HTTP);
    HostNames hosts = HostNames.of(node.config(), listener);
    return node.listeners()
        .open(
            listener,
            port ->
                vertx
                    .createHttpServer(options(node.config().http()).setPort(port))
                    .connectionHandler(gate::onConnection)
                    .requestHandler(new RequestHeads(hosts, router)::handle)
                    .listen()
                    .map(HttpServer::actualPort));
  }

  /**
   * Vert.x's compression of WebSockets costs each connection some 256 KiB and unbounded inflation
   * ({@code broadcast.compression} is our own), HTTP/2 in clear text a handler in every pipeline:
   * both are off. SockJS puts messages into an array of strings, where each quote takes two bytes.
   * A viewer comes back with a Position for each shard.
   */
  private HttpServerOptions options(HttpConfig config) {
    int largest = 2 * node.config().broadcast().maxMessageBytes() + SOCKJS_BYTES;
    int positions = POSITION_BYTES * node.config().node().shards();
    return new HttpServerOptions()
        .setMaxInitialLineLength(HttpServerOptions.DEFAULT_MAX_INITIAL_LINE_LENGTH + positions)
        .setMaxHeaderSize(HttpServerOptions.DEFAULT_MAX_HEADER_SIZE + positions)
        .setMaxWebSocketFrameSize(largest)
        .setMaxWebSocketMessageSize(largest)
        .setWebSocketSubProtocols(MqttWebsocket.SUBPROTOCOLS)
        .setUseProxyProtocol(config.proxyProtocol())
        .setHost(config.host())
        .setIdleTimeout(config.idleTimeoutSeconds())
        .setPerFrameWebSocketCompressionSupported(false)
        .setPerMessageWebSocketCompressionSupported(false)
        .setHttp2ClearTextEnabled(false);
  }

  private void notFound(RoutingContext request) {
    error(
        request,
        404,
        "unknown_path",
        "there is nothing at " + request.request().method() + " " + request.normalizedPath());
  }

  private void failed(RoutingContext request) {
    if (Hangup.ended(request.request(), request.failure())) {
      return;
    }
    LOG.error(
        "{} {} failed: {}",
        request.request().method(),
        request.request().path(),
        String.valueOf(request.failure()));
    LOG.debug("where it failed", request.failure());
    error(request, 500, "failed", "this node failed to answer; its log says why");
  }

  private static void error(RoutingContext request, int status, String reason, String what) {
    if (request.response().headWritten()) {
      request.request().connection().close();
      return;
    }
    request
        .response()
        .setStatusCode(status)
        .putHeader("Content-Type", "application/json")
        .end(new JsonObject().put("error", what).put("reason", reason).encode());
  }
}
