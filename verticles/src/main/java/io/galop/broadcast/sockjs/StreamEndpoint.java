package io.galop.broadcast.sockjs;

import io.galop.record.Position;
import io.galop.vertx.Loop;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Responses that carry message after message for as long as the viewer stays, without SockJS: what
 * it wants is all in its request. For the connections of one event loop, on that loop.
 *
 * @param <V> what is known of a viewer
 */
public final class StreamEndpoint<V> {
  private static final int LOOKS = 5;

  private final Loop loop;
  private final Service<V> service;
  private final long delayNanos;

  /** Each is in it from before it is answered until nothing of it is left. */
  private final Set<Session<V>> open = new HashSet<>();

  /** To be called on the event loop whose connections it is for. */
  public StreamEndpoint(Vertx vertx, Service<V> service, long disconnectDelayMs) {
    this.loop = Loop.current(vertx);
    this.service = service;
    this.delayNanos = disconnectDelayMs * 1_000_000;
    vertx.setPeriodic(Math.max(1, disconnectDelayMs / LOOKS), timer -> forget());
  }

  /** Answers a request that is none for a stream; true if it was answered. */
  public boolean refuses(HttpServerRequest request) {
    if (request.method().equals(HttpMethod.OPTIONS)) {
      Headers.preflight(request, "GET");
      return true;
    }
    Headers.cors(request);
    if (!request.method().equals(HttpMethod.GET)) {
      PlainAnswers.notAllowed(request, "OPTIONS, GET");
      return true;
    }
    return false;
  }

  /**
   * Answers with a stream.
   *
   * @param framing {@link Framing#EVENTS}, or {@link Framing#LINES}
   * @param since where the viewer was before: the largest Position of each shard
   * @param said what the viewer would say on a connection that hears
   */
  public void open(
      RoutingContext context, Framing framing, Map<Integer, Position> since, Buffer said) {
    V viewer = service.viewer(context);
    if (!service.enter(viewer, context)) {
      return;
    }
    boolean isEvents = framing == Framing.EVENTS;
    HttpServerRequest request = context.request();
    head(request.response(), isEvents ? "text/event-stream" : "application/x-ndjson");
    Service<V> taker = isEvents ? new WithIds<>(service, since) : service;
    Session<V> session = new Session<>(loop, taker, viewer, SockJsOptions.RESPONSE_BYTES);
    open.add(session);
    String prelude = isEvents ? ":\n\n" : "{\"type\":\"open\"}\n";
    StreamAnswer answer = new StreamAnswer(framing, prelude, request, loop, Long.MAX_VALUE);
    request.resume();
    answer
        .begin(() -> session.broke(answer))
        .onSuccess(ready -> loop.emit(() -> begin(session, answer, said)));
  }

  private static void head(HttpServerResponse response, String contentType) {
    Headers.neverCached(response);
    response
        .putHeader(HttpHeaders.CONTENT_TYPE, contentType)
        // nginx gathers a response before it hands it on, unless it is told.
        .putHeader("X-Accel-Buffering", "no");
  }

  private void begin(Session<V> session, StreamAnswer answer, Buffer said) {
    session.attach(answer);
    session.onOnlyMessage(said);
  }

  private void forget() {
    long now = System.nanoTime();
    open.removeIf(session -> session.isForgotten(now, delayNanos));
  }

  /** Viewers that are told where they stand. */
  private record WithIds<V>(Service<V> service, Map<Integer, Position> since)
      implements Service<V> {
    @Override
    public V viewer(RoutingContext request) {
      return service.viewer(request);
    }

    @Override
    public boolean isSame(V opener, V other) {
      return service.isSame(opener, other);
    }

    @Override
    public boolean enter(V viewer, RoutingContext request) {
      return service.enter(viewer, request);
    }

    @Override
    public void leave(V viewer) {
      service.leave(viewer);
    }

    @Override
    public Connection connected(Transport transport, V viewer) {
      return service.connected(new EventIds(transport, since), viewer);
    }
  }
}
