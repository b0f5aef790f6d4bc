package io.galop.vertx;

import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.SslHandler;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.impl.HttpServerConnection;
import io.vertx.core.net.impl.VertxHandler;
import java.security.cert.X509Certificate;
import java.util.Optional;
import javax.net.ssl.SSLPeerUnverifiedException;

/** Connections of Vert.x as Netty has them. On the event loop of the connection. */
public final class HttpChannels {
  /** Vert.x's name of what makes requests of bytes. */
  private static final String DECODER = "httpDecoder";

  private static final String BEFORE_REQUESTS = "galop.beforeRequests.";

  private HttpChannels() {}

  /** Where the server's own handler of a connection is. */
  public static ChannelHandlerContext of(HttpConnection connection) {
    return ((HttpServerConnection) connection).channelHandlerContext();
  }

  /** The certificate that the client has shown, verified; empty without TLS, or if none was. */
  public static Optional<X509Certificate> clientCertificate(HttpConnection connection) {
    SslHandler tls = of(connection).pipeline().get(SslHandler.class);
    try {
      return tls == null
          ? Optional.empty()
          : Optional.of((X509Certificate) tls.engine().getSession().getPeerCertificates()[0]);
    } catch (SSLPeerUnverifiedException none) {
      return Optional.empty();
    }
  }

  /**
   * Ends a request at once, though its client reads nothing: Vert.x closes a connection only after
   * all that was written to it has left. What has not is thrown away, and the client sees a reset.
   */
  public static void reset(HttpServerRequest request) {
    if (request.version() == HttpVersion.HTTP_2) {
      request.response().reset(); // of this stream only
    } else {
      ChannelHandlerContext server = of(request.connection());
      if (server.channel().isOpen()) { // else the option cannot be set
        server.channel().config().setOption(ChannelOption.SO_LINGER, 0);
        server.pipeline().firstContext().close(); // past TLS, which would wait for what is left
      }
    }
  }

  /** Puts a handler before what makes requests, until the connection is none of requests. */
  public static void addBeforeRequests(
      ChannelPipeline pipeline, String name, ChannelHandler handler) {
    pipeline.addBefore(DECODER, BEFORE_REQUESTS + name, handler);
  }

  /**
   * Puts a handler in the place of the server's: Vert.x hears nothing more of the connection. What
   * comes is no request any more, so those before requests go.
   */
  public static void takeOver(ChannelPipeline pipeline, ChannelHandler handler) {
    pipeline.names().stream()
        .filter(name -> name.startsWith(BEFORE_REQUESTS))
        .forEach(pipeline::remove);
    pipeline.replace(VertxHandler.class, "handler", handler);
  }
}
