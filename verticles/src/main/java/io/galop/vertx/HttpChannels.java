package io.galop.vertx;

import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.impl.HttpServerConnection;
import io.vertx.core.net.impl.VertxHandler;

/** Connections of Vert.x as Netty has them. On the event loop of the connection. */
public final class HttpChannels {
  private HttpChannels() {}

  /** Where the server's own handler of a connection is. */
  public static ChannelHandlerContext of(HttpConnection connection) {
    return ((HttpServerConnection) connection).channelHandlerContext();
  }

  /** Puts a handler in the place of the server's: Vert.x hears nothing more of the connection. */
  public static void takeOver(ChannelPipeline pipeline, ChannelHandler handler) {
    pipeline.replace(VertxHandler.class, "handler", handler);
  }
}
