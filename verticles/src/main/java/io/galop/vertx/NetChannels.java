package io.galop.vertx;

import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.vertx.core.Handler;
import io.vertx.core.internal.net.NetSocketInternal;
import io.vertx.core.net.NetSocket;

/** Plain connections of Vert.x as Netty has them. On the event loop of the connection. */
public final class NetChannels {
  private NetChannels() {}

  /**
   * Has a decoder make messages of what the other end sends.
   *
   * @param messages gets what the decoder makes, for as long as the socket is not paused; each is
   *     its to release
   * @return where to write bytes to the connection
   */
  public static ChannelHandlerContext decode(
      NetSocket socket, ChannelHandler decoder, Handler<Object> messages) {
    NetSocketInternal connection = (NetSocketInternal) socket;
    ChannelPipeline pipeline = connection.channelHandlerContext().pipeline();
    pipeline.addBefore("handler", "decoder", decoder);
    connection.messageHandler(messages);
    return pipeline.context(decoder);
  }
}
