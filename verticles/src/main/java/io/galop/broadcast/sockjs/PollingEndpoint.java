package io.galop.broadcast.sockjs;

import io.galop.vertx.Loop;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Requests that wait for frames: finds or begins the session and attaches the answer to it. For the
 * connections of one event loop.
 *
 * @param <V> what is known of a viewer
 */
final class PollingEndpoint<V> {
  private final Loop loop;
  private final SockJsOptions options;
  private final Sessions<V> sessions;
  private final Service<V> service;
  private final Map<String, Session<V>> own = new HashMap<>();

  PollingEndpoint(Loop loop, SockJsOptions options, Sessions<V> sessions, Service<V> service) {
    this.loop = loop;
    this.options = options;
    this.sessions = sessions;
    this.service = service;
  }

  void receive(RoutingContext context, String id, Receiving kind) {
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
  private @Nullable Session<V> session(RoutingContext context, String id) {
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

  private @Nullable Session<V> begin(RoutingContext context, String id, V viewer) {
    if (sessions.isFull()) {
      Headers.cors(context.request());
      PlainAnswers.text(
          context.request(), 503, "This node has too many sessions; come back later.\n");
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
            ? new StreamAnswer(
                kind.framing(), kind.prelude(request), request, loop, options.responseBytes())
            : new PollingAnswer(kind, request, loop);
    answer
        .begin(() -> session.loop().emit(() -> session.broke(answer)))
        .onSuccess(ready -> session.loop().emit(() -> session.attach(answer)));
  }

  /** Forgets the sessions of this loop that nobody has asked for in time. */
  void forget(long now) {
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
