package io.galop.broadcast.sockjs;

import io.galop.broadcast.deflate.DeflateOffer;
import io.galop.broadcast.deflate.LoopDeflate;
import io.galop.socket.WebsocketHandshake;
import io.galop.vertx.HttpChannels;
import io.galop.vertx.Loop;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.websocketx.WebSocket08FrameDecoder;
import io.netty.handler.codec.http.websocketx.WebSocketFrameEncoder;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
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

  /** Of all versions; what it has read and not yet decoded goes to the reader when it leaves. */
  private static final Class<WebSocket08FrameDecoder> DECODER = WebSocket08FrameDecoder.class;

  private final Vertx vertx;
  private final Service<V> service;
  private final int maxBytes;
  private final @Nullable LoopDeflate deflate;

  /**
   * @param deflate null where nothing is to be compressed
   */
  WebsocketEndpoint(
      Vertx vertx, Service<V> service, int maxMessageBytes, @Nullable LoopDeflate deflate) {
    this.deflate = deflate;
    this.vertx = vertx;
    this.service = service;
    this.maxBytes = 2 * maxMessageBytes + ENVELOPE_BYTES;
  }

  void upgrade(RoutingContext context, Framing framing) {
    HttpServerRequest request = context.request();
    if (WebsocketHandshake.isAsked(request)) {
      V viewer = service.viewer(context);
      if (service.enter(viewer, context)) {
        accept(request, framing, viewer);
      }
    }
  }

  private void accept(HttpServerRequest request, Framing framing, V viewer) {
    LoopDeflate negotiated = negotiate(request);
    request
        .toWebSocket()
        .onSuccess(socket -> accepted(out(request), framing, viewer, negotiated))
        .onFailure(noHandshake -> service.leave(viewer));
  }

  /**
   * Vert.x answers with the headers that are set before, and leaves frames alone since its own
   * compression is off.
   */
  private @Nullable LoopDeflate negotiate(HttpServerRequest request) {
    if (deflate == null) {
      return null;
    }
    Optional<String> answer =
        DeflateOffer.answer(request.headers().getAll(HttpHeaderNames.SEC_WEBSOCKET_EXTENSIONS));
    answer.ifPresent(
        is -> request.response().putHeader(HttpHeaderNames.SEC_WEBSOCKET_EXTENSIONS, is));
    return answer.isPresent() ? deflate : null;
  }

  /** The connection may have ended meanwhile, and its handlers with it. */
  private void accepted(
      ChannelHandlerContext out, Framing framing, V viewer, @Nullable LoopDeflate negotiated) {
    if (out == null) {
      service.leave(viewer);
    } else {
      connected(out, framing, viewer, negotiated);
    }
  }

  /**
   * Where bytes are written so that they pass TLS and time limits, but none of what makes frames.
   * The connection's class is not part of what Vert.x promises to keep: see docs/decisions.
   */
  private static ChannelHandlerContext out(HttpServerRequest request) {
    ChannelPipeline pipeline = HttpChannels.of(request.connection()).pipeline();
    return pipeline.context(WebSocketFrameEncoder.class);
  }

  private void connected(
      ChannelHandlerContext out, Framing framing, V viewer, @Nullable LoopDeflate negotiated) {
    WebsocketTransport transport =
        new WebsocketTransport(
            new SocketWriter(out), framing, negotiated == null ? null : negotiated.out());
    Loop context = Loop.current(vertx);
    WebsocketReader reader =
        new WebsocketReader(
            context, transport, maxBytes, negotiated == null ? null : negotiated.in());
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
