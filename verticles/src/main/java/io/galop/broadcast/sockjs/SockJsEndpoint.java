package io.galop.broadcast.sockjs;

import io.galop.broadcast.deflate.LoopDeflate;
import io.galop.config.broadcast.SockJsTransport;
import io.galop.vertx.Loop;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import org.jspecify.annotations.Nullable;

/**
 * SockJS 0.3 at one path, for the connections of one event loop; the endpoints of a node's event
 * loops share their {@link Sessions}.
 *
 * @param <V> what is known of a viewer
 */
public final class SockJsEndpoint<V> {
  /** Into how many parts the time is divided that a session outlives its last request. */
  private static final int LOOKS = 5;

  private final SockJsOptions options;
  private final Pages pages;
  private final WebsocketEndpoint<V> websockets;
  private final Sending<V> sending;
  private final PollingEndpoint<V> polling;

  /** One that compresses nothing. */
  public SockJsEndpoint(
      Vertx vertx, SockJsOptions options, Sessions<V> sessions, Service<V> service) {
    this(vertx, options, sessions, service, null);
  }

  /**
   * To be called on the event loop whose connections it is for.
   *
   * @param deflate of that loop; null where nothing is to be compressed
   */
  public SockJsEndpoint(
      Vertx vertx,
      SockJsOptions options,
      Sessions<V> sessions,
      Service<V> service,
      @Nullable LoopDeflate deflate) {
    this.options = options;
    this.pages = new Pages(options);
    this.websockets = new WebsocketEndpoint<>(vertx, service, options.maxMessageBytes(), deflate);
    this.sending = new Sending<>(options, sessions, service);
    this.polling = new PollingEndpoint<>(Loop.current(vertx), options, sessions, service);
    vertx.setPeriodic(Math.max(1, options.disconnectDelayMs() / LOOKS), timer -> forget());
  }

  /** Adds the routes; whoever may not even ask must have been turned away before. */
  public void mount(Router router) {
    router.route(options.path() + "/*").handler(this::handle);
  }

  /** Paths are taken as they were sent: a normal form would give those a session that have none. */
  private void handle(RoutingContext context) {
    HttpServerRequest request = context.request();
    String path = request.path();
    String below = path.startsWith(options.path()) ? path.substring(options.path().length()) : "//";
    if (pages.answer(request, below)) {
      return;
    }
    if (below.equals("/websocket")) {
      websocket(context, Framing.RAW);
      return;
    }
    String[] levels = below.split("/", -1);
    if (levels.length == 4 && isId(levels[1]) && isId(levels[2])) {
      handle(context, levels[2], levels[3]);
    } else {
      PlainAnswers.notFound(request);
    }
  }

  private static boolean isId(String level) {
    return !level.isEmpty() && level.indexOf('.') < 0;
  }

  private void handle(RoutingContext context, String session, String word) {
    Receiving kind = Receiving.of(word);
    if (word.equals("websocket")) {
      websocket(context, Framing.SOCKJS);
    } else if (kind != null && options.has(kind.transport())) {
      polling.receive(context, session, kind);
    } else if (!sending.handle(context, session, word)) {
      PlainAnswers.notFound(context.request());
    }
  }

  private void websocket(RoutingContext context, Framing framing) {
    if (options.has(SockJsTransport.WEBSOCKET)) {
      websockets.upgrade(context, framing);
    } else {
      PlainAnswers.notFound(context.request());
    }
  }

  private void forget() {
    long now = System.nanoTime();
    sending.refuseLate(now);
    polling.forget(now);
  }
}
