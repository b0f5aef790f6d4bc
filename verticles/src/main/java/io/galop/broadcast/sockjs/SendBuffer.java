package io.galop.broadcast.sockjs;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelOption;

/** What the operating system keeps of a connection's bytes that have not been sent. */
final class SendBuffer {
  private SendBuffer() {}

  /**
   * Sets its size. A browser that resets its connection while it is let in has none any more: that
   * it is gone is told to others as for every connection, and must not keep them from listening.
   */
  static void limit(Channel channel, int bytes) {
    try {
      channel.config().setOption(ChannelOption.SO_SNDBUF, bytes);
    } catch (ChannelException refused) {
      if (channel.isOpen()) {
        throw refused;
      }
    }
  }
}
