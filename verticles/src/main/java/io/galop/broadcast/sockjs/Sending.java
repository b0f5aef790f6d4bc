package io.galop.broadcast.sockjs;

import io.galop.config.broadcast.SockJsTransport;
import io.galop.vertx.Loop;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Messages of browsers without a websocket: {@code xhr_send} and {@code jsonp_send}. A request is
 * answered when its messages were dealt with, so that one at a time is under way.
 *
 * @param <V> what is known of a viewer
 */
final class Sending<V> {
  private static final Set<SockJsTransport> WITH_XHR_SEND =
      Set.of(
          SockJsTransport.XHR_POLLING,
          SockJsTransport.XHR_STREAMING,
          SockJsTransport.EVENTSOURCE,
          SockJsTransport.HTMLFILE);

  /** So many times as long as a session outlives its last request its messages may take. */
  private static final int DELAYS = 4;

  private final SockJsOptions options;
  private final Sessions<V> sessions;
  private final Service<V> service;
  private final Bodies bodies;

  Sending(SockJsOptions options, Sessions<V> sessions, Service<V> service) {
    this.options = options;
    this.sessions = sessions;
    this.service = service;
    this.bodies = new Bodies(options.maxMessageBytes(), DELAYS * options.disconnectDelayMs());
  }

  /** Turns away messages that take too long to come. To be called now and then. */
  void refuseLate(long nowNanos) {
    bodies.refuseLate(nowNanos);
  }

  /** Answers if the word is one of these. */
  boolean handle(RoutingContext context, String session, String word) {
    boolean isJsonp = word.equals("jsonp_send");
    boolean isThere =
        isJsonp
            ? options.has(SockJsTransport.JSONP)
            : word.equals("xhr_send") && WITH_XHR_SEND.stream().anyMatch(options::has);
    if (isThere) {
      handle(context, session, isJsonp);
    }
    return isThere;
  }

  private void handle(RoutingContext context, String id, boolean isJsonp) {
    HttpServerRequest request = context.request();
    if (request.method().equals(HttpMethod.OPTIONS)) {
      Headers.preflight(request, "POST");
      return;
    }
    if (!request.method().equals(HttpMethod.POST)) {
      PlainAnswers.notAllowed(request, "OPTIONS, POST");
      return;
    }
    Session<V> session = sessions.get(id);
    if (session == null || !service.isSame(session.opener(), service.viewer(context))) {
      PlainAnswers.noSession(request);
      return;
    }
    bodies.read(request, body -> take(request, body, session, isJsonp));
  }

  private void take(HttpServerRequest request, Buffer body, Session<V> session, boolean isJsonp) {
    Headers.cors(request);
    Headers.neverCached(request.response());
    String payload = isJsonp ? field(request, body) : body.toString();
    if (payload.isEmpty()) {
      PlainAnswers.text(request, 500, "Payload expected.\n");
      return;
    }
    Optional<List<Buffer>> messages = SockMessages.of(payload);
    if (messages.isEmpty()) {
      PlainAnswers.text(request, 500, "Broken JSON encoding.\n");
      return;
    }
    Loop here = Loop.current();
    session
        .loop()
        .emit(
            () -> {
              session.onMessages(messages.get());
              here.emit(() -> done(request, isJsonp));
            });
  }

  /** Konqueror is troubled by answers without a body, Firefox by those without a type. */
  private void done(HttpServerRequest request, boolean isJsonp) {
    if (options.isCookieNeeded()) {
      Headers.cookie(request);
    }
    PlainAnswers.text(request, isJsonp ? 200 : 204, isJsonp ? "ok" : "");
  }

  /** The field {@code d} of a form, which a browser sends in a hidden iframe; else all of it. */
  private static String field(HttpServerRequest request, Buffer body) {
    String type = request.getHeader(HttpHeaders.CONTENT_TYPE);
    if (type == null || !type.toLowerCase(Locale.ROOT).startsWith("application/x-www-form-url")) {
      return body.toString();
    }
    try {
      Map<String, List<String>> fields =
          new QueryStringDecoder(body.toString(), StandardCharsets.UTF_8, false).parameters();
      return fields.getOrDefault("d", List.of("")).get(0);
    } catch (IllegalArgumentException badlyEncoded) {
      return "";
    }
  }
}
