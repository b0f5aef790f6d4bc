package io.galop.broadcast.sockjs;

import io.galop.config.broadcast.SockJsTransport;
import io.galop.vertx.Loop;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.HashMap;
import java.util.Map;

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
  private final Service<V> service;
  private final Sessions<V> sessions;
  private final Loop loop;
  private final Pages pages;
  private final WebsocketEndpoint<V> websockets;
  private final Sending<V> sending;
  private final Map<String, Session<V>> own = new HashMap<>();

  /** To be called on the event loop whose connections it is for. */
  public SockJsEndpoint(
      Vertx vertx, SockJsOptions options, Sessions<V> sessions, Service<V> service) {
    this.options = options;
    this.service = service;
    this.sessions = sessions;
    this.loop = Loop.current(vertx);
    this.pages = new Pages(options);
    this.websockets = new WebsocketEndpoint<>(vertx, service, options.maxMessageBytes());
    this.sending = new Sending<>(options, sessions, service);
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
      receive(context, session, kind);
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

  private void receive(RoutingContext context, String id, Receiving kind) {
    HttpServerRequest request = context.request();
    if (request.method().equals(HttpMethod.OPTIONS)) {
      Headers.preflight(request, kind.method().name());
    } else if (!request.method().equals(kind.method())) {
      PlainAnswers.notAllowed(request, "OPTIONS, " + kind.method().name());
    } else if (kind.hasCallback() && !Callback.complaint(request).isEmpty()) {
      Headers.neverCached(request.response());
      PlainAnswers.text(request, 500, Callback.complaint(request));
    } else {
      Session<V> session = session(context, id);
      if (session != null) {
        attach(request, session, kind);
      }
    }
  }

  /** The session, perhaps a new one; null if the request was answered. */
  private Session<V> session(RoutingContext context, String id) {
    V viewer = service.viewer(context);
    Session<V> session = sessions.get(id);
    if (session == null) {
      return begin(context, id, viewer);
    }
    if (service.isSame(session.opener(), viewer)) {
      return session;
    }
    PlainAnswers.noSession(context.request());
    return null;
  }

  private Session<V> begin(RoutingContext context, String id, V viewer) {
    if (sessions.isFull()) {
      Headers.cors(context.request());
      PlainAnswers.text(context.request(), 503, "This node has too many sessions; come back later.\n");
      return null;
    }
    if (!service.enter(viewer, context)) {
      return null;
    }
    Session<V> session = new Session<>(loop, service, viewer, options.responseBytes());
    if (sessions.putIfAbsent(id, session) != null) {
      service.leave(viewer);
      return session(context, id);
    }
    own.put(id, session);
    return session;
  }

  private void attach(HttpServerRequest request, Session<V> session, Receiving kind) {
    Headers.cors(request);
    Headers.neverCached(request.response());
    request.response().putHeader(HttpHeaders.CONTENT_TYPE, kind.contentType());
    request.resume();
    if (options.isCookieNeeded()) {
      Headers.cookie(request);
    }
    HttpAnswer answer =
        kind.isStreaming()
            ? new StreamAnswer(kind, request, loop, options.responseBytes())
            : new PollingAnswer(kind, request, loop);
    answer
        .begin(() -> session.loop().emit(() -> session.broke(answer)))
        .onSuccess(ready -> session.loop().emit(() -> session.attach(answer)));
  }

  private void forget() {
    long now = System.nanoTime();
    sending.refuseLate(now);
    long delayNanos = options.disconnectDelayMs() * 1_000_000;
    own.entrySet()
        .removeIf(
            entry -> {
              boolean isForgotten = entry.getValue().isForgotten(now, delayNanos);
              if (isForgotten) {
                sessions.remove(entry.getKey(), entry.getValue());
              }
              return isForgotten;
            });
  }
}
