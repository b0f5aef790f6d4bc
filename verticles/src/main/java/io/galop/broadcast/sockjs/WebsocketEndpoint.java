package io.galop.broadcast.sockjs;

import io.galop.vertx.HttpChannels;
import io.galop.vertx.Loop;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.websocketx.WebSocket08FrameDecoder;
import io.netty.handler.codec.http.websocketx.WebSocketFrameEncoder;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The websockets: SockJS's and the raw one. Vert.x makes the handshake; Galop reads and writes.
 *
 * @param <V> what is known of a viewer
 */
final class WebsocketEndpoint<V> {
  private static final Logger LOG = LoggerFactory.getLogger(WebsocketEndpoint.class);

  /** An array of strings, where each quote takes two bytes. */
  private static final int ENVELOPE_BYTES = 16;

  /** The standard's, and the drafts of the same frames that browsers shipped. */
  private static final List<String> VERSIONS = List.of("13", "8", "7");

  private static final CharSequence VERSION = HttpHeaders.createOptimized("Sec-WebSocket-Version");
  private static final int KEY_BYTES = 16;

  /** Of all versions; what it has read and not yet decoded goes to the reader when it leaves. */
  private static final Class<WebSocket08FrameDecoder> DECODER = WebSocket08FrameDecoder.class;

  private final Vertx vertx;
  private final Service<V> service;
  private final int maxBytes;

  WebsocketEndpoint(Vertx vertx, Service<V> service, int maxMessageBytes) {
    this.vertx = vertx;
    this.service = service;
    this.maxBytes = 2 * maxMessageBytes + ENVELOPE_BYTES;
  }

  void upgrade(RoutingContext context, Framing framing) {
    HttpServerRequest request = context.request();
    if (!request.method().equals(HttpMethod.GET)) {
      PlainAnswers.notAllowed(request, "GET");
    } else if (!has(request, HttpHeaders.UPGRADE, "websocket")) {
      PlainAnswers.text(request, 400, "Can \"Upgrade\" only to \"WebSocket\".\n");
    } else if (!has(request, HttpHeaders.CONNECTION, "upgrade")) {
      PlainAnswers.text(request, 400, "\"Connection\" must be \"Upgrade\".\n");
    } else if (!VERSIONS.contains(String.valueOf(request.getHeader(VERSION)))) {
      refuseVersion(request);
    } else if (!isKey(request.getHeader("Sec-WebSocket-Key"))) {
      PlainAnswers.text(request, 400, "\"Sec-WebSocket-Key\" must be 16 bytes in base64.\n");
    } else if (hasBody(request)) {
      PlainAnswers.text(request, 400, "An \"Upgrade\" to \"WebSocket\" must have no body.\n");
    } else {
      V viewer = service.viewer(context);
      if (service.enter(viewer, context)) {
        accept(request, framing, viewer);
      }
    }
  }

  /**
   * The drafts before 7 have no masks: a page can have their frames taken for answers by caches on
   * the way, for which browsers gave them up in 2010. Their handshake is finished by eight bytes
   * that a balancer may hold back until it is answered: so at once, and the client goes on with
   * another transport.
   */
  private static void refuseVersion(HttpServerRequest request) {
    request
        .response()
        .putHeader(VERSION, String.join(", ", VERSIONS))
        .putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE)
        .putHeader(HttpHeaders.CONTENT_TYPE, Headers.TEXT)
        .setStatusCode(426)
        .end("\"Sec-WebSocket-Version\" must be 13 (RFC 6455).\n")
        .onComplete(answered -> request.connection().close());
  }

  private static boolean isKey(String key) {
    try {
      return key != null && Base64.getDecoder().decode(key.strip()).length == KEY_BYTES;
    } catch (IllegalArgumentException malformed) {
      return false;
    }
  }

  private void accept(HttpServerRequest request, Framing framing, V viewer) {
    request
        .toWebSocket()
        .onSuccess(socket -> accepted(out(request), framing, viewer))
        .onFailure(noHandshake -> service.leave(viewer));
  }

  /** The connection may have ended meanwhile, and its handlers with it. */
  private void accepted(ChannelHandlerContext out, Framing framing, V viewer) {
    if (out == null) {
      service.leave(viewer);
    } else {
      connected(out, framing, viewer);
    }
  }

  /** Vert.x would wait for it, and says nothing any more where it is too large. */
  private static boolean hasBody(HttpServerRequest request) {
    String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
    return request.getHeader(HttpHeaders.TRANSFER_ENCODING) != null
        || (length != null && !length.equals("0"));
  }

  private static boolean has(HttpServerRequest request, CharSequence header, String word) {
    String value = request.getHeader(header);
    return value != null && value.toLowerCase(Locale.ROOT).contains(word);
  }

  /**
   * Where bytes are written so that they pass TLS and time limits, but none of what makes frames.
   * The connection's class is not part of what Vert.x promises to keep: see docs/decisions.
   */
  private static ChannelHandlerContext out(HttpServerRequest request) {
    ChannelPipeline pipeline = HttpChannels.of(request.connection()).pipeline();
    return pipeline.context(WebSocketFrameEncoder.class);
  }

  private void connected(ChannelHandlerContext out, Framing framing, V viewer) {
    WebsocketTransport transport = new WebsocketTransport(new SocketWriter(out), framing);
    Loop context = Loop.current(vertx);
    WebsocketReader reader = new WebsocketReader(context, transport, maxBytes);
    HttpChannels.takeOver(out.pipeline(), reader);
    reader.connection(connect(transport, viewer));
    if (out.pipeline().get(DECODER) != null) {
      out.pipeline().remove(DECODER);
    }
    if (!out.channel().isActive()) {
      reader.end();
    }
  }

  private Connection connect(WebsocketTransport transport, V viewer) {
    try {
      transport.open();
      return service.connected(transport, viewer);
    } catch (RuntimeException | OutOfMemoryError fault) {
      LOG.warn("a websocket could not be opened", fault);
      service.leave(viewer);
      transport.close(Closing.INTERRUPTED);
      return Connection.NOBODY;
    }
  }
}
